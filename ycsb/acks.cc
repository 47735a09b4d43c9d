#include "ycsb/acks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "driver/findings.h"

namespace waltax::ycsb {

namespace {

constexpr AckFormat kAcks = {"the number of a record", 1};

}  // namespace

Status OpenAckLog(const std::string& path, std::unique_ptr<AckLog>* log) {
  return AckLog::Open(path, kAcks, log);
}

Status Append(uint64_t number, AckLog* log) {
  return log->Acknowledge({number});
}

Status ReadAckLog(const std::string& path, std::vector<uint64_t>* numbers) {
  numbers->clear();
  return ReadAckLines(path, kAcks, [numbers](const AckLine& line) {
    numbers->push_back(line.numbers.front());
    return true;
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
