#include "mariadb/analyze.h"

#include <fmt/format.h>

#include <vector>

namespace waltax::mariadb {

Status AnalyzeTables(Connection& connection, const std::string& tables) {
  const std::string operation = "analyze " + tables;
  // Table, operation, kind of message, message.
  std::vector<std::vector<std::string>> said;
  const SqlStatus status = connection.Query("ANALYZE TABLE " + tables, &said);
  if (!status.ok()) return Explained(status, operation);
  for (const auto& row : said) {
    if (row[2] != "Error") continue;
    return Status::Failed(
        fmt::format("cannot {}: {}: {}", operation, row[0], row[3]));
  }
  return Status::Ok();
}

}  // namespace waltax::mariadb
