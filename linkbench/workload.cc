#include "linkbench/workload.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace waltax::linkbench {

namespace {

class LinkbenchWorker : public Worker {
 public:
  LinkbenchWorker(std::shared_ptr<const RequestModel> model,
                  std::unique_ptr<Session> session, int index, int workers,
                  uint64_t seed, CommitLog* commits)
      : stream_(std::move(model), index, workers, seed),
        session_(std::move(session)),
        commits_(commits) {}

  void Draw() override { stream_.Draw(&request_); }
  Outcome Execute() override {
    Outcome outcome;
    outcome.operation = static_cast<uint32_t>(request_.op);
    const std::optional<Change> change =
        commits_ == nullptr ? std::nullopt : DrawnChange();
    const Reply reply =
        change ? Acknowledged(*change, &outcome) : Dispatch(&outcome);
    outcome.retries = reply.retries;
    outcome.error = reply.error;
    outcome.committed = reply.changed;
    return outcome;
  }

 private:
  Reply Dispatch(Outcome* outcome) {
    NodeValue node;
    switch (request_.op) {
      case Op::kAddLink:
      case Op::kUpdateLink:
        return AddLink();
      case Op::kDeleteLink:
        return session_->DeleteLink(Key(), request_.time);
      case Op::kCountLink:
        return CountLinks(outcome);
      case Op::kMultigetLink:
        return Multiget(outcome);
      case Op::kGetLinksList:
        return GetLinksList(outcome);
      case Op::kAddNode:
        return session_->AddNode(NewNode(1), &new_node_);
      case Op::kUpdateNode:
        return session_->UpdateNode(request_.id1, NewNode(2));
      case Op::kDeleteNode:
        return session_->DeleteNode(request_.id1, kNodeType);
      case Op::kGetNode:
        return session_->GetNode(request_.id1, kNodeType, &node, &node_data_);
    }
    return {};
  }
  // What the drawn request makes of its row, unless it only reads.
  [[nodiscard]] std::optional<Change> DrawnChange() const {
    const RowKey link = {true, request_.id1, request_.type, request_.id2()};
    const RowKey node = {false, request_.id1, 0, 0};
    const RowState written = StateOf(request_.time, request_.payload);
    switch (request_.op) {
      case Op::kAddLink:
      case Op::kUpdateLink:
        return Change{link, written};
      case Op::kDeleteLink:
        return Change{link, RowState::kHidden};
      case Op::kAddNode:
        return Change{{}, written};
      case Op::kUpdateNode:
        return Change{node, written};
      case Op::kDeleteNode:
        return Change{node, RowState::kAbsent};
      default:
        return std::nullopt;
    }
  }
  // A commit that cannot be noted would make a later check wrong. What changed
  // nothing is not acknowledged: nothing is there to be lost.
  Reply Acknowledged(const Change& change, Outcome* outcome) {
    uint64_t number = 0;
    noted_ = commits_->Begin(change, &number);
    if (!noted_.ok()) return Unacknowledged({});
    const Reply reply = Dispatch(outcome);
    if (reply.error != nullptr || !reply.changed) return reply;
    noted_ = commits_->Committed(number,
                                 request_.op == Op::kAddNode ? new_node_ : 0);
    return noted_.ok() ? reply : Unacknowledged(reply);
  }
  Reply Unacknowledged(Reply reply) {
    reply.error = &noted_.message();
    return reply;
  }
  Reply AddLink() {
    return session_->AddLink(Key(), {true, 0, request_.time, request_.payload});
  }
  // DEVIATION T7: a history read is timed as any other.
  Reply GetLinksList(Outcome* outcome) {
    const Reply reply =
        session_->GetLinksList({request_.id1, request_.type, request_.max_time,
                                request_.offset, kListLimit},
                               &rows_);
    outcome->rows = static_cast<uint32_t>(rows_.size());
    if (reply.error != nullptr) return reply;
    const size_t rows = rows_.size();
    stream_.OnListRead(request_, outcome->rows,
                       rows > 0 ? rows_.time(rows - 1) : 0);
    return reply;
  }
  Reply Multiget(Outcome* outcome) {
    const Reply reply = session_->MultigetLinks(request_.id1, request_.type,
                                                request_.id2_list(), &rows_);
    outcome->rows = static_cast<uint32_t>(rows_.size());
    return reply;
  }
  Reply CountLinks(Outcome* outcome) {
    uint64_t count = 0;
    const Reply reply =
        session_->CountLinks(request_.id1, request_.type, &count);
    outcome->rows = reply.found ? 1 : 0;
    return reply;
  }
  [[nodiscard]] NodeValue NewNode(uint64_t version) const {
    return {kNodeType, version, static_cast<uint32_t>(request_.time),
            request_.payload};
  }
  [[nodiscard]] LinkKey Key() const {
    return {request_.id1, request_.type, request_.id2()};
  }

  RequestStream stream_;
  std::unique_ptr<Session> session_;
  Request request_;
  LinkRows rows_;
  std::string node_data_;
  uint64_t new_node_ = 0;
  CommitLog* commits_;
  Status noted_;
};

class LinkbenchWorkload : public Workload {
 public:
  LinkbenchWorkload(std::shared_ptr<const RequestModel> model, Store* store,
                    int threads, CommitLog* commits)
      : model_(std::move(model)),
        store_(*store),
        threads_(threads),
        commits_(commits) {}

  [[nodiscard]] const std::vector<std::string_view>& OperationNames()
      const override {
    static const std::vector<std::string_view> names(kOpNames.begin(),
                                                     kOpNames.end());
    return names;
  }
  [[nodiscard]] nlohmann::json Describe() const override {
    return ToJson(model_->options());
  }
  std::unique_ptr<Worker> NewWorker(int index, uint64_t seed) override {
    return std::make_unique<LinkbenchWorker>(
        model_, store_.NewSession(seed + static_cast<uint64_t>(index)), index,
        threads_, seed, commits_);
  }
  Status Check(CheckResult* result) override {
    Findings findings;
    CheckGraph(store_, model_->options().graph, threads_, &findings);
    return findings.Take(result);
  }

 private:
  std::shared_ptr<const RequestModel> model_;
  Store& store_;
  int threads_;
  CommitLog* commits_;
};

}  // namespace

std::unique_ptr<Workload> NewLinkbenchWorkload(
    std::shared_ptr<const RequestModel> model, Store* store, int threads,
    CommitLog* commits) {
  return std::make_unique<LinkbenchWorkload>(std::move(model), store, threads,
                                             commits);
}

}  // namespace waltax::linkbench
