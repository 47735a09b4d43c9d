// What the fuzz targets of C++ share: requirements that abort, words of a
// command line, what was printed, and bytes as a file.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

// Called with each input; one file of this folder defines it. An input is a
// finding when this aborts, hangs, or a sanitizer reports.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace waltax::fuzz {

// Makes a finding of what was said or read wrongly.
inline void Require(bool holds, const char* what, const std::string& found) {
  if (holds) return;
  std::fprintf(stderr, "want %s, found: %s\n", what, found.c_str());
  std::abort();
}

inline std::string Text(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// The words of a command line, which stand on a line each. No word of a process
// holds a zero.
inline std::vector<std::string> Words(const uint8_t* data, size_t size) {
  std::vector<std::string> words;
  std::string word;
  std::istringstream lines(Text(data, size));
  while (std::getline(lines, word)) {
    words.push_back(word.substr(0, word.find('\0')));
  }
  return words;
}

inline bool IsOneLine(std::string_view text) {
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x20 || byte == 0x7F) return false;
  }
  return !text.empty();
}

// Takes what is printed while it lives, by whatever way. Sanitizers write to
// the descriptor, so that their reports are seen.
class Printed {
 public:
  Printed() : cout_(std::cout.rdbuf(events_.rdbuf())) {
    stdout = out_.file;
    stderr = err_.file;
  }
  ~Printed() { Give(); }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;

  // Ends the taking, and returns what was printed on stderr.
  std::string Err() {
    Give();
    std::fflush(err_.file);
    return {err_.text, err_.size};
  }

 private:
  struct Memory {
    Memory() : file(open_memstream(&text, &size)) {}
    ~Memory() {
      std::fclose(file);
      std::free(text);
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    char* text = nullptr;
    size_t size = 0;
    FILE* file;
  };

  void Give() {
    std::cout.rdbuf(cout_);
    stdout = stdout_;
    stderr = stderr_;
  }

  std::ostringstream events_;
  std::streambuf* cout_;
  FILE* stdout_ = stdout;
  FILE* stderr_ = stderr;
  Memory out_;
  Memory err_;
};

// A file in memory that holds the bytes, for what reads files by their paths.
inline std::string FileOf(const uint8_t* data, size_t size) {
  static const int fd = memfd_create("fuzzed", MFD_CLOEXEC);
  const bool written = ftruncate(fd, 0) == 0 &&
                       pwrite(fd, data, size, 0) == static_cast<ssize_t>(size);
  Require(written, "a file in memory", "none");
  return "/proc/self/fd/" + std::to_string(fd);
}

}  // namespace waltax::fuzz
