// A store that does nothing: what a run costs without one.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "linkbench/store.h"

namespace waltax::linkbench {

class NullSession : public Session {
 public:
  NullSession() = default;
  // What a session is that could not be opened: all that is asked of it fails
  // for that reason.
  explicit NullSession(std::string refused) : refused_(std::move(refused)) {
    reply_.fatal = true;
    reply_.error = &refused_;
  }
  Reply AddLink(const LinkKey&, const LinkValue&) override { return reply_; }
  Reply DeleteLink(const LinkKey&, uint64_t) override { return reply_; }
  Reply CountLinks(uint64_t, uint64_t, uint64_t* count) override {
    *count = 0;
    return reply_;
  }
  Reply MultigetLinks(uint64_t, uint64_t, std::span<const uint64_t>,
                      LinkRows* rows) override {
    rows->Clear();
    return reply_;
  }
  Reply GetLinksList(const ListQuery&, LinkRows* rows) override {
    rows->Clear();
    return reply_;
  }
  Reply AddNode(const NodeValue&, uint64_t* id) override {
    *id = 0;
    return reply_;
  }
  Reply UpdateNode(uint64_t, const NodeValue&) override { return reply_; }
  Reply DeleteNode(uint64_t, uint32_t) override { return reply_; }
  Reply GetNode(uint64_t, uint32_t, NodeValue*, std::string*) override {
    return reply_;
  }

 private:
  std::string refused_;
  Reply reply_;
};

class NullStore : public Store {
 public:
  std::unique_ptr<Session> NewSession(uint64_t) override {
    return std::make_unique<NullSession>();
  }
  // "Consistent" would be said of nothing.
  Status Check(int, CheckResult*) override {
    return Status::Usage(
        "check: found the null store, which keeps nothing, want another store");
  }
};

}  // namespace waltax::linkbench
