#include "tpcc/ack_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

namespace waltax::tpcc {

namespace {

// Takes a number and the character behind it off the front of `text`.
template <typename Number>
bool TakeNumber(std::string_view* text, char end, Number* number) {
  const char* const last = text->data() + text->size();
  const auto parsed = std::from_chars(text->data(), last, *number);
  if (parsed.ec != std::errc() || parsed.ptr == last || *parsed.ptr != end) {
    return false;
  }
  text->remove_prefix(static_cast<size_t>(parsed.ptr - text->data()) + 1);
  return true;
}

bool TakeLine(std::string_view* text, AcknowledgedOrder* order) {
  return TakeNumber(text, ' ', &order->w_id) &&
         TakeNumber(text, ' ', &order->d_id) &&
         TakeNumber(text, ' ', &order->o_id) &&
         TakeNumber(text, '\n', &order->c_id);
}

}  // namespace

Status AckLog::Open(const std::string& path, std::unique_ptr<AckLog>* log) {
  const int fd =
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) {
    return Status::Usage(fmt::format("--ack-log: {} cannot be written: {}",
                                     path, std::strerror(errno)));
  }
  log->reset(new AckLog(fd, path));
  return Status::Ok();
}

AckLog::~AckLog() { close(fd_); }

Status AckLog::Append(const AcknowledgedOrder& order) {
  std::array<char, 64> line;
  const auto end =
      fmt::format_to_n(line.data(), line.size(), "{} {} {} {}\n", order.w_id,
                       order.d_id, order.o_id, order.c_id);
  const ssize_t written = write(fd_, line.data(), end.size);
  if (written == static_cast<ssize_t>(end.size)) return Status::Ok();
  return Status::Failed(
      fmt::format("acknowledgement log {}: {}", path_,
                  written < 0 ? std::strerror(errno) : "no space left"));
}

Status ReadAckLog(const std::string& path,
                  std::vector<AcknowledgedOrder>* orders) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Status::Usage(fmt::format("--acks: {} cannot be read", path));
  }
  const std::string content(std::istreambuf_iterator<char>(file), {});
  std::string_view text(content);
  text = text.substr(0, text.rfind('\n') + 1);
  orders->clear();
  while (!text.empty()) {
    AcknowledgedOrder order;
    if (!TakeLine(&text, &order)) {
      return Status::Usage(
          fmt::format("--acks: {} line {}: want warehouse, district, order and "
                      "customer as four numbers",
                      path, orders->size() + 1));
    }
    orders->push_back(order);
  }
  return Status::Ok();
}

}  // namespace waltax::tpcc
