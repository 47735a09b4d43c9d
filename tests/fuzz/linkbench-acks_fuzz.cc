// The file of --ack-log: the writes that a client began, and was told of.
#include <algorithm>

#include "fuzz.h"
#include "linkbench/commits.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using waltax::fuzz::Require;
  std::vector<waltax::linkbench::LoggedWrite> writes;
  const waltax::Status status = waltax::linkbench::ReadCommitLog(
      waltax::fuzz::FileOf(data, size), &writes);
  if (!status.ok()) {
    Require(waltax::fuzz::IsOneLine(status.message()), "one line",
            status.message());
    return 0;
  }
  const auto lines =
      static_cast<size_t>(std::count(data, data + size, uint8_t{'\n'}));
  Require(writes.size() <= lines, "a line for each write",
          std::to_string(writes.size()));
  for (const waltax::linkbench::LoggedWrite& write : writes) {
    Require(write.begin < write.end.value_or(lines), "an end after its begin",
            std::to_string(write.begin));
  }
  return 0;
}
