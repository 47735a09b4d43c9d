// A file's path that is free at first, and free again at the end.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace waltax {

class TemporaryFile {
 public:
  TemporaryFile() {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("waltax-test-file-" + std::to_string(getpid()) + "-" +
             std::to_string(number++));
  }
  ~TemporaryFile() { std::filesystem::remove_all(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace waltax
