// What a mix is: tables, and operations on them. Every name in it is resolved
// to a place, so that a run looks nothing up. Its file is the JSON that
// workloads/mix/compiled.py makes of what a person wrote, and has judged:
// its names are those of the members here, and words of a choice are numbers
// in the order of the enums.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/status.h"

namespace waltax::mix {

inline constexpr size_t kNone = SIZE_MAX;

inline bool Has(const std::vector<size_t>& places, size_t place) {
  return std::find(places.begin(), places.end(), place) != places.end();
}

// The bytes of a text, each between `low` and `high`.
struct Size {
  uint32_t low = 100;
  uint32_t high = 100;
  // A size, and the share of those up to it; none: all are equally likely.
  std::vector<std::pair<uint32_t, double>> steps;
};

enum class Type : uint8_t { kInt, kText, kBytes };

struct Column {
  std::string name;
  Type type = Type::kText;
  Size size;                   // of a text
  uint32_t bytes = 0;          // of a number: 1, 2, 4 or 8
  double compressibility = 0;  // the share of a text that repeats the rest
  int64_t low = 0;             // a number that nobody set lies between these
  int64_t high = 0;
  size_t references = kNone;  // a table whose keys it holds
  // What steps do to it; from that follows what a check may want of it.
  bool set = false;      // to a value that a check cannot know
  bool renewed = false;  // a text that an update wrote anew
  bool added = false;
  bool counter = false;  // what was added to all rows can be told
  bool raised = false;   // and is never lowered
  // How RocksDB has a text: behind its name and its length, behind its length
  // in so many bytes, or with 0 of them as long as all are, or the rest is.
  std::string head;
  size_t length_bytes = 0;
  bool fixed = true;
};

// One number for each row, in so many bytes, behind the columns that it begins
// with: those follow from the row's number and are not stored beside it.
struct Key {
  uint32_t bytes = 8;
  bool hashed = false;
  bool fnv = false;      // hashed as YCSB does
  bool is_text = false;  // `prefix` and at least so many digits
  int digits = 1;
  std::string prefix;  // of a text, and of any key on Redis
  std::vector<size_t> columns;
};

struct Index {
  std::string name;
  std::vector<size_t> columns;
};

struct Table {
  std::string name;
  uint64_t rows = 0;
  bool loaded = true;    // else it begins empty, and `rows` can be put
  bool ordered = false;  // a server without an order has an index of the keys
  bool shared = false;   // other mixes change rows, too, before and after
  Key key;
  std::vector<Column> columns;
  std::vector<size_t> stored;  // that are no part of the key
  size_t key_bytes = 8;        // of all of it, unless it is a text
  size_t family = 1;           // in RocksDB; its indexes have those that follow
  std::vector<Index> indexes;
  // By any step.
  bool inserted = false;
  bool put = false;
  bool deleted = false;
  // What a server is sent of it.
  std::map<std::string, std::string> create;  // by engine
  std::string sql_name;
  std::string sql_columns;         // of a load, the id first
  std::vector<std::string> scans;  // by the key, then by each index alone

  [[nodiscard]] uint64_t loaded_rows() const { return loaded ? rows : 0; }
};

enum class Choice : uint8_t {
  kUniform,
  kZipfian,      // some rows, anywhere, are asked for much more often
  kLatest,       // the same of the newest
  kHotspot,      // a share of the rows has a share of the accesses
  kExponential,  // the newer, the more often
  kSequential,   // one after the other, over all clients
  kShuffled,     // each once, far from the one before, over all clients
};

// What an operation is about: rows of a table, or numbers.
struct Draw {
  size_t table = kNone;  // kNone: numbers from `low` to `high`
  Choice choice = Choice::kUniform;
  double constant = 0.99;  // of zipfian and latest
  double share = 0;        // of the rows, which have ...
  double accesses = 0;     // ... this share of the accesses
  double known = 1;        // the share of the loaded rows that are drawn
  uint64_t first = 0;      // only so many rows are drawn; 0: all
  double misses = 0;       // the share that names no row
  int64_t low = 1;         // with `high` below it: no number
  int64_t high = 0;
  size_t count = 1;
  bool ycsb = false;  // as YCSB's generators draw
  double room = 0;    // that its zipfian leaves for new rows, a share of all
  size_t at = 0;      // where its values stand among those of the operation

