// Where a server that speaks the Redis protocol is reached. It is its owner's:
// nothing here starts, stops or configures it.
#pragma once

#include <string>

#include "driver/status.h"

namespace CLI {
class App;
}

namespace waltax::ycsb {

// One of its databases, as a URL names it:
//   redis:///PATH/TO/SOCKET[?db=N]
//   redis://HOST:PORT[/N]
struct RedisPlace {
  std::string url;     // as it was typed, for messages
  std::string socket;  // empty: by host and port
  std::string host;
  int port = 0;
  int database = 0;
};

// What to do about what the database holds when a load begins.
struct RedisFlags {
  std::string endpoint;
  // "refuse": anything is an error. "keep": this very data set is taken as it
  // is. "replace": what a load of ours wrote is removed first. "remove": that,
  // and nothing is loaded.
  std::string existing = "refuse";
  // A host that is not this machine may be asked.
  bool allow_remote = false;
};

// `load` also chooses what to do about what is there.
void AddRedisFlags(CLI::App* app, RedisFlags* flags, bool load);

// Fails (usage) for what is no such URL, for one with a password, and for a
// host that is not the loopback unless that was allowed.
Status ParseRedisPlace(const RedisFlags& flags, RedisPlace* place);

}  // namespace waltax::ycsb
