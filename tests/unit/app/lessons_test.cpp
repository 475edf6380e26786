// SPDX-License-Identifier: MIT
#include "lab/lessons.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "moorea/inventory.h"

namespace app {
namespace {

TEST(Lessons, AreTheLinesOfTables) {
  const auto found = lessons_in(
      "# Title\n\n| rung | file | idea | cost | faster if |\n| ---: | --- | --- | --- | --- |\n"
      "| 7 | `ladder/07_a_avx2.cpp`, `..._avx512.cpp` | see [this](there.md) and `--tile` | | always |\n"
      "| 13 | `ladder/13_b*.cpp` | three | four | five |\n| 1 | no file | a | b | c |\n| 2 | `x.cu` | few "
      "|\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kernels, (std::vector<std::string>{"cpu/ladder/07_a_avx2", "cpu/ladder/07_a_avx512"}));
  EXPECT_EQ(found[0].idea, "see this and `--tile`");
  EXPECT_EQ(found[0].cost, "");
  EXPECT_TRUE(found[0].is_of("cpu/ladder/07_a_avx512"));
  EXPECT_FALSE(found[0].is_of("cpu/ladder/07_a"));
  EXPECT_TRUE(found[1].is_of("cpu/ladder/13_b_avx2"));
}

// Each rung has a lesson, and each lesson a kernel of this name.
TEST(Lessons, ThereIsOneForEachRung) {
  int rungs = 0;
  for (const moorea::KernelInfo& kernel : moorea::list_kernels()) {
    if (kernel.name.find("/ladder/") == std::string::npos) continue;
    ++rungs;
    const std::string html = lesson_html(kernel.name);
    EXPECT_TRUE(html.starts_with("<p><strong>" + kernel.name + "</strong> ")) << kernel.name << ": " << html;
    EXPECT_EQ(html.find('`'), std::string::npos) << html;
  }
  EXPECT_GT(rungs, 15);
  EXPECT_NE(lesson_html("cpu/bits").find("full adders"), std::string::npos);
  EXPECT_EQ(lesson_html("cpu/reference"), "");
}

}  // namespace
}  // namespace app
