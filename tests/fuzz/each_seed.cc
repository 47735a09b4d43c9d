// The short form of a fuzz target, which wants no fuzzer: its seeds, each cut
// at every byte, and with every byte replaced. `make test` runs it.
//
//   fuzz_NAME FILE_OR_FOLDER...
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz.h"

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<uint8_t>;

constexpr std::array<uint8_t, 6> kOdd = {0, '\n', '"', '-', '9', 0xFF};
constexpr size_t kMostBytes = 2000;  // of a seed that is changed

Bytes Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void Give(const Bytes& bytes) {
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

void GiveChanged(Bytes bytes) {
  for (size_t i = 0; i < bytes.size() && i < kMostBytes; ++i) {
    Give(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(i)));
    const uint8_t was = bytes[i];
    for (const uint8_t odd : kOdd) {
      bytes[i] = odd;
      Give(bytes);
    }
    bytes[i] = was;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    if (fs::is_directory(argv[i])) {
      for (const auto& entry : fs::directory_iterator(argv[i])) {
        files.push_back(entry.path());
      }
    } else {
      files.emplace_back(argv[i]);
    }
  }
  for (const fs::path& file : files) {
    Give(Read(file));
    GiveChanged(Read(file));
  }
  std::printf("%zu seeds\n", files.size());
  return files.empty() ? 2 : 0;
}
