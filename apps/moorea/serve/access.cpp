// SPDX-License-Identifier: MIT
#include "serve/access.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <array>
#include <cstddef>

#include "moorea/error.h"

namespace app {
namespace {

// Compares in a time that depends on the length of the guess alone.
bool equal(std::string_view guess, std::string_view secret) {
  std::size_t difference = guess.size() ^ secret.size();
  for (std::size_t i = 0; i < guess.size() && !secret.empty(); ++i)
    difference |= static_cast<unsigned char>(guess[i] ^ secret[i % secret.size()]);
  return difference == 0 && !secret.empty();
}

}  // namespace

Access access_of(std::string_view token, std::string_view control, std::string_view audience) {
  const bool controls = equal(token, control), watches = equal(token, audience);
  if (controls) return Access::control;
  return watches ? Access::audience : Access::none;
}

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw moorea::Error("the system gives no random numbers for a token");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace app
