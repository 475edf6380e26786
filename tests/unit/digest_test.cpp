// SPDX-License-Identifier: MIT
// Digests of texts of all lengths up to three blocks, whose digests together are those of Python's hashlib.
#include "model/digest.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "census/soup_digest.h"

namespace moorea {
namespace {

std::string sha256_digits(const std::string& text, Sha256Step step) {
  std::string digits;
  for (const std::uint8_t byte : sha256(text, step)) digits += fmt::format("{:02x}", byte);
  return digits;
}

TEST(Digests, TextsOfAllLengths) {
  std::string md5_of_all;
  for (std::size_t length = 0; length < 200; ++length) md5_of_all += md5(std::string(length, 'a'));
  for (const Sha256Step step : usable_sha256_steps()) {
    std::string of_all;
    for (std::size_t length = 0; length < 200; ++length)
      of_all += sha256_digits(std::string(length, 'a'), step);
    EXPECT_EQ(sha256_digits(of_all, step),
              "019f2b9f1af27a53a1f046da7e98af2c179f431e4b5bebb000e74040917a4123");
  }
  EXPECT_EQ(md5(md5_of_all), "49f6cc3eb4491fe05535571716f39a67");
}

}  // namespace
}  // namespace moorea
