#include "workloads/mix/acks.h"

#include <fmt/format.h>

namespace waltax::mix {
namespace {

constexpr size_t kBeforeDrawn = 2;  // numbers of a line

}  // namespace

Status Begin(const Request& request, AckLog* log) {
  std::vector<uint64_t> numbers = {request.stamp, request.operation};
  numbers.insert(numbers.end(), request.drawn.begin(), request.drawn.end());
  numbers.insert(numbers.end(), request.inserted.begin(),
                 request.inserted.end());
  return log->Begin(numbers);
}

Status ReadRequestLog(const std::string& path, const Mix& mix,
                      std::vector<LoggedRequest>* requests) {
  requests->clear();
  std::vector<AckedWrite> logged;
  const AckFormat format = {
      .holds = "a request of this mix that begins or is committed",
      .acknowledged = 1,
      .begun = kBeforeDrawn + mix.most_values + mix.most_steps};
  const Status status = ReadAckedWrites(path, format, &logged);
  for (const AckedWrite& each : logged) {
    const auto drawn = each.begun.begin() + kBeforeDrawn;
    const auto inserted = drawn + static_cast<ptrdiff_t>(mix.most_values);
    if (each.begun[1] >= mix.operations.size()) {
      return Status::Usage(fmt::format(
          "--acks: found {}, which is of another mix, want that of --file",
          path));
    }
    requests->push_back({each,
                         {each.begun[1],
                          {drawn, inserted},
                          each.begun[0],
                          {inserted, each.begun.end()}}});
  }
  return status;
}

}  // namespace waltax::mix
