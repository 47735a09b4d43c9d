// Where long link lists were left off: list reads that filled their limit leave
// their last link here, and a few later reads go on from it into older history.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace waltax::linkbench {

struct Tail {
  uint64_t id1 = 0;
  uint64_t type = 0;
  uint64_t time = 0;  // of the last link read, ms
};

// Not thread-safe: one per thread.
class TailCache {
 public:
  static constexpr size_t kCapacity = 2048;

  [[nodiscard]] size_t size() const { return tails_.size(); }
  [[nodiscard]] const Tail& operator[](size_t i) const { return tails_[i]; }

  // Keeps `tail` unless its list is known; a full cache gives up a random one.
  template <typename Rng>
  void Add(Rng& rng, const Tail& tail) {
    if (known_.contains({tail.id1, tail.type})) return;
    if (tails_.size() < kCapacity) {
      tails_.push_back(tail);
    } else {
      const size_t victim = rng.NextInt(tails_.size());
      if (victim + 1 == tails_.size()) Forget(tails_.back());
      tails_[victim] = tail;
    }
    known_.insert({tail.id1, tail.type});
  }

  void Advance(size_t i, uint64_t time) { tails_[i].time = time; }

  // The last entry fills the hole. As in the original, a list removed from the
  // middle stays known, so that it never enters again.
  void Remove(size_t i) {
    if (i + 1 == tails_.size()) Forget(tails_.back());
    tails_[i] = tails_.back();
    tails_.pop_back();
  }

 private:
  void Forget(const Tail& tail) { known_.erase({tail.id1, tail.type}); }

  std::vector<Tail> tails_;
  std::set<std::pair<uint64_t, uint64_t>> known_;
};

}  // namespace waltax::linkbench
