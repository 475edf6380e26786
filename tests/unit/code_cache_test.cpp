// SPDX-License-Identifier: MIT
#include "jit/code_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "tests/unit/temporary_cache.h"

namespace moorea {
namespace {

using namespace std::string_literals;

namespace fs = std::filesystem;

class CodeCache : public TemporaryCache {
 protected:
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& file : fs::directory_iterator(folder())) found.insert(file.path().filename().string());
    return found;
  }
};

std::string name_of(int number) { return "000000000000000" + std::to_string(number) + ".opencl"; }

TEST_F(CodeCache, GivesBackWhatItKeptAndNothingElse) {
  const std::string code = "a driver's binary\0with a zero in it"s, name = name_of(1);
  EXPECT_TRUE(cached_code(name).empty());
  keep_code(name, code.data(), code.size());
  const std::vector<char> kept = cached_code(name);
  EXPECT_EQ(std::string(kept.begin(), kept.end()), code);
  std::ifstream file(folder() / name, std::ios::binary);
  const std::string entry{std::istreambuf_iterator<char>(file), {}};
  const auto of_entry = [&](const std::string& bytes) {
    std::ofstream(folder() / name, std::ios::binary) << bytes;
    return cached_code(name).size();
  };
  ASSERT_EQ(of_entry(entry), code.size());
  for (std::size_t i = 0; i < entry.size(); ++i) {
    std::string damaged = entry;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    EXPECT_EQ(of_entry(damaged), 0u) << "byte " << i;
    EXPECT_EQ(of_entry(entry.substr(0, i)), 0u) << i << " bytes";
  }
  EXPECT_EQ(of_entry(entry + "x"), 0u);
  EXPECT_EQ(of_entry(code), 0u) << "code without a checksum";
  keep_code(name, code.data(), code.size());
  EXPECT_EQ(cached_code(name).size(), code.size());
}

TEST_F(CodeCache, DropsWhatWasUsedTheLongestAgo) {
  const std::string code(1000, 'x');
  for (int number = 1; number <= 4; ++number) {
    keep_code(name_of(number), code.data(), code.size());
    // As if used at that second of 1970, in the order 2, 3, 4, 1
    const timespec times[2] = {{number == 1 ? 9 : number, 0}, {0, UTIME_OMIT}};
    ASSERT_EQ(utimensat(AT_FDCWD, (folder() / name_of(number)).c_str(), times, 0), 0);
  }
  std::ofstream(folder() / "tuning.json") << std::string(5000, ' ');
  std::ofstream(folder() / (name_of(5) + ".123")) << code;  // of a process that was killed
  const timespec old[2] = {{1, 0}, {0, UTIME_OMIT}};
  ASSERT_EQ(utimensat(AT_FDCWD, (folder() / (name_of(5) + ".123")).c_str(), old, 0), 0);
  trim_cache(folder(), 1 << 20);
  EXPECT_EQ(names().size(), 6u);
  trim_cache(folder(), 2100);
  EXPECT_EQ(names(), (std::set<std::string>{name_of(1), name_of(4), "tuning.json"}));
  // The last use counts, not the age
  EXPECT_EQ(cached_code(name_of(4)).size(), code.size());
  trim_cache(folder(), 1100);
  EXPECT_EQ(names(), (std::set<std::string>{name_of(4), "tuning.json"}));
  trim_cache(folder() / "none", 0);
}

}  // namespace
}  // namespace moorea
