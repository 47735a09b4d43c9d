// rocksdb_facts: what headers and library of a RocksDB say of themselves, and
// whether they get along, as one JSON object on stdout:
//
//   {"headers": "7.8.3", "library": "7.8.3"}
//
// It compares the sizes of options, opens a database in memory, writes to it
// as a synced commit does, opens it again and reads. Exit code 1, with the
// reason on stderr, when that fails.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <new>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/version.h"

namespace {

constexpr char kPath[] = "/facts";

// A sentence where the library's constructor writes another number of bytes
// than the headers say: those that two fills of the memory below do not both
// survive. A library whose options are larger writes beyond the headers', so
// that this comes before a database is opened. The destructor is not called:
// where the layouts differ, it would free what is none.
template <typename Options>
std::string SizeContradiction(const char* name) {
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
  // The end of the last member is followed by padding, which nobody writes.
  const size_t size =
      (written + alignof(Options) - 1) / alignof(Options) * alignof(Options);
  if (size == sizeof(Options)) return "";
  return std::string(name) + " takes " + std::to_string(sizeof(Options)) +
         " bytes in the headers and " + std::to_string(size) +
         " in the library";
}

std::string HeadersRelease() {
  return std::to_string(ROCKSDB_MAJOR) + "." + std::to_string(ROCKSDB_MINOR) +
         "." + std::to_string(ROCKSDB_PATCH);
}

// Older releases hand over a plain pointer, and 11.8 only an
// owner; a template, so that what a release does not have is not compiled.
template <typename Db>
rocksdb::Status Open(rocksdb::Env* env, std::unique_ptr<Db>* db) {
  rocksdb::Options options;
  options.env = env;
  options.create_if_missing = true;
  if constexpr (requires { Db::Open(options, kPath, db); }) {
    return Db::Open(options, kPath, db);
  } else {
    Db* opened = nullptr;
    rocksdb::Status status = Db::Open(options, kPath, &opened);
    db->reset(opened);
    return status;
  }
}

rocksdb::Status WriteAndReadBack(rocksdb::Env* env) {
  std::unique_ptr<rocksdb::DB> db;
  rocksdb::Status status = Open(env, &db);
  if (!status.ok()) return status;
  rocksdb::WriteOptions synced;
  synced.sync = true;
  status = db->Put(synced, "key", "value");
  if (!status.ok()) return status;
  db.reset();
  status = Open(env, &db);
  if (!status.ok()) return status;
  std::string value;
  status = db->Get(rocksdb::ReadOptions(), "key", &value);
  if (status.ok() && value != "value") {
    return rocksdb::Status::Corruption("read \"" + value +
                                       "\", wrote \"value\"");
  }
  return status;
}

}  // namespace

int main() {
  // First what they say: releases that differ may crash below.
  const std::string headers = HeadersRelease();
  const std::string library = rocksdb::GetRocksVersionAsString();
  if (headers == library) {
    for (const std::string& found :
         {SizeContradiction<rocksdb::DBOptions>("DBOptions"),
          SizeContradiction<rocksdb::ColumnFamilyOptions>(
              "ColumnFamilyOptions")}) {
      if (found.empty()) continue;
      std::fprintf(stderr, "%s\n", found.c_str());
      return 1;
    }
    const std::unique_ptr<rocksdb::Env> env(
        rocksdb::NewMemEnv(rocksdb::Env::Default()));
    const rocksdb::Status status = WriteAndReadBack(env.get());
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", status.ToString().c_str());
      return 1;
    }
  }
  std::printf("{\"headers\": \"%s\", \"library\": \"%s\"}\n", headers.c_str(),
              library.c_str());
  return 0;
}
