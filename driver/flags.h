// Flags that every driver program shares, and the helpers that add a flag so
// that a wrong value is explained in one line:
//   linkbench: --threads: found "abc", want a whole number from 1 to 1024
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "driver/status.h"

namespace CLI {
class App;
}  // namespace CLI

namespace waltax {

// How the engine is opened.
struct EngineFlags {
  // Where the data lies. Keep it off the WAL's device: flushes and compactions
  // would queue before the syncs that are being measured.
  std::string db_dir;
  // Where the WAL lies; empty means beside the data.
  std::string wal_dir;
  // When a commit is acknowledged: "sync" after the WAL reached the device,
  // "flush" after it reached the kernel, "off" without any WAL.
  std::string durability = "sync";
  // A RocksDB OPTIONS file; a column family without a section of its own gets
  // the section of "default". Places and the block cache are those of the
  // flags.
  std::string options_file;
  // Prints the OPTIONS file that RocksDB makes of all this, which can differ
  // from what it was told without a word; a plan asks.
  bool print_options = false;
  // A thread writes and syncs the WAL so often, and no commit waits for it; 0:
  // there is none.
  uint64_t sync_every_ms = 0;
  // One block cache for all column families. Larger than the data: reads never
  // leave memory and the WAL's share of each request grows.
  uint64_t block_cache_mb = 256;
  // RocksDB Statistics: "disabled", or "except-timers" (tickers only: no
  // histograms either). What proves the log is counted without them.
  std::string stats_level = "disabled";
  // "rocksdb"; "myrocks" or "innodb" on a server, to which none of the flags
  // above apply, nor to "redis", a server of somebody else's; "null"
  // is a store that returns at once, which measures the driver itself.
  std::string store = "rocksdb";
};

// How operations are issued.
struct RunFlags {
  int threads = 1;
  // The same seed gives every thread the same operations.
  uint64_t seed = 1;
  // Requests per second over all threads, whose latency counts from the
  // scheduled start; 0 is a closed loop (each thread issues its next request
  // when the last one ended). They come as a Poisson process, or at even
  // distances: "poisson" or "fixed".
  double rate = 0;
  std::string arrivals = "poisson";
  // Threads that carry the requesters where those wait for sockets; 0: half of
  // the CPUs at most. No flag of its own.
  int carriers = 0;
};

void AddEngineFlags(CLI::App* app, EngineFlags* flags);
void AddRunFlags(CLI::App* app, RunFlags* flags);

// Each adds one flag that takes a value. The value that the variable holds now
// is the default that --help shows. Bounds are inclusive. A number is a double,
// or a whole one: an int, an int64_t, a uint64_t or a std::optional of that.
template <typename Number>
using BoundOf =
    std::conditional_t<std::is_same_v<Number, double>, double, int64_t>;
template <typename Number>
void AddNumber(CLI::App* app, const std::string& name, Number* value,
               BoundOf<Number> low, BoundOf<Number> high,
               const std::string& description);
void AddChoice(CLI::App* app, const std::string& name, std::string* value,
               std::vector<std::string> accepted,
               const std::string& description);
// `wanted` completes the sentence "found "--threads", want ...".
void AddText(CLI::App* app, const std::string& name, std::string* value,
             const std::string& wanted, const std::string& description);

// Parses the command line. Returns nothing when the program goes on,
// otherwise its exit code: 0 after --help (on stdout), 2 after one line on
// stderr that says what is wrong with which flag.
[[nodiscard]] std::optional<int> ParseOrExplain(CLI::App& app, int argc,
                                                const char* const* argv);

// Prints "PROGRAM: message" on stderr unless `status` is ok; returns the exit
// code of the process.
int Explain(const char* program, const Status& status);

}  // namespace waltax
