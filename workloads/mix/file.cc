#include "workloads/mix/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace waltax::mix {

namespace {

constexpr uint64_t kFewest = 10;  // rows that scaling leaves

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Size, low, high, steps)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Column, name, type, size, bytes,
                                                compressibility, low, high,
                                                references, set, renewed, added,
                                                counter, raised, head,
                                                length_bytes, fixed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Key, bytes, hashed, fnv,
                                                is_text, digits, prefix,
                                                columns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Index, name, columns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Table, name, rows, loaded,
                                                ordered, shared, key, columns,
                                                stored, key_bytes, family,
                                                indexes, inserted, put, deleted,
                                                create, sql_name, sql_columns,
                                                scans)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Draw, table, choice, constant,
                                                share, accesses, known, first,
                                                misses, low, high, count, ycsb,
                                                room, at)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Assignment, column, number,
                                                draw, negative)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Scan, index, covered, from,
                                                equal, column, of_row,
                                                descending, limit, most)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Step, verb, table, rows, at,
                                                columns, one_by_one, lock, pick,
                                                scan, set, add, place, indexes,
                                                unlocked, last, multi, sql,
                                                as_text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Operation, name, up_to, commit,
                                                draws, steps, row_at,
                                                wants_rows)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(LoadShape, clients, rate,
                                                arrivals, think_time_ms, ramp_s,
                                                pool)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Mix, unit, families, tables,
                                                operations, load, most_values,
                                                digest)

void Parse(std::string_view text, Mix* mix) {
  *mix = nlohmann::json::parse(text).get<Mix>();
}

Status Read(const std::string& path, double scale, Mix* mix) {
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  try {
    Parse(text, mix);
  } catch (const nlohmann::json::exception& error) {
    return Status::Usage(fmt::format(
        "--file: found \"{}\" ({}), want what `waltax workload FILE --json` "
        "prints",
        path, error.what()));
  }
  for (Table& table : mix->tables) {
    if (table.rows == 0) continue;
    const double rows = static_cast<double>(table.rows) * scale;
    table.rows = std::max(std::min(table.rows, kFewest),
                          static_cast<uint64_t>(std::llround(rows)));
  }
  return Status::Ok();
}

}  // namespace waltax::mix
