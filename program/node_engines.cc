#include "program/node_engines.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace waltax {

nlohmann::json NodeEngines::Describe() const {
  nlohmann::json nodes = nlohmann::json::array();
  for (const Engine* node : nodes_) nodes.push_back(node->Describe());
  nlohmann::json described = nodes.front();
  described["node_engines"] = std::move(nodes);
  return described;
}

std::vector<std::string> NodeEngines::Warnings() const {
  std::vector<std::string> all;
  for (const Engine* node : nodes_) {
    for (std::string& warning : node->Warnings()) {
      if (std::find(all.begin(), all.end(), warning) == all.end()) {
        all.push_back(std::move(warning));
      }
    }
  }
  return all;
}

uint64_t NodeEngines::DataBytes() const {
  uint64_t bytes = 0;
  for (const Engine* node : nodes_) bytes += node->DataBytes();
  return bytes;
}

}  // namespace waltax
