#include "driver/sql/bulk_loader.h"

#include <array>
#include <map>

namespace waltax::mariadb {
namespace {

// A round trip carries this much: its own cost is then lost among the rows'.
constexpr size_t kRoundTripBytes = size_t{8} << 20;

// The server sorts secondary keys in runs of this size. Each file's buffers are
// touched from end to end: with the default of 64 MB that alone takes 80 ms of
// CPU for each chunk, and the sort of a long one is no faster for it. The
// settings take effect in this order, which the last one wants.
constexpr char kBeginFiles[] =
    "SET SESSION rocksdb_merge_buf_size = 4194304, "
    "SESSION rocksdb_bulk_load_allow_sk = 1, SESSION rocksdb_bulk_load = 1";

// The character behind the backslash for a byte that LOAD DATA would not take
// for itself; 0 for all others.
constexpr std::array<char, 256> kEscaped = [] {
  std::array<char, 256> letters{};
  letters['\t'] = 't';
  letters['\n'] = 'n';
  letters['\\'] = '\\';
  letters['\0'] = '0';
  return letters;
}();

// MyRocks keeps the files of a bulk load with an opened table, which goes back
// to the server's cache of tables after every statement. Another connection
// that loads rows meanwhile may get it, and writes into the same files.
std::mutex& TurnOf(const std::string& table) {
  static std::mutex mutex;
  static std::map<std::string, std::mutex> turns;
  const std::scoped_lock lock(mutex);
  return turns[table];
}

}  // namespace

BulkLoader::BulkLoader(Connection* connection, const std::string& engine,
                       const std::vector<BulkTable>& tables)
    : connection_(*connection), sorted_files_(engine == "myrocks") {
  for (const BulkTable& table : tables) tables_.push_back({table});
}

void BulkLoader::Text(std::string_view bytes) {
  std::string& lines = current_->lines;
  size_t copied = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char letter = kEscaped[static_cast<unsigned char>(bytes[i])];
    if (letter == 0) [[likely]]
      continue;
    lines.append(bytes.substr(copied, i - copied)).append({'\\', letter});
    copied = i + 1;
  }
  lines.append(bytes.substr(copied)).push_back('\t');
}

void BulkLoader::EndRow() {
  current_->lines.back() = '\n';  // in place of the last column's end
  if (current_->lines.size() >= kRoundTripBytes) Send(current_);
}

void BulkLoader::Keep(const SqlStatus& status, const std::string& operation) {
  if (!status.ok() && status_.ok()) status_ = Explained(status, operation);
}

void BulkLoader::BeginFiles(const Table& table) {
  if (!sorted_files_ || filed_ == &table) return;
  EndFiles();
  if (!status_.ok()) return;
  turn_ = std::unique_lock(TurnOf(table.to.name));
  filed_ = &table;
  Keep(connection_.Execute(kBeginFiles), "begin a bulk load");
}

void BulkLoader::EndFiles() {
  if (filed_ == nullptr) return;
  // After a failure, too: the connection may have more chunks to load.
  Keep(connection_.Execute("SET SESSION rocksdb_bulk_load = 0"),
       "ingest the rows of a bulk load");
  filed_ = nullptr;
  turn_ = {};
}

void BulkLoader::Send(Table* table) {
  if (table->lines.empty()) return;
  if (status_.ok()) BeginFiles(*table);
  if (status_.ok()) {
    const std::string sql = fmt::format(
        "LOAD DATA LOCAL INFILE 'rows' INTO TABLE {} CHARACTER SET binary "
        "FIELDS TERMINATED BY '\\t' ESCAPED BY '\\\\' LINES TERMINATED BY "
        "'\\n' ({})",
        table->to.name, table->to.columns);
    Keep(connection_.LoadData(sql, table->lines),
         "load rows into " + table->to.name);
  }
  table->lines.clear();
}

Status BulkLoader::Finish() {
  for (Table& table : tables_) Send(&table);
  EndFiles();
  return status_;
}

}  // namespace waltax::mariadb
