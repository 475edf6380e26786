// SPDX-License-Identifier: MIT
// Bitmaps that are read and written by rows are those that are read and written at once.
#include "moorea/support/bitmap_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "moorea/checkpoint.h"
#include "moorea/error.h"

namespace moorea {
namespace {

class BitmapFile : public testing::Test {
 protected:
  BitmapFile() : folder_(std::filesystem::temp_directory_path() / ("bitmaps_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~BitmapFile() override { std::filesystem::remove_all(folder_); }

  std::string file(const char* name) const { return (folder_ / name).string(); }
  static std::string bytes_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path folder_;
};

Pattern noise(std::int64_t width, std::int64_t height) {
  Pattern pattern;
  pattern.cells = Grid::random(width, height, 0.4, 7);
  pattern.generation = 12;
  pattern.rule = "B36/S23:T200,100";
  pattern.position = Position{-width / 2, -height / 2};
  return pattern;
}

TEST_F(BitmapFile, HasTheBytesOfOneThatIsWrittenAtOnce) {
  for (const std::int64_t width : {1, 8, 63, 64, 65, 200}) {
    const Pattern pattern = noise(width, 33);
    write_pattern(pattern, file("whole.pbm"));
    Pattern header = pattern;
    header.cells = Grid();
    {
      BitmapWriter first = BitmapWriter::create(file("parts.pbm"), header, {width, 33});
      BitmapWriter second = BitmapWriter::open(file("parts.pbm"), header, {width, 33});
      second.write(20, pattern.cells.crop({0, 20, width, 13}));
      first.write(0, pattern.cells.crop({0, 0, width, 7}));
      first.write(7, pattern.cells.crop({0, 7, width, 13}));
      second.flush();
      EXPECT_FALSE(std::filesystem::exists(file("parts.pbm"))) << "a partial file has the final name";
      first.finish();
    }
    EXPECT_EQ(bytes_of(file("parts.pbm")), bytes_of(file("whole.pbm"))) << width;
    std::filesystem::remove(file("parts.pbm"));
  }
}

TEST_F(BitmapFile, IsReadByRows) {
  for (const std::int64_t width : {1, 64, 130}) {
    const Pattern pattern = noise(width, 40);
    write_pattern(pattern, file("whole.pbm"));
    const std::optional<BitmapReader> reader = BitmapReader::open(file("whole.pbm"));
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->size(), (Size{width, 40}));
    EXPECT_EQ(reader->header().rule, pattern.rule);
    EXPECT_EQ(reader->header().generation, pattern.generation);
    EXPECT_EQ(reader->header().position, pattern.position);
    EXPECT_EQ(reader->rows(0, 40), pattern.cells);
    EXPECT_EQ(reader->rows(13, 9), pattern.cells.crop({0, 13, width, 9}));
  }
}

TEST_F(BitmapFile, IsRefused) {
  EXPECT_FALSE(BitmapReader::open(file("missing.pbm")));
  Pattern pattern = noise(50, 20);
  write_pattern(pattern, file("a.rle"));
  EXPECT_FALSE(BitmapReader::open(file("a.rle")));
  write_pattern(pattern, file("plain.pbm"), "pbm-plain");
  EXPECT_FALSE(BitmapReader::open(file("plain.pbm")));
  write_pattern(pattern, file("short.pbm"));
  std::filesystem::resize_file(file("short.pbm"), std::filesystem::file_size(file("short.pbm")) - 1);
  try {
    BitmapReader::open(file("short.pbm"));
    FAIL() << "cells are missing";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("50 x 20 cells, which take 140 bytes, but only 139 follow"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(BitmapFile, DisappearsUnlessItIsComplete) {
  { BitmapWriter::create(file("b.pbm"), noise(50, 20), {50, 20}); }
  EXPECT_FALSE(std::filesystem::exists(BitmapWriter::temporary_name(file("b.pbm"))));
  EXPECT_THROW(BitmapWriter::create(file("none/b.pbm"), noise(50, 20), {50, 20}), Error);
  EXPECT_THROW(BitmapWriter::open(file("b.pbm"), noise(50, 20), {50, 20}), Error);
}

TEST_F(BitmapFile, ErrorsHaveTheSystemsNumber) {
  const auto number = [](const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.system_error();
    }
    return -1;
  };
  EXPECT_EQ(number([&] { BitmapWriter::create(file("none/b.pbm"), noise(50, 20), {50, 20}); }), ENOENT);
  EXPECT_EQ(number([&] { read_pattern(file("none.rle")); }), ENOENT);
  EXPECT_EQ(number([&] { read_pattern(file("")); }), EISDIR);
  EXPECT_EQ(number([&] { write_pattern(noise(8, 8), file("none/b.rle")); }), ENOENT);
  EXPECT_EQ(number([&] { CheckpointReader(file("none.checkpoint")); }), ENOENT);
  std::ofstream(file("wrong.rle")) << "x = 3, y = 3\nbo?!";
  EXPECT_EQ(number([&] { read_pattern(file("wrong.rle")); }), 0) << "the contents are wrong, not the file";
}

}  // namespace
}  // namespace moorea
