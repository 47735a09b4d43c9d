// The file of --ack-log: the New-Orders that a client was told of.
#include <algorithm>

#include "fuzz.h"
#include "tpcc/check/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using waltax::fuzz::Require;
  std::vector<waltax::tpcc::AcknowledgedOrder> orders;
  const waltax::Status status =
      waltax::tpcc::ReadAckLog(waltax::fuzz::FileOf(data, size), &orders);
  if (!status.ok()) {
    Require(waltax::fuzz::IsOneLine(status.message()), "one line",
            status.message());
    return 0;
  }
  const auto lines =
      static_cast<size_t>(std::count(data, data + size, uint8_t{'\n'}));
  Require(orders.size() == lines, "an order for each whole line",
          std::to_string(orders.size()));
  return 0;
}
