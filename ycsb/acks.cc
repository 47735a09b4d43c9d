#include "ycsb/acks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "driver/findings.h"

namespace waltax::ycsb {

namespace {

bool TakeAck(std::string_view line, uint64_t* number) {
  return TakeNumber(&line, '\n', number) && line.empty();
}

constexpr AckFormat kAcks = {[](std::string_view line) {
                               uint64_t number = 0;
                               return TakeAck(line, &number);
                             },
                             "0123456789", 21};

}  // namespace

Status OpenAckLog(const std::string& path, std::unique_ptr<AckLog>* log) {
  return AckLog::Open(path, kAcks, log);
}

Status Append(uint64_t number, AckLog* log) {
  return log->Append(fmt::format("{}\n", number));
}

Status ReadAckLog(const std::string& path, std::vector<uint64_t>* numbers) {
  numbers->clear();
  return ReadAckLines(path, "the number of a record",
                      [numbers](std::string_view line) {
                        return TakeAck(line, &numbers->emplace_back());
                      });
}

Status CheckAcknowledged(const std::vector<uint64_t>& numbers,
                         const KeyFormat& keys, Session* session,
                         CheckResult* result) {
  Findings findings;
  findings.Acknowledged(numbers.size());
  std::string key;
  Row row;
  for (size_t i = 0; i < numbers.size(); ++i) {
    keys.Write(numbers[i], &key);
    const Reply reply = session->Read(key, std::nullopt, &row);
    if (reply.error != nullptr) return Status::Failed(*reply.error);
    if (reply.found) continue;
    findings.Lost(i, fmt::format("acknowledged: {} is lost, number {} of {}",
                                 key, i, numbers.size()));
  }
  CheckResult told;
  const Status status = findings.Take(&told);
  result->violation_count += told.violation_count;
  std::move(told.violations.begin(), told.violations.end(),
            std::back_inserter(result->violations));
  result->acknowledged = told.acknowledged;
  return status;
}

}  // namespace waltax::ycsb
