// For test_latency_decodes.py: reads numbers from stdin, one a line, and prints
// what the histogram makes of them, one field a line.
#include <cstdint>
#include <iostream>

#include "driver/latency.h"

int main() {
  waltax::Histogram histogram;
  uint64_t value = 0;
  while (std::cin >> value) histogram.Record(value);
  std::cout << '[';
  const char* between = "";
  for (const auto& [largest, count] : histogram.Counts()) {
    std::cout << between << '[' << largest << ',' << count << ']';
    between = ",";
  }
  std::cout << "]\n";
  for (const double percentile : {25.0, 50.0, 95.0, 99.0, 99.9, 100.0}) {
    std::cout << percentile << ' ' << histogram.Percentile(percentile) << '\n';
  }
}
