// What a LinkBench graph and its requests look like. The defaults are those of
// the original's FBWorkload.properties.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "driver/status.h"

namespace CLI {
class App;
}  // namespace CLI

namespace waltax::linkbench {

// In the order in which the original adds up the percentages of its mix, which
// decides what a draw means.
enum class Op : uint32_t {
  kAddLink,
  kDeleteLink,
  kUpdateLink,
  kCountLink,
  kMultigetLink,
  kGetLinksList,
  kAddNode,
  kUpdateNode,
  kDeleteNode,
  kGetNode,
};
inline constexpr size_t kOps = 10;

// The original's names, in reports.
inline constexpr std::array<std::string_view, kOps> kOpNames = {
    "ADD_LINK",      "DELETE_LINK",    "UPDATE_LINK", "COUNT_LINK",
    "MULTIGET_LINK", "GET_LINKS_LIST", "ADD_NODE",    "UPDATE_NODE",
    "DELETE_NODE",   "GET_NODE"};

// The original's names, in configuration.
inline constexpr std::array<std::string_view, kOps> kMixNames = {
    "addlink",     "deletelink", "updatelink", "countlink",  "getlink",
    "getlinklist", "addnode",    "updatenode", "deletenode", "getnode"};

// Which ids requests touch.
struct AccessOptions {
  std::string function = "zipf";  // or "uniform", "geometric"
  double shape = 0.8;             // of zipf: larger is more skewed
  double probability = 0.5;       // of geometric
};

// Which bytes fill payloads: a share `uniqueness` of the 128-byte chunks is
// random, the rest repeats; more of it compresses worse.
struct PayloadOptions {
  int start_byte;
  int end_byte;
  double uniqueness;
};

// What the loader writes. A run must use what its data set was loaded with.
struct GraphOptions {
  uint64_t startid1 = 1;
  uint64_t maxid1 = 10'000'001;  // one past the last id
  uint64_t link_type_count = 2;
  // Largest out-degree, 0 for none. Without it one node has 961,963 links at
  // every scale (DEVIATION T13); with it a small graph stays small.
  uint64_t degree_cap = 0;
  uint64_t randomid2max = 0;  // above 0: link targets are uniform below this
  double link_datasize = 8;   // median bytes of a link
  double node_datasize = 128;
  PayloadOptions link_add{32, 100, 0.225};
  PayloadOptions node_add{50, 220, 0.63};

  [[nodiscard]] uint64_t ids() const { return maxid1 - startid1; }
};

// What the workers ask.
struct RequestOptions {
  std::array<double, kOps> mix = {8.9886601, 2.9907664,  8.0122125, 4.8863567,
                                  0.5261142, 50.7119145, 2.5732789, 7.366437,
                                  1.0115914, 12.9326683};
  // DEVIATION T6: a percentage of list reads, although its name in the original
  // says proportion.
  double getlinklist_history = 0.3;
  AccessOptions read{"zipf", 0.8, 0.5};
  AccessOptions write{"zipf", 0.741, 0.5};
  // Percent of link requests that ignore the out-degree, and their skew.
  // DEVIATION T1: link writes use these too.
  double read_uncorr_blend = 99.5;
  AccessOptions read_uncorr{"zipf", 0.8, 0.5};
  AccessOptions node_read{"zipf", 0.625, 0.5};
  AccessOptions node_update{"zipf", 0.606, 0.5};
  AccessOptions node_delete{"uniform", 0.8, 0.5};
  PayloadOptions link_up{32, 100, 0.225};
  PayloadOptions node_up{50, 220, 0.63};
  uint64_t link_multiget_min = 1;
  uint64_t link_multiget_max = 128;
  double link_multiget_prob = 0.382;
  int id2gen_config = 0;  // 1: each thread has link targets of its own
  int max_retries = 100;  // conflicts after which an operation is an error
};

struct Options {
  GraphOptions graph;
  RequestOptions requests;
};

// The original's limits of its columns.
inline constexpr uint64_t kMaxLinkBytes = 255;
inline constexpr uint64_t kMaxNodeBytes = 1 << 20;
inline constexpr uint64_t kMaxMultiget = 1024;

// Rejects combinations that no single flag can see.
Status Validate(const Options& options);

// Every effective value, under its flag's name.
nlohmann::json ToJson(const GraphOptions& options);
nlohmann::json ToJson(const Options& options);

// Fails when a data set's record is of a graph that was loaded with other flags
// than these; names the flag, both values, and `where` the data set is.
Status CompareRecord(const nlohmann::json& record, const std::string& where,
                     const GraphOptions& graph);

// Each adds a list of flags to a command, under the names that the original's
// properties have with dashes.
void AddGraphFlags(CLI::App* app, GraphOptions* graph);
void AddRequestFlags(CLI::App* app, RequestOptions* requests);

}  // namespace waltax::linkbench
