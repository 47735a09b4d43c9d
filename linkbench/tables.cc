#include "linkbench/tables.h"

namespace waltax::linkbench {

const std::vector<table::Table>& Tables() {
  using table::ColumnsOf;
  using table::KeyPart;
  const KeyPart id1 = {"id1", 8, "id1"};
  const KeyPart id2 = {"id2", 8, "id2"};
  const KeyPart type = {"link_type", 8, "type"};
  // The index runs through all types of an id, and has what a list read wants.
  // It sorts backwards in MyRocks: the newest link of a pair comes first in a
  // forward scan.
  static const std::vector<table::Table> tables = {
      {.name = "links",
       .server = "linktable",
       .prefix = "",
       .key = {id1, type, id2},
       .columns = ColumnsOf<LinkValue>(),
       .indexes = {{.name = "id1_type",
                    .columns =
                        "id1, link_type, visibility, time, id2, version, data",
                    .reversed = true,
                    .after_load = true}},
       .lead = 1},
      {.name = "index",
       .server = "linktable",
       .prefix = "",
       .key = {id1,
               type,
               {"visibility", 1},
               {.name = "time", .bytes = 8, .largest_first = true},
               id2},
       .columns = ColumnsOf<IndexValue>(),
       .index = "id1_type"},
      {.name = "counts",
       .server = "counttable",
       .prefix = "",
       .key = {{"id", 8, "id1"}, type},
       .columns = ColumnsOf<CountValue>()},
      {.name = "nodes",
       .server = "nodetable",
       .prefix = "",
       .key = {{.name = "id",
                .bytes = 8,
                .label = "id",
                .sql = " AUTO_INCREMENT"}},
       .columns = ColumnsOf<NodeValue>()}};
  return tables;
}

}  // namespace waltax::linkbench
