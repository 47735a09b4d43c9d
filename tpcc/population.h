// The initial rows of every table (clause 4.3.3.1), as RocksDB has them.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "driver/table/load.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

using table::RowSink;

struct PopulationOptions {
  uint32_t warehouses = 1;
  // The same seed and time give the same rows.
  uint64_t seed = 1;
  // When customers, payments and orders are from. REQUIRES: not 0 (NULL).
  Timestamp loaded_at_ms = 1;
  // Of NEW-ORDER, which a server's table does not have (keys.h).
  bool low_water_marks = true;
};

// The C by which the last names of a population are drawn ("C-Load", clause
// 2.1.6.1). A run needs it to choose its own.
uint32_t LastNameConstant(uint64_t seed);

// Writes the rows of a chunk, which depend on nothing but the options and its
// number. Chunk 0 has the rows that sort before those of warehouse 1: all
// warehouses, districts and items. Chunk w has all else of warehouse w. Any
// number of threads may do so at a time, each with its own sink.
void WriteChunk(const PopulationOptions& options, uint64_t chunk,
                RowSink* sink);

// The whole population.
table::Load LoadOf(const PopulationOptions& options, int threads);

// What the data set says about itself, wherever that is kept.
nlohmann::json ToRecord(const PopulationOptions& options,
                        const LoadedRows& loaded);

// What a run must know of it.
struct DataSet {
  uint32_t warehouses = 0;
  uint32_t c_last = 0;  // C-Load: a run chooses its own by it
};
// False when `record` does not say it.
bool FromRecord(const nlohmann::json& record, DataSet* data_set);

}  // namespace waltax::tpcc
