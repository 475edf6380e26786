// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>

#include "cli/status_line.h"

namespace {

std::string written(double plain_seconds) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  {
    app::StatusLine line(file.get(), plain_seconds);
    for (const char* text : {"generation 1", "generation 2"}) {
      if (line.due()) line.show(text);
    }
    line.show("at any rate");
  }
  std::string text(1000, '\0');
  std::rewind(file.get());
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

TEST(StatusLine, WithoutATerminalIsALineOfItsOwnNowAndThen) {
  EXPECT_EQ(written(0), "moorea: generation 1\nmoorea: generation 2\nmoorea: at any rate\n");
  EXPECT_EQ(written(3600), "");
}

}  // namespace
