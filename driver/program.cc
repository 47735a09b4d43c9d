#include "driver/program.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "driver/report.h"

namespace waltax {

void PrintEvent(const nlohmann::json& event) {
  // Texts may hold keys that are not UTF-8.
  std::cout << event.dump(-1, ' ', false,
                          nlohmann::json::error_handler_t::replace)
            << std::endl;
}

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) +
           1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Status WantLastingStore(const EngineFlags& flags, const char* command) {
  if (flags.store != "memory" && flags.store != "null") return Status::Ok();
  return Status::Usage(
      fmt::format("--store: found \"{}\" with {}, want one of: rocksdb myrocks "
                  "innodb; the others keep nothing when their process ends",
                  flags.store, command));
}

Status WantEmptyDirectory(const std::string& db_dir) {
  if (db_dir.empty()) {
    return Status::Usage("--db: found nothing, want a new or empty directory");
  }
  std::error_code error;
  if (!std::filesystem::exists(db_dir, error)) {
    std::filesystem::create_directories(db_dir, error);
    if (!error) return Status::Ok();
    return Status::Usage(
        fmt::format("--db: {} cannot be created: {}", db_dir, error.message()));
  }
  if (std::filesystem::is_empty(db_dir, error) && !error) return Status::Ok();
  return Status::Usage(
      fmt::format("--db: found {} not empty, want a new or empty directory; "
                  "remove it to load again",
                  db_dir));
}

int PrintCheck(const CheckResult& result, double seconds) {
  PrintEvent(CheckEvent(result, seconds));
  return result.violation_count == 0 ? 0 : 1;
}

}  // namespace waltax
