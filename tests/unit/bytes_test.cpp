// SPDX-License-Identifier: MIT
#include "moorea/support/bytes.h"

#include <gtest/gtest.h>

#include <string>

#include "moorea/error.h"

namespace moorea {
namespace {

TEST(Bytes, AreParsedWithPowersOf1024) {
  EXPECT_EQ(parse_bytes("100000", "memory"), 100000u);
  EXPECT_EQ(parse_bytes("1.5K", "memory"), 1536u);
  EXPECT_EQ(parse_bytes("512m", "memory"), std::uint64_t{512} << 20);
  EXPECT_EQ(parse_bytes("4G", "memory"), std::uint64_t{4} << 30);
  EXPECT_EQ(parse_bytes("2T", "memory"), std::uint64_t{2} << 40);
  EXPECT_EQ(parse_bytes("1e6", "memory"), 1000000u);
}

TEST(Bytes, OtherTextsAreRefused) {
  for (const char* text :
       {"", "0", "0.5", "-1", "K", "4GB", "4 G", "lots", "inf", "nan", "0x10", "1e30", "8388608T"}) {
    try {
      parse_bytes(text, "MOOREA_MEMORY");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_EQ(std::string(error.what()),
                "MOOREA_MEMORY \"" + std::string(text) + "\": expected bytes, such as 512M or 4G");
    }
  }
}

TEST(Bytes, AreWrittenWithAUnit) {
  EXPECT_EQ(human_bytes(0), "0 bytes");
  EXPECT_EQ(human_bytes(1023), "1023 bytes");
  EXPECT_EQ(human_bytes(1024), "1.0 KiB");
  EXPECT_EQ(human_bytes(0x1p29), "512.0 MiB");
  EXPECT_EQ(human_bytes(1.5 * 0x1p70), "1536.0 EiB");
}

}  // namespace
}  // namespace moorea
