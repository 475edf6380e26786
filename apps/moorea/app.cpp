// SPDX-License-Identifier: MIT
#include "app.h"

#include <fmt/core.h>
#include <sys/utsname.h>

#include <csignal>
#include <cstdio>
#include <ctime>

#include "moorea/error.h"
#include "moorea/inventory.h"

namespace app {
namespace {

volatile std::sig_atomic_t caught_signal = 0;

}  // namespace

int exit_code(moorea::ErrorKind kind) {
  switch (kind) {
    case moorea::ErrorKind::usage:
      return usage_error;
    case moorea::ErrorKind::unavailable:
      return unavailable;
    case moorea::ErrorKind::run:
      break;
  }
  return run_error;
}

Json tiling_json(const moorea::Tiling& tiling) {
  return {{"width", tiling.tile.width},
          {"height", tiling.tile.height},
          {"schedule", to_string(tiling.schedule)},
          {"placement", to_string(tiling.placement)}};
}

void add_launch_shape(Json& json, const moorea::LaunchShape& shape) {
  if (shape.block.width > 0) json["block"] = {{"width", shape.block.width}, {"height", shape.block.height}};
  if (shape.bytes_a_thread > 0) json["bytes_per_thread"] = shape.bytes_a_thread;
}

std::string launch_shape_text(const moorea::LaunchShape& shape) {
  if (shape.block.width == 0) return "-";
  return shape.bytes_a_thread > 0 ? fmt::format("{}, {} bytes", to_string(shape.block), shape.bytes_a_thread)
                                  : to_string(shape.block);
}

Json machine_json() {
  utsname system{};
  uname(&system);
  char date[32] = "";
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  Json devices = Json::array();
  for (const moorea::DeviceInfo& device : moorea::list_devices()) {
    devices.push_back({{"name", device.name},
                       {"description", device.description},
                       {"threads", device.threads},
                       {"memory_available_bytes", device.memory}});
  }
  return {{"machine",
           {{"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
            {"devices", devices}}},
          {"version", moorea::version()},
          {"revision", moorea::revision()},
          {"compiler", moorea::compiler()},
          {"date", date}};
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) throw moorea::Error("standard output: cannot write");
}

void print_json(const Json& json) { print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"); }

void say(const std::string& text) { std::fprintf(stderr, "moorea: %s\n", text.c_str()); }

void catch_interruption() {
  struct sigaction action {};
  action.sa_handler = [](int signal) {
    caught_signal = signal;
    // The next one ends it, whichever it is
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
  };
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool was_interrupted() { return caught_signal != 0; }

int interruption_exit() { return 128 + caught_signal; }

}  // namespace app
