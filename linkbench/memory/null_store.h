// A store that does nothing: what a run costs without one.
#pragma once

#include <memory>

#include "linkbench/store.h"

namespace waltax::linkbench {

class NullSession : public Session {
 public:
  Reply AddLink(const LinkKey&, const LinkValue&) override { return {}; }
  Reply DeleteLink(const LinkKey&, uint64_t) override { return {}; }
  Reply CountLinks(uint64_t, uint64_t, uint64_t* count) override {
    *count = 0;
    return {};
  }
  Reply MultigetLinks(uint64_t, uint64_t, std::span<const uint64_t>,
                      LinkRows* rows) override {
    rows->Clear();
    return {};
  }
  Reply GetLinksList(const ListQuery&, LinkRows* rows) override {
    rows->Clear();
    return {};
  }
  Reply AddNode(const NodeValue&, uint64_t* id) override {
    *id = 0;
    return {};
  }
  Reply UpdateNode(uint64_t, const NodeValue&) override { return {}; }
  Reply DeleteNode(uint64_t, uint32_t) override { return {}; }
  Reply GetNode(uint64_t, uint32_t, NodeValue*, std::string*) override {
    return {};
  }
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
