// SPDX-License-Identifier: MIT
// Hauls of a census, in parts and by several threads, and censuses that cannot be.
#include <gtest/gtest.h>

#include <string>

#include "census/soup.h"
#include "census_cells.h"
#include "moorea/census.h"
#include "moorea/error.h"

namespace moorea {
namespace {

TEST(Census, ThreadsAndPartsChangeNothing) {
  const Haul all = haul_of(census_of(600, 1));
  EXPECT_EQ(all.soups, 600u);
  const Haul with_threads = haul_of(census_of(600, 3));
  EXPECT_EQ(haul_text(all, census_of(600, 1)), haul_text(with_threads, census_of(600, 1)));
  CensusSpec first = census_of(250, 2), second = census_of(350, 2);
  second.first = 250;
  Haul parts = haul_of(first);
  parts.add(haul_of(second));
  EXPECT_EQ(haul_text(all, census_of(600, 1)), haul_text(parts, census_of(600, 1)));
}

TEST(Census, HaulsAreReadAsWritten) {
  const CensusSpec spec = census_of(100, 2);
  const Haul haul = haul_of(spec);
  const std::string text = haul_text(haul, spec);
  EXPECT_NE(text.find("@RULE b3s23\n"), std::string::npos);
  EXPECT_NE(text.find("@NUM_SOUPS 100\n"), std::string::npos);
  EXPECT_NE(text.find("\nxs4_33 "), std::string::npos);
  const SavedHaul saved = read_haul(text, "test");
  EXPECT_EQ(haul_text(saved.haul, spec), text);
  EXPECT_EQ(saved.root, spec.root);
  EXPECT_THROW((void)read_haul("@VERSION nothing\n", "test"), Error);
  const auto changed = [text](const std::string& from, const std::string& to) {
    return std::string(text).replace(text.find(from), from.size(), to);
  };
  for (const std::string& broken : {changed("@NUM_SOUPS 100\n", ""), changed("@ROOT", "@RULE"),
                                    changed("xs4_33", "<b>"), changed("xs4_33 ", "xs4_33 1")})
    EXPECT_THROW((void)read_haul(broken, "test"), Error) << broken.substr(0, 200);
}

TEST(Census, OtherSpecsAreRefused) {
  EXPECT_THROW((void)soup_pattern("a", "C3", Rule()), Error);
  CensusSpec spec = census_of(1, 1, "C5");
  EXPECT_THROW(haul_of(spec), Error);
  spec = census_of(1, 1);
  spec.device = "opencl";
  EXPECT_THROW(haul_of(spec), Error);
  spec = census_of(1, 1);
  for (const char* rule : {"B02/S1", "B2/S34H", "12/2/3"}) {
    spec.rule = Rule::parse(rule);
    EXPECT_THROW(haul_of(spec), Error) << rule;
  }
  EXPECT_THROW(take_census(census_of(1, 1), {}), Error);
}

}  // namespace
}  // namespace moorea
