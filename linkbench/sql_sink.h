// The rows of a chunk of ids on their way into the tables of a server.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "linkbench/graph_sink.h"
#include "mariadb/bulk_loader.h"
#include "mariadb/connection.h"

namespace waltax::linkbench {

// Nodes and counts are sent as they come. Links wait for Finish(), by type: the
// primary key of linktable begins with the type, so that the rows of a chunk
// are as many stretches of the table as there are types, and MyRocks takes only
// stretches that no other bulk load reaches into.
class SqlSink : public GraphSink {
 public:
  // The connection is nobody else's until Finish().
  SqlSink(mariadb::Connection* connection, const std::string& engine);

  void Node(uint64_t id, const NodeValue& value) override;
  void Links(uint64_t id1, uint64_t type, const LinkRows& links,
             uint64_t newest) override;
  [[nodiscard]] bool ok() const override { return rows_.status().ok(); }
  // Sends the rest; returns with all rows in the tables.
  Status Finish();

  [[nodiscard]] uint64_t nodes() const { return rows_.rows(kNodeTable); }
  [[nodiscard]] uint64_t counts() const { return rows_.rows(kCountTable); }
  [[nodiscard]] uint64_t links() const { return links_; }  // that were sent
  [[nodiscard]] uint64_t bytes() const { return bytes_; }

 private:
  static constexpr size_t kNodeTable = 0;
  static constexpr size_t kCountTable = 1;

  // The links of one type; those of an id1 are next to each other.
  struct TypeLinks {
    struct Owner {
      uint64_t id1;
      size_t links;
    };
    std::vector<Owner> owners;
    LinkRows rows;
  };

  Status SendLinks(uint64_t type, const TypeLinks& links);

  mariadb::Connection* connection_;
  std::string engine_;
  mariadb::BulkLoader rows_;
  std::map<uint64_t, TypeLinks> by_type_;
  uint64_t links_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace waltax::linkbench
