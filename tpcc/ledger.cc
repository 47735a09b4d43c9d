#include "tpcc/ledger.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <mutex>
#include <string_view>

#include "tpcc/keys.h"
#include "tpcc/row_codec.h"

namespace waltax::tpcc {

namespace {

// Takes a number and the character behind it off the front of `text`.
template <typename Number>
bool TakeNumber(std::string_view* text, char end, Number* number) {
  const auto parsed =
      std::from_chars(text->data(), text->data() + text->size(), *number);
  const auto digits = static_cast<size_t>(parsed.ptr - text->data());
  if (parsed.ec != std::errc() || digits == text->size() ||
      (*text)[digits] != end) {
    return false;
  }
  text->remove_prefix(digits + 1);
  return true;
}

bool TakeLine(std::string_view* text, AcknowledgedOrder* order) {
  return TakeNumber(text, ' ', &order->w_id) &&
         TakeNumber(text, ' ', &order->d_id) &&
         TakeNumber(text, ' ', &order->o_id) &&
         TakeNumber(text, '\n', &order->c_id);
}

// No line is longer: 10, 3, 10 and 10 digits, and what follows each number.
constexpr size_t kLongestLine = 37;

// What a line consists of; the first letters of one that was torn, too.
bool HasOnlyLetters(std::string_view text) {
  return text.find_first_not_of("0123456789 ") == std::string_view::npos;
}

// Whether a file may be continued of which these are the first bytes: another
// file, named by mistake, is somebody's. Without one whole line nothing tells
// a log from the number of a process.
bool BeginsAsLog(std::string_view head) {
  const size_t end = head.find('\n');
  if (end == std::string_view::npos) return head.empty();
  std::string_view line = head.substr(0, end + 1);
  AcknowledgedOrder order;
  return TakeLine(&line, &order) && line.empty();
}

// Returns 0, or errno; `text` is at most `bytes` of the file from `offset` on.
int ReadAt(int fd, off_t offset, size_t bytes, std::string* text) {
  text->resize(bytes);
  const ssize_t got = pread(fd, text->data(), bytes, offset);
  if (got < 0) return errno;
  text->resize(static_cast<size_t>(got));
  return 0;
}

// Cuts off what follows the last line's end. Returns 0, or errno: EINVAL for a
// file that no log has written.
int CutOffTornLine(int fd) {
  struct stat file{};
  if (fstat(fd, &file) != 0) return errno;
  if (!S_ISREG(file.st_mode)) return 0;  // a pipe or a device has no end to cut
  const auto size = std::min<off_t>(file.st_size, kLongestLine);
  std::string head;
  std::string tail;
  int error = ReadAt(fd, 0, kLongestLine, &head);
  if (error == 0) {
    error = ReadAt(fd, file.st_size - size, static_cast<size_t>(size), &tail);
  }
  if (error != 0) return error;
  const size_t end = tail.rfind('\n');
  const bool is_whole_file = size == file.st_size;
  if (end == std::string::npos && !is_whole_file) return EINVAL;
  const std::string torn = tail.substr(end + 1);  // npos + 1 is 0
  if (!BeginsAsLog(head) || !HasOnlyLetters(torn)) return EINVAL;
  if (torn.empty()) return 0;
  const off_t whole = file.st_size - static_cast<off_t>(torn.size());
  return ftruncate(fd, whole) == 0 ? 0 : errno;
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

// Hands on D_NEXT_O_ID of each district.
template <typename Take>
class NextOrders : public RowVisitor {
 public:
  explicit NextOrders(Take take) : take_(take) {}
  void Visit(std::string_view key, std::string_view value) override {
    District district;
    const bool valid = key.size() == sizeof(DistrictKey) &&
                       DecodeRow(value, &district) &&
                       take_(WarehouseOf(key), DistrictOf(key), district);
    valid ? ++read_ : ++unreadable_;
  }
  [[nodiscard]] uint64_t read() const { return read_; }
  [[nodiscard]] uint64_t unreadable() const { return unreadable_; }

 private:
  Take take_;
  uint64_t read_ = 0;
  uint64_t unreadable_ = 0;
};

}  // namespace

Status AckLog::Open(const std::string& path, std::unique_ptr<AckLog>* log) {
  const int fd =
      open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) {
    return Status::Usage(fmt::format("--ack-log: {} cannot be written: {}",
                                     path, std::strerror(errno)));
  }
  log->reset(new AckLog(fd, path));
  const int error = CutOffTornLine(fd);
  if (error == 0) return Status::Ok();
  log->reset();
  return Status::Usage(
      fmt::format("--ack-log: found {}, which cannot be continued ({}), want a "
                  "new file or one that --ack-log wrote",
                  path, std::strerror(error)));
}

AckLog::~AckLog() { close(fd_); }

Status AckLog::Append(const AcknowledgedOrder& order) {
  std::array<char, 64> line;
  const auto end =
      fmt::format_to_n(line.data(), line.size(), "{} {} {} {}\n", order.w_id,
                       order.d_id, order.o_id, order.c_id);
  const std::scoped_lock lock(mutex_);
  if (torn_) return Torn(path_);
  const ssize_t written = write(fd_, line.data(), end.size);
  if (written == static_cast<ssize_t>(end.size)) return Status::Ok();
  if (written < 0) {
    return Status::Failed(
        fmt::format("acknowledgement log {}: {}", path_, std::strerror(errno)));
  }
  torn_ = true;
  return Torn(path_);
}

Status ReadAckLog(const std::string& path,
                  std::vector<AcknowledgedOrder>* orders) {
  std::string content;
  const int error = ReadFile(path, &content);
  if (error != 0) {
    return NotALog(path,
                   fmt::format("cannot be read ({})", std::strerror(error)));
  }
  std::string_view text(content);
  text = text.substr(0, text.rfind('\n') + 1);
  orders->clear();
  while (!text.empty()) {
    AcknowledgedOrder order;
    if (!TakeLine(&text, &order)) {
      return NotALog(path,
                     fmt::format("has in line {} not the four numbers of "
                                 "warehouse, district, order and customer",
                                 orders->size() + 1));
    }
    orders->push_back(order);
  }
  return Status::Ok();
}

Status Ledger::Open(const Store& store, uint32_t warehouses,
                    const std::string& ack_log,
                    std::unique_ptr<Ledger>* ledger) {
  std::unique_ptr<Ledger> opened(new Ledger(warehouses));
  NextOrders visitor([&](uint32_t w, uint8_t d, const District& district) {
    if (w < 1 || w > warehouses || d < 1 || d > kDistricts) return false;
    opened->warehouses_[w - 1].next_o_id[d - 1U] = district.next_o_id;
    return true;
  });
  Status status = store.Scan(Table::kDistrict, {}, &visitor);
  if (!status.ok()) return status;
  const uint64_t want = uint64_t{warehouses} * kDistricts;
  if (visitor.read() != want || visitor.unreadable() != 0) {
    return Status::Failed(fmt::format(
        "district: found {} rows and {} that cannot be read, want {}",
        visitor.read(), visitor.unreadable(), want));
  }
  if (!ack_log.empty()) status = AckLog::Open(ack_log, &opened->ack_log_);
  if (status.ok()) *ledger = std::move(opened);
  return status;
}

Status Ledger::Committed(const AcknowledgedOrder& order) {
  // Only the sum counts, and it is read when all threads are parked.
  warehouses_[order.w_id - 1].next_o_id[order.d_id - 1U].fetch_add(
      1, std::memory_order_relaxed);
  return ack_log_ ? ack_log_->Append(order) : Status::Ok();
}

std::vector<uint32_t> Ledger::ExpectedNextOrders() const {
  std::vector<uint32_t> expected;
  expected.reserve(warehouses_.size() * kDistricts);
  for (const Counts& counts : warehouses_) {
    for (const auto& next_o_id : counts.next_o_id) {
      expected.push_back(next_o_id.load(std::memory_order_relaxed));
    }
  }
  return expected;
}

}  // namespace waltax::tpcc
