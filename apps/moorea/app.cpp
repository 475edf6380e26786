// SPDX-License-Identifier: MIT
#include "app.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>

#include "moorea/error.h"

namespace app {
namespace {

volatile std::sig_atomic_t caught_signal = 0;

}  // namespace

Json tiling_json(const moorea::Tiling& tiling) {
  return {{"width", tiling.tile.width},
          {"height", tiling.tile.height},
          {"schedule", to_string(tiling.schedule)},
          {"placement", to_string(tiling.placement)}};
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
  action.sa_handler = [](int signal) { caught_signal = signal; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool was_interrupted() { return caught_signal != 0; }

int interruption_exit() { return 128 + caught_signal; }

}  // namespace app
