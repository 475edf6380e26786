// SPDX-License-Identifier: MIT
#include "moorea/launch.h"

#include <fmt/core.h>

#include <charconv>

#include "moorea/error.h"

namespace moorea {
namespace {

[[noreturn]] void bad_block(std::string_view text, const char* at) {
  throw Error(fmt::format("thread block \"{}\", column {}: expected WIDTHxHEIGHT in threads, such as 32x8, "
                          "or a number of threads in a row, such as 256",
                          text, at - text.data() + 1),
              ErrorKind::usage);
}

}  // namespace

ThreadBlock parse_thread_block(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&] {
    // A number too long for int is invalid, but still a number in the message
    constexpr int too_many = max_block_threads + 1;
    int value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    if (after == at || *at == '-') bad_block(text, at);
    at = after;
    return error == std::errc() ? value : too_many;
  };
  ThreadBlock block{number(), 1};
  if (at != end) {
    if (*at != 'x' && *at != 'X') bad_block(text, at);
    ++at;
    block.height = number();
  }
  if (at != end) bad_block(text, at);
  require_valid(block);
  return block;
}

std::string to_string(const ThreadBlock& block) { return fmt::format("{}x{}", block.width, block.height); }

void require_valid(const ThreadBlock& block) {
  const bool valid = block.width >= 1 && block.height >= 1 && block.width <= max_block_threads &&
                     block.height <= max_block_threads / block.width;
  if (valid) return;
  throw Error(fmt::format("a thread block of {} threads: expected 1 to {} in all", to_string(block),
                          max_block_threads),
              ErrorKind::usage);
}

}  // namespace moorea
