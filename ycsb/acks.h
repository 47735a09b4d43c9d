// The acknowledgement log of a run (driver/ack_log.h): the number of each
// record whose insert was acknowledged, a line each.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/ack_log.h"
#include "driver/status.h"
#include "driver/workload.h"
#include "ycsb/keys.h"
#include "ycsb/store.h"

namespace waltax::ycsb {

Status OpenAckLog(const std::string& path, std::unique_ptr<AckLog>* log);
Status Append(uint64_t number, AckLog* log);
Status ReadAckLog(const std::string& path, std::vector<uint64_t>* numbers);

// Adds what became of these records to a check.
Status CheckAcknowledged(const std::vector<uint64_t>& numbers,
                         const KeyFormat& keys, Session* session,
                         CheckResult* result);

}  // namespace waltax::ycsb
