#include "engines/builds/layout.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>

#include "rocksdb/convenience.h"
#include "rocksdb/options.h"

namespace waltax::builds {
namespace {

// How many bytes the library's constructor writes: those that two fills of the
// memory below do not both survive. The destructor is not called: where the
// layouts differ, it would free what is none.
template <typename Options>
size_t Written() {
  constexpr size_t kRoom = 4 * sizeof(Options);
  size_t written = 0;
  for (const unsigned char fill : {0xa5, 0x5a}) {
    struct alignas(alignof(std::max_align_t)) Room {
      std::array<unsigned char, kRoom> bytes;
    };
    // Leaked with what the options point at, once in a process that ends soon.
    auto* const room = new Room;
    room->bytes.fill(fill);
    new (room->bytes.data()) Options();
    for (size_t i = 0; i < kRoom; ++i) {
      if (room->bytes[i] != fill) written = std::max(written, i + 1);
    }
  }
  return written;
}

// The end of the last member is followed by padding, which nobody writes.
template <typename Options>
std::string SizeContradiction(const char* name) {
  const size_t written = Written<Options>();
  const size_t size =
      (written + alignof(Options) - 1) / alignof(Options) * alignof(Options);
  if (size == sizeof(Options)) return "";
  return std::string(name) + " takes " + std::to_string(sizeof(Options)) +
         " bytes in the headers and " + std::to_string(size) +
         " in the library";
}

// What the headers set, the library must read under the same names.
std::string NameContradiction() {
  rocksdb::DBOptions db;
  db.max_open_files = 1234;
  db.wal_bytes_per_sync = 4321;
  db.manual_wal_flush = true;
  rocksdb::ColumnFamilyOptions family;
  family.write_buffer_size = 7654321;
  family.max_write_buffer_number = 17;
  family.ttl = 98765;
  std::string text;
  std::string more;
  if (!rocksdb::GetStringFromDBOptions(&text, db).ok() ||
      !rocksdb::GetStringFromColumnFamilyOptions(&more, family).ok()) {
    return "the library cannot name the options";
  }
  text += more;
  for (const char* const said :
       {"max_open_files=1234", "wal_bytes_per_sync=4321",
        "manual_wal_flush=true", "write_buffer_size=7654321",
        "max_write_buffer_number=17", "ttl=98765"}) {
    if (text.find(said) == std::string::npos) {
      return std::string("the library does not read ") + said +
             " of options that the headers set so";
    }
  }
  return "";
}

}  // namespace

std::string LayoutContradiction() {
  for (const std::string& found :
       {SizeContradiction<rocksdb::DBOptions>("DBOptions"),
        SizeContradiction<rocksdb::ColumnFamilyOptions>(
            "ColumnFamilyOptions")}) {
    if (!found.empty()) return found;
  }
  return NameContradiction();
}

}  // namespace waltax::builds
