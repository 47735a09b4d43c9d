// The file of --data-file: the out-degrees of a graph's nodes.
#include "fuzz.h"
#include "linkbench/degrees.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using waltax::fuzz::Require;
  waltax::linkbench::GraphOptions options;
  options.maxid1 = 1001;
  options.data_file = waltax::fuzz::FileOf(data, size);
  std::unique_ptr<waltax::linkbench::OutDegrees> degrees;
  const waltax::Status status =
      waltax::linkbench::OutDegrees::Create(options, &degrees);
  if (!status.ok()) {
    Require(status.message().starts_with("--data-file: "), "the flag's name",
            status.message());
    return 0;
  }
  uint64_t links = 0;
  for (uint64_t id = 1; id < options.maxid1; id += 37) {
    const uint64_t total = degrees->Total(id);
    Require(degrees->OfType(id, 0) <= total, "links of one type among all",
            std::to_string(total));
    links += total;
  }
  Require(links <= uint64_t{1} << 62U, "degrees that can be added up",
          std::to_string(links));
  return 0;
}