  [[nodiscard]] bool is_row() const { return table != kNone; }
};

// What a column is set to, or what is added: a number, or what was drawn, of
// which a text is only written anew.
struct Assignment {
  size_t column = kNone;
  int64_t number = 0;
  size_t draw = kNone;
  bool negative = false;
};

// Those that write come last, see `Step::writes`.
enum class Verb : uint8_t { kGet, kScan, kInsert, kPut, kUpdate, kDelete };

// What a scan goes by: the key, an index, or a column that has none.
struct Scan {
  size_t index = kNone;
  bool covered = false;  // whose entries have all that is read
  size_t from = kNone;   // a draw: where it begins
  // `from` is a value of this, the first column, and only rows with it are
  // read: what was drawn, or what a row of this table has had from the start.
  bool equal = false;
  size_t column = kNone;
  bool of_row = false;
  bool descending = false;
  uint64_t limit = 0;   // 0: all
  size_t most = kNone;  // a draw: the limit
};

struct Step {
  Verb verb = Verb::kGet;
  size_t table = kNone;
  size_t rows = 0;  // of all its draws, or that are inserted
  // Where the first of them stands among the values of the operation; the
  // others stand behind it, or of an insert follow in number.
  size_t at = 0;
  std::vector<size_t> columns;  // that are read; none: all
  bool one_by_one = false;      // several rows by as many calls
  bool lock = false;            // rows that are read, until the commit
  // A draw: which of `set`, or of `columns` where nothing is set; else all.
  size_t pick = kNone;
  Scan scan = {};
  std::vector<Assignment> set;
  std::vector<Assignment> add;
  size_t place = 0;             // among all steps of the mix
  std::vector<size_t> indexes;  // whose entries it may change
  bool unlocked = false;        // commits alone, and nobody else can be at it
  bool last = false;   // no other row and no other step reads what it writes
  bool multi = false;  // begins a commit of several commands of Redis's
  // Of a step that picks a column, a statement for each.
  std::vector<std::string> sql;
  bool as_text = false;  // is not to be prepared (Statement::Sent::kAsText)

  [[nodiscard]] bool writes() const { return verb >= Verb::kInsert; }
  // That it may write.
  [[nodiscard]] size_t most() const { return writes() ? rows : 0; }
};

enum class Commit : uint8_t {
  kEach,         // each step that writes, by itself
  kPessimistic,  // all steps together, with locks
  kOptimistic,   // the same, with a look for conflicts at the end
  kTwoPhase,     // with locks; prepared, then committed
};

struct Operation {
  std::string name;
  double up_to = 1;  // its share of all operations, with those before it
  Commit commit = Commit::kEach;
  std::vector<Draw> draws;
  std::vector<Step> steps;
  size_t row_at = 0;       // where the row stands that it is about
  bool wants_rows = true;  // that it asks for and does not find are lost

  [[nodiscard]] bool writes() const {
    for (const Step& step : steps) {
      if (step.writes()) return true;
    }
    return false;
  }
};

// How clients come. What a command line says goes before.
struct LoadShape {
  uint64_t clients = 0;  // 0: not said
  double rate = 0;       // operations/s of all together; 0: a closed loop
  std::string arrivals = "poisson";  // or "fixed"
  double think_time_ms = 0;          // between two operations of a client
  double ramp_s = 0;  // over which they begin, one after the other
  uint64_t pool = 0;  // connections that they share; 0: one for each
};

struct Mix {
  std::string unit = "operations/s";
  // "default" for the record of the data set, then each table with its indexes.
  std::vector<std::string> families;
  std::vector<Table> tables;
  std::vector<Operation> operations;
  LoadShape load;
  size_t most_values = 0;  // of an operation: drawn, and rows it inserts
  std::string digest;      // of what the tables hold

  [[nodiscard]] bool optimistic() const {
    return !operations.empty() &&
           operations.front().commit == Commit::kOptimistic;
  }
};

// Reads a file, and multiplies the rows of all tables by `scale`. Errors: a
// usage error that names the flag.
Status Read(const std::string& path, double scale, Mix* mix);
void Parse(std::string_view text, Mix* mix);

}  // namespace waltax::mix
