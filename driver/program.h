// What the main() of every workload's program needs.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/flags.h"
#include "driver/status.h"
#include "driver/workload.h"

namespace waltax {

// One line on stdout, flushed, because whoever reads it waits for it.
void PrintEvent(const nlohmann::json& event);

double SecondsSince(std::chrono::steady_clock::time_point start);

// Of the whole process so far.
double CpuSeconds();

// Fails (usage) with a store that keeps nothing when its process ends: `load`
// and `check` are about data that does.
Status WantLastingStore(const EngineFlags& flags, const char* command);

// Creates `db_dir`; fails (usage) when it holds anything: that may be someone's
// data set.
Status WantEmptyDirectory(const std::string& db_dir);

// Prints the `check` event; returns the exit code, 1 when it found violations.
int PrintCheck(const CheckResult& result, double seconds);

}  // namespace waltax
