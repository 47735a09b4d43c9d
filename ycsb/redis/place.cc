#include "ycsb/redis/place.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <string_view>

#include "driver/flags.h"

namespace waltax::ycsb {

namespace {

constexpr std::string_view kScheme = "redis://";
constexpr int kMostDatabases = 1 << 20;
constexpr int kMostPorts = 65'535;

Status WantEndpoint(const std::string& found) {
  return Status::Usage(fmt::format(
      "--endpoint: found \"{}\", want redis:///PATH/TO/SOCKET[?db=N] or "
      "redis://HOST:PORT[/N]",
      found));
}

bool ParseWithin(std::string_view text, int most, int* number) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto parsed = std::from_chars(begin, end, *number);
  return !text.empty() && parsed.ec == std::errc() && parsed.ptr == end &&
         *number >= 0 && *number <= most;
}

bool IsLoopback(std::string_view host) {
  return host == "localhost" || host == "[::1]" || host.substr(0, 4) == "127.";
}

// Cuts `text` before `mark` and returns what follows it; nothing where there
// is none.
std::string_view CutFrom(std::string_view mark, std::string_view* text) {
  const size_t at = text->find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view behind = text->substr(at + mark.size());
  *text = text->substr(0, at);
  return behind;
}

bool ParseSocket(std::string_view rest, RedisPlace* place) {
  const bool names = rest.find('?') != std::string_view::npos;
  const std::string_view database = CutFrom("?db=", &rest);
  place->socket = rest;
  return rest.find('?') == std::string_view::npos && rest.size() > 1 &&
         (!names || ParseWithin(database, kMostDatabases, &place->database));
}

bool ParseHost(std::string_view rest, RedisPlace* place) {
  const bool names = rest.find('/') != std::string_view::npos;
  const std::string_view database = CutFrom("/", &rest);
  const size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  place->host = rest.substr(0, colon);
  return ParseWithin(rest.substr(colon + 1), kMostPorts, &place->port) &&
         place->port > 0 &&
         (!names || ParseWithin(database, kMostDatabases, &place->database));
}

}  // namespace

void AddRedisFlags(CLI::App* app, RedisFlags* flags, bool load) {
  AddText(app, "--endpoint", &flags->endpoint, "redis:///PATH/TO/SOCKET",
          "of the store redis: a server of its owner's");
  app->add_flag("--allow-remote", flags->allow_remote,
                "the endpoint may be on another machine");
  if (!load) return;
  AddChoice(app, "--existing", &flags->existing,
            {"refuse", "keep", "replace", "remove"},
            "of the store redis: what becomes of what is there");
}

Status ParseRedisPlace(const RedisFlags& flags, RedisPlace* place) {
  const std::string& url = flags.endpoint;
  if (url.rfind(kScheme, 0) != 0) return WantEndpoint(url);
  const std::string_view rest = std::string_view(url).substr(kScheme.size());
  if (rest.find('@') != std::string_view::npos) {
    return Status::Usage(
        "--endpoint: found a user or a password, which is not taken: it would "
        "stand in every result; name a server that wants none, such as one "
        "that listens on a Unix socket of yours alone");
  }
  *place = {};
  place->url = url;
  const bool by_socket = rest.substr(0, 1) == "/";
  if (!(by_socket ? ParseSocket(rest, place) : ParseHost(rest, place))) {
    return WantEndpoint(url);
  }
  if (by_socket || IsLoopback(place->host) || flags.allow_remote) {
    return Status::Ok();
  }
  return Status::Usage(fmt::format(
      "--endpoint: found {}, which is not on this machine; add --allow-remote "
      "if it is yours to load, and read its figures with the network in them",
      url));
}

}  // namespace waltax::ycsb
