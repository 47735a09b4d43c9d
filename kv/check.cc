#include "kv/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "driver/findings.h"

namespace waltax::kv {
namespace {

class StoreCheck {
 public:
  StoreCheck(const Store& store, const Writes& writes,
             const std::optional<Expected>& expected)
      : store_(store), writes_(writes), expected_(expected) {
    if (expected_) Expect(*expected_);
  }

  Status Run(CheckResult* result) {
    for (const bool loaded : {true, false}) {
      rows_ = 0;
      for (uint64_t i = 0; i < store_.families(); ++i) {
        const Status status = store_.Scan(
            loaded, i, [&](std::string_view key, std::string_view value) {
              Look(loaded, i, key, value);
            });
        if (!status.ok()) findings_.Fail(status);
      }
      findings_.Count(loaded ? "loaded" : "filled", rows_);
      if (loaded) LookForLoaded();
    }
    for (const auto& [key, number] : newest_) {
      Report("keys", key, "is missing, though its write was acknowledged");
    }
    return findings_.Take(result);
  }

 private:
  // The newest write of each key that must be there.
  void Expect(const Expected& expected) {
    const std::unordered_set<uint64_t> doubtful(expected.doubtful.begin(),
                                                expected.doubtful.end());
    for (uint64_t number = expected.first; number < expected.next; ++number) {
      if (doubtful.contains(number)) continue;
      newest_[writes_.KeyOf(number)] = number;
    }
  }

  void Look(bool loaded, uint64_t family, std::string_view bytes,
            std::string_view value) {
    ++rows_;
    const std::optional<uint64_t> key = writes_.DecodeKey(bytes);
    if (!key || *key % store_.families() != family ||
        (loaded && *key >= writes_.options().data.num)) {
      findings_.Violation("keys: one is there that was never written");
      return;
    }
    const std::optional<uint64_t> stamp = writes_.DecodeValue(*key, value);
    if (!stamp || (!loaded && *stamp == kLoaded)) {
      Report("values", *key, "holds what was never written");
    } else if (expected_ && loaded == writes_.options().overwrites()) {
      Compare(*expected_, *key, *stamp);
      return;
    }
    if (loaded == writes_.options().overwrites()) newest_.erase(*key);
  }

  void Compare(const Expected& expected, uint64_t key, uint64_t stamp) {
    const bool ours = stamp != kLoaded && stamp >= expected.first;
    if (ours && (stamp >= expected.next || writes_.KeyOf(stamp) != key)) {
      Report("values", key, "holds a write that nobody made");
    }
    const auto newest = newest_.find(key);
    if (newest == newest_.end()) return;
    if (!ours || (expected.in_order && stamp < newest->second)) {
      Report("values", key, "holds an older write than was acknowledged");
    }
    newest_.erase(newest);
  }

  void LookForLoaded() {
    const uint64_t num = writes_.options().data.num;
    // Every key that was seen is another of them.
    if (rows_ == num) return;
    findings_.Violation(
        fmt::format("loaded: {} keys are there, {} were loaded", rows_, num));
  }

  void Report(std::string_view kind, uint64_t key, std::string_view what) {
    findings_.Violation(fmt::format("{}: key {} {}", kind, key, what));
  }

  const Store& store_;
  const Writes& writes_;
  const std::optional<Expected>& expected_;
  Findings findings_;
  std::unordered_map<uint64_t, uint64_t> newest_;
  uint64_t rows_ = 0;
};

}  // namespace

Status CheckStore(const Store& store, const Writes& writes,
                  const std::optional<Expected>& expected,
                  CheckResult* result) {
  return StoreCheck(store, writes, expected).Run(result);
}

Status NextWrite(const Store& store, const Writes& writes, uint64_t* next) {
  *next = 0;
  Status status;
  for (uint64_t i = 0; i < store.families() && status.ok(); ++i) {
    status = store.Scan(
        writes.options().overwrites(), i,
        [&](std::string_view bytes, std::string_view value) {
          const std::optional<uint64_t> key = writes.DecodeKey(bytes);
          if (!key) return;
          const std::optional<uint64_t> stamp = writes.DecodeValue(*key, value);
          if (!stamp || *stamp == kLoaded) return;
          *next = std::max(*next, *stamp + 1);
        });
  }
  return status;
}

}  // namespace waltax::kv
