// The command line of `tpcc`, a word on each line.
#include "flags.h"
#include "tpcc/options.h"

namespace waltax::tpcc {
namespace {

struct OwnFlags {
  void Add(const Commands& commands) {
    AddTerminalFlags(commands.run, &given);
    AddWarehousesFlag(commands.check, &given);
  }
  [[nodiscard]] Status Resolve(const RunFlags& run) const {
    Options options = given;
    return tpcc::Resolve(run, 1, &options);
  }

  Options given;
};

}  // namespace
}  // namespace waltax::tpcc

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static waltax::fuzz::CommandLine<waltax::tpcc::OwnFlags> line("tpcc");
  line.Obey(data, size);
  return 0;
}
