#include "linkbench/sql_sink.h"

namespace waltax::linkbench {

SqlSink::SqlSink(mariadb::Connection* connection, const std::string& engine)
    : connection_(connection),
      engine_(engine),
      rows_(connection, engine,
            {{"nodetable", "id, type, version, time, data"},
             {"counttable", "id, link_type, count, time, version"}}) {}

void SqlSink::Node(uint64_t id, const NodeValue& value) {
  rows_.BeginRow(kNodeTable);
  rows_.Number(id);
  rows_.Number(uint64_t{value.type});
  rows_.Number(value.version);
  rows_.Number(uint64_t{value.time});
  rows_.Text(value.data);
  rows_.EndRow();
}

void SqlSink::Links(uint64_t id1, uint64_t type, const LinkRows& links,
                    uint64_t newest) {
  rows_.BeginRow(kCountTable);
  rows_.Number(id1);
  rows_.Number(type);
  rows_.Number(uint64_t{links.size()});
  rows_.Number(newest);
  rows_.Number(uint64_t{0});
  rows_.EndRow();
  TypeLinks& waiting = by_type_[type];
  waiting.owners.push_back({id1, links.size()});
  for (size_t i = 0; i < links.size(); ++i) {
    waiting.rows.Add(links.id2(i), links.value(i));
  }
}

Status SqlSink::Finish() {
  Status status = rows_.Finish();
  bytes_ += rows_.bytes();
  for (const auto& [type, links] : by_type_) {
    if (status.ok()) status = SendLinks(type, links);
  }
  by_type_.clear();
  return status;
}

Status SqlSink::SendLinks(uint64_t type, const TypeLinks& links) {
  mariadb::BulkLoader loader(
      connection_, engine_,
      {{"linktable", "link_type, id1, id2, visibility, version, time, data"}});
  size_t i = 0;
  for (const TypeLinks::Owner& owner : links.owners) {
    for (const size_t end = i + owner.links; i < end; ++i) {
      const LinkValue value = links.rows.value(i);
      loader.BeginRow(0);
      loader.Number(type);
      loader.Number(owner.id1);
      loader.Number(links.rows.id2(i));
      loader.Number(uint64_t{value.visible});
      loader.Number(uint64_t{value.version});
      loader.Number(value.time);
      loader.Text(value.data);
      loader.EndRow();
    }
  }
  const Status status = loader.Finish();
  links_ += loader.rows(0);
  bytes_ += loader.bytes();
  return status;
}

}  // namespace waltax::linkbench
