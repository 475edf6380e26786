// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace moorea {

/// A test whose cache folder is temporary and empty: XDG_CACHE_HOME points to it.
class TemporaryCache : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "moorea-cache-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    home_ = name;
    if (const char* const before = std::getenv("XDG_CACHE_HOME")) before_ = before;
    setenv("XDG_CACHE_HOME", name.c_str(), 1);
  }
  void TearDown() override {
    if (before_.empty()) {
      unsetenv("XDG_CACHE_HOME");
    } else {
      setenv("XDG_CACHE_HOME", before_.c_str(), 1);
    }
    std::filesystem::remove_all(home_);
  }
  std::filesystem::path folder() const { return home_ / "moorea"; }

 private:
  std::filesystem::path home_;
  std::string before_;
};

}  // namespace moorea
