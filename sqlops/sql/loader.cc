#include "sqlops/sql/loader.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include "driver/loaded_flags.h"
#include "mariadb/bulk_loader.h"
#include "mariadb/data_set_record.h"
#include "mariadb/parallel_load.h"
#include "mariadb/settle.h"
#include "sqlops/student.h"

namespace waltax::sqlops {

namespace {

constexpr char kWorkload[] = "sqlops";
constexpr char kColumns[] =
    "s_id, s_name, s_dob, s_addr, s_mobno, s_email, s_sub1, s_sub2, s_sub3";
constexpr uint64_t kChunk = 16384;  // students of one step

void AddRow(const Student& student, mariadb::BulkLoader* loader) {
  loader->BeginRow(0);
  loader->Number(student.id);
  loader->Text(student.name);
  loader->Text(student.dob);
  loader->Text(student.addr);
  loader->Number(student.mobno);
  loader->Text(student.email);
  for (const uint64_t sub : student.sub) loader->Number(sub);
  loader->EndRow();
}

Status LoadRows(const SqlPlace& place, const DataOptions& data,
                const Students& students, int threads,
                const std::function<void(const Loaded&)>& report,
                Loaded* loaded) {
  std::mutex mutex;  // of `loaded`
  const auto load = [&](uint64_t step, mariadb::Connection& connection) {
    mariadb::BulkLoader loader(&connection, place.engine,
                               {{"student", kColumns}});
    const uint64_t end = std::min(data.students, (step + 1) * kChunk);
    Student student;
    for (uint64_t i = step * kChunk; i < end && loader.status().ok(); ++i) {
      students.Write(i + 1, &student);
      AddRow(student, &loader);
    }
    const Status status = loader.Finish();
    const std::scoped_lock lock(mutex);
    loaded->students += loader.rows(0);
    loaded->bytes += loader.bytes();
    return status;
  };
  const auto report_loaded = [&] {
    std::unique_lock lock(mutex);
    const Loaded so_far = *loaded;
    lock.unlock();
    report(so_far);
  };
  const uint64_t steps = (data.students + kChunk - 1) / kChunk;
  return mariadb::RunParallelLoad(
      {place.server, threads, steps, load, report_loaded});
}

}  // namespace

Status Load(const SqlPlace& place, const DataOptions& data, uint64_t seed,
            int threads, const std::function<void(const Loaded&)>& report,
            Loaded* loaded) {
  *loaded = {};
  std::unique_ptr<mariadb::Connection> connection;
  Status status = mariadb::Connection::Open(place.server, &connection);
  if (status.ok()) status = mariadb::WantEmptyDatabase(*connection);
  if (status.ok()) status = CreateTables(*connection, place, data.refers());
  if (!status.ok()) return status;
  const Students students(seed, data.compression_ratio);
  status = LoadRows(place, data, students, threads, report, loaded);
  if (status.ok()) {
    status = mariadb::Settle(*connection, place.engine, "student");
  }
  if (!status.ok()) return status;
  return mariadb::WriteDataSetRecord(*connection, place.engine, kWorkload,
                                     kSchemaVersion,
                                     {{"seed", seed}, {"data", ToJson(data)}});
}

Status VerifyDataSet(mariadb::Connection& connection, const SqlPlace& place,
                     const DataOptions& data, uint64_t* seed) {
  nlohmann::json record;
  const Status status = mariadb::ReadDataSetRecord(connection, kWorkload,
                                                   kSchemaVersion, &record);
  if (!status.ok()) return status;
  *seed = record.value("seed", uint64_t{0});
  return CompareLoadedFlags(record.value("data", nlohmann::json::object()),
                            ToJson(data), place.Name());
}

}  // namespace waltax::sqlops
