#include "driver/ack_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_map>

namespace waltax {

namespace {

// False for a line of another format; `text` has its end.
bool ParseLine(std::string_view text, const AckFormat& format, AckLine* line) {
  line->numbers.clear();
  line->begun = text.starts_with("? ");
  if (line->begun) text.remove_prefix(2);
  const size_t wanted = line->begun ? format.begun : format.acknowledged;
  while (line->numbers.size() < wanted) {
    uint64_t& number = line->numbers.emplace_back();
    const char end = line->numbers.size() == wanted ? '\n' : ' ';
    const auto parsed = std::from_chars(text.begin(), text.end(), number);
    const auto digits = static_cast<size_t>(parsed.ptr - text.begin());
    if (parsed.ec != std::errc() || digits == text.size() ||
        text[digits] != end) {
      return false;
    }
    text.remove_prefix(digits + 1);
  }
  return wanted > 0 && text.empty();
}

// Returns 0, or errno.
int ReadFile(const std::string& path, std::string* content) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  std::array<char, 1 << 16> buffer;
  ssize_t bytes = 0;
  while ((bytes = read(fd, buffer.data(), buffer.size())) > 0) {
    content->append(buffer.data(), static_cast<size_t>(bytes));
  }
  const int error = bytes < 0 ? errno : 0;
  close(fd);
  return error;
}

Status NotALog(const std::string& path, const std::string& why) {
  return Status::Usage(fmt::format(
      "--acks: found {}, which {}, want a file that --ack-log wrote", path,
      why));
}

Status Torn(const std::string& path) {
  return Status::Failed(fmt::format(
      "acknowledgement log {}: no space was left for a whole line", path));
}

}  // namespace

Status AckLog::Open(const std::string& path, std::unique_ptr<AckLog>* log) {
  if (path.empty()) return Status::Ok();
  const int fd =
      open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) {
    return Status::Usage(fmt::format("--ack-log: {} cannot be written: {}",
                                     path, std::strerror(errno)));
  }
  log->reset(new AckLog(fd, path));
  struct stat file{};
  if (fstat(fd, &file) == 0 && file.st_size == 0) return Status::Ok();
  log->reset();
  return Status::Usage(fmt::format(
      "--ack-log: found {}, which is not empty, want a new file", path));
}

AckLog::~AckLog() { close(fd_); }

Status AckLog::Append(const char* mark, const std::vector<uint64_t>& numbers) {
  const std::string line = fmt::format("{}{}\n", mark, fmt::join(numbers, " "));
  const std::scoped_lock lock(mutex_);
  if (torn_) return Torn(path_);
  const ssize_t written = write(fd_, line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size())) return Status::Ok();
  if (written < 0) {
    return Status::Failed(
        fmt::format("acknowledgement log {}: {}", path_, std::strerror(errno)));
  }
  torn_ = true;
  return Torn(path_);
}

Status ReadAckLines(const std::string& path, const AckFormat& format,
                    const std::function<bool(const AckLine& line)>& take) {
  std::string content;
  const int error = ReadFile(path, &content);
  if (error != 0) {
    return NotALog(path,
                   fmt::format("cannot be read ({})", std::strerror(error)));
  }
  std::string_view text(content);
  text = text.substr(0, text.rfind('\n') + 1);
  AckLine line;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t bytes = text.find('\n') + 1;
    if (!ParseLine(text.substr(0, bytes), format, &line) || !take(line)) {
      return NotALog(
          path, fmt::format("has in line {} not {}", number, format.holds));
    }
    text.remove_prefix(bytes);
  }
  return Status::Ok();
}

Status ReadAckedWrites(const std::string& path, const AckFormat& format,
                       std::vector<AckedWrite>* writes) {
  writes->clear();
  uint64_t lines = 0;
  uint64_t ended = 0;
  // By their numbers, which a later run gives again.
  std::unordered_map<uint64_t, size_t> open;
  return ReadAckLines(path, format, [&](const AckLine& line) {
    const uint64_t at = lines++;
    const uint64_t number = line.numbers.front();
    if (line.begun) {
      open[number] = writes->size();
      writes->push_back({line.numbers, {}, at, {}, 0});
    } else if (const auto begun = open.find(number); begun != open.end()) {
      AckedWrite& write = (*writes)[begun->second];
      write.acknowledged = line.numbers;
      write.end = at;
      write.number = ended++;
      open.erase(begun);
    }
    return true;
  });
}

}  // namespace waltax
