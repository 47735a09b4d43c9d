// The command line of `linkbench`, a word on each line.
#include "flags.h"
#include "linkbench/degrees.h"
#include "linkbench/options.h"

namespace waltax::linkbench {
namespace {

struct OwnFlags {
  void Add(const Commands& commands) {
    for (CLI::App* command : {commands.load, commands.run, commands.check}) {
      AddGraphFlags(command, &options.graph);
    }
    AddRequestFlags(commands.run, &options.requests);
  }
  [[nodiscard]] Status Resolve(const RunFlags& /*run*/) const {
    const Status status = Validate(options);
    if (!status.ok()) return status;
    const OutDegrees degrees(options.graph);
    for (const uint64_t id :
         {options.graph.startid1, options.graph.maxid1 - 1}) {
      fuzz::Require(degrees.OfType(id, 0) <= degrees.Total(id),
                    "links of one type among all", std::to_string(id));
    }
    return status;
  }

  Options options;
};

}  // namespace
}  // namespace waltax::linkbench

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static waltax::fuzz::CommandLine<waltax::linkbench::OwnFlags> line(
      "linkbench");
  line.Obey(data, size);
  return 0;
}
