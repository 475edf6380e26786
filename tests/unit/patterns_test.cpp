// SPDX-License-Identifier: MIT
#include "moorea/pattern.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "moorea/error.h"

namespace moorea {
namespace {

const char* const glider_rows[] = {".O.", "..O", "OOO"};

Grid glider_cells() {
  Grid grid(3, 3);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 3; ++x) grid.set(x, y, glider_rows[y][x] == 'O');
  }
  return grid;
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    char name[] = "/tmp/moorea-test-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

std::string error_of(const std::string& bytes, const std::string& source = "test") {
  try {
    parse_pattern(bytes, source);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run);
    return error.what();
  }
  return "";
}

// Variants of RLE files in the wild.
TEST(Rle, SloppyFiles) {
  for (const char* text : {"x = 3, y = 3, rule = B3/S23\nbob$2bo$3o!", "x=3,y=3\nbo$2bo$3o!",
                           "x = 3, y = 3, rule = B3/S23\r\nbo$\r\n2bo$\r\n3o!\r\n", "bo$2bo$3o!",
                           "  x = 3 , y = 3\n  b o $ 2\nb o $\n3 o !  Glider, by someone",
                           "x = 0, y = 0, rule = B3/S23\nbo$2bo$3o!",
                           "#C a comment\n\nx = 3,\ny = 3,\nrule = B3/S23\nbo$2bo$3o!",
                           "X = 3, Y = 3, RULE = b3/s23\nBO$2BO$3O!", "x = 3, y = 3\n.A$2.A$3A!",
                           "x = 3, y = 3\nbo$2bo\n# in the middle\n$3o!\ntext behind\n",
                           "x = 10, y = 10\nbo$2bo$3o7$!", "\xEF\xBB\xBFx = 3, y = 3\nbo$2bo$3o!"}) {
    EXPECT_EQ(parse_pattern(text, "test").cells, glider_cells()) << text;
    EXPECT_EQ(parse_pattern(text, "test").format, "rle") << text;
  }
}

TEST(Rle, HeaderAndComments) {
  const Pattern pattern = parse_pattern(
      "#N Glider\n#O Richard K. Guy\n#C first\n#c second\n#CXRLE Pos=-12,345 Gen=6789\nx = 3, y = 3, rule = "
      "HighLife:T20,10\nbo$2bo$3o!",
      "test");
  EXPECT_EQ(pattern.name, "Glider");
  EXPECT_EQ(pattern.author, "Richard K. Guy");
  EXPECT_EQ(pattern.comments, (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(pattern.position, (Position{-12, 345}));
  EXPECT_EQ(pattern.generation, 6789u);
  EXPECT_EQ(pattern.world().rule.str(), "B36/S23");
  EXPECT_EQ(pattern.world().bounds(), (Bounds{Topology::torus, 20, 10}));
  EXPECT_EQ(parse_pattern("#P 4 -5\nx = 1, y = 1\no!", "test").position, (Position{4, -5}));
}

TEST(Rle, LinesOfAnyLengthReadAndLinesOfSeventyAreWritten) {
  Pattern pattern;
  pattern.cells = Grid::random(2000, 30, 0.5, 1);
  const std::string text = format_pattern(pattern);
  std::string joined = text.substr(0, text.find('\n') + 1);
  for (std::size_t at = joined.size(); at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 70u);
    joined += text.substr(at, end - at);
    at = end + 1;
  }
  EXPECT_EQ(parse_pattern(text, "test").cells,
            pattern.cells.crop({0, 0, parse_pattern(text, "test").cells.width(), 30}));
  EXPECT_EQ(parse_pattern(joined, "test").cells, parse_pattern(text, "test").cells);
}

TEST(Rle, ErrorsNameTheirPlace) {
  EXPECT_EQ(error_of("x = 3, y = 3\nbo$2bo$3o"),
            "test, line 2, column 10: the pattern ends without '!'; the file may be truncated");
  EXPECT_EQ(error_of("x = 3, y = 3\nbo$2bo$1000000000000000000o!"),
            "test, line 2, column 8: a run count is larger than 1099511627776");
  EXPECT_EQ(error_of("x = 2, y = 3\nbo$2bo$3o!"),
            "test, line 2, column 6: a live cell in column 2 of row 1, but the header says x = 2, y = 3");
  EXPECT_EQ(error_of("x = 3, y = 3\nbo$2e"),
            "test, line 2, column 5: expected a run of 'b', 'o' or '$', or '!', not 'e'");
  EXPECT_NE(error_of("x = 3, y = \nbo!").find("line 1, column 12: expected the height"), std::string::npos);
  EXPECT_NE(error_of("x = 3\nbo!").find("expected \"y =\""), std::string::npos);
  EXPECT_NE(error_of("x = -3, y = 2\nbo!").find("line 1, column 5"), std::string::npos);
  // A pattern that would need an exabyte is refused with the figure; the header alone allocates nothing
  EXPECT_EQ(parse_pattern("x = 1000000000, y = 1000000000\no!", "test").cells.width(), 1);
  EXPECT_NE(error_of("x = 1000000000, y = 1000000000\no900000000$900000000bo!").find("needs"),
            std::string::npos);
}

TEST(Rle, ForeignRulesAreAnErrorOnlyWhenTheyAreRun) {
  const Pattern pattern = parse_pattern("x = 3, y = 1, rule = W110\n3o!", "test");
  EXPECT_EQ(pattern.rule, "W110");
  EXPECT_THROW(pattern.world(), Error);
}

TEST(Patterns, TooManyCellsAreRefusedBeforeTheyTakeMemory) {
  // 10^12 cells, one of them alive: 125 GB as a grid
  const std::string far = "x = 1000000, y = 1000000\n999999$999999bo!\n";
  for (const std::string& text : {far, std::string("#Life 1.06\n0 0\n999999 999999\n"),
                                  std::string("#Life 1.05\n#P 0 0\n*\n#P 999999 999999\n*\n"),
                                  std::string("P1\n70 70\n") + std::string(4900, '1')}) {
    try {
      parse_pattern(text, "here", 4096);
      FAIL() << text.substr(0, 40);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("cells are too many: at most 4096 are supported"),
                std::string::npos)
          << error.what();
    }
  }
  EXPECT_EQ(parse_pattern("bo$2bo$3o!", "here", 9).cells, glider_cells());
  EXPECT_THROW(parse_pattern("bo$2bo$3o!", "here", 8), Error);
}

TEST(Plaintext, Reads) {
  const Pattern pattern = parse_pattern("!Name: Glider\n!Author: Guy\n! text\n.O.\n..O\nOOO\n", "test");
  EXPECT_EQ(pattern.cells, glider_cells());
  EXPECT_EQ(pattern.name, "Glider");
  EXPECT_EQ(pattern.format, "cells");
  EXPECT_EQ(parse_pattern(".*.\r\n..*\r\n***\r\n", "test").cells, glider_cells());
  EXPECT_EQ(parse_pattern("!\n\n.O\n", "x.cells").cells.height(), 2);
  EXPECT_EQ(error_of("!x\n.O.\n.X.\n"),
            "test, line 3, column 2: expected '.' for a dead cell or 'O' for a live one");
}

TEST(Life105, ReadsBlocks) {
  const Pattern pattern =
      parse_pattern("#Life 1.05\n#D a glider\n#R 23/36\n#P -1 -1\n.*.\n..*\n***\n#P 10 20\n*\n", "test");
  EXPECT_EQ(pattern.format, "life105");
  EXPECT_EQ(pattern.position, (Position{-1, -1}));
  EXPECT_EQ(pattern.cells.crop({0, 0, 3, 3}), glider_cells());
  EXPECT_TRUE(pattern.cells.alive(11, 21));
  EXPECT_EQ(pattern.cells.population(), 6u);
  EXPECT_EQ(pattern.world().rule.str(), "B36/S23");
  EXPECT_EQ(parse_pattern("#Life 1.05\n#P\n.*.\n..*\n***\n", "test").cells, glider_cells());
  EXPECT_NE(error_of("#Life 1.05\n#P x 1\n*\n").find("line 2, column 4"), std::string::npos);
}

TEST(Life106, ReadsAndWrites) {
  const Pattern pattern = parse_pattern("#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n", "test");
  EXPECT_EQ(pattern.cells, glider_cells());
  EXPECT_EQ(pattern.position, (Position{-1, -1}));
  EXPECT_EQ(format_pattern(pattern, "life106"), "#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n");
  EXPECT_NE(error_of("#Life 1.06\n0 1\n5\n").find("line 3"), std::string::npos);
  EXPECT_NE(error_of("#Life 1.06\n0 0\n1000000000 1000000000\n").find("needs"), std::string::npos);
}

// netpbm's own example of a plain bitmap, the letter J (manual page of pbm).
TEST(Pbm, TheManualsExample) {
  const Pattern pattern = parse_pattern(
      "P1\n# This is an example bitmap of the letter \"J\"\n6 10\n0 0 0 0 1 0\n0 0 0 0 1 0\n0 0 0 0 1 0\n0 0 "
      "0 0 1 0\n0 0 0 0 1 0\n"
      "0 0 0 0 1 0\n1 0 0 0 1 0\n0 1 1 1 0 0\n0 0 0 0 0 0\n0 0 0 0 0 0\n",
      "test");
  EXPECT_EQ(pattern.format, "pbm-plain");
  EXPECT_EQ(pattern.cells.population(), 11u);
  EXPECT_TRUE(pattern.cells.alive(4, 0));
  EXPECT_TRUE(pattern.cells.alive(1, 7));
  EXPECT_EQ(parse_pattern("P1 3 3 010001111", "test").cells, glider_cells());
}

TEST(Pbm, PackedRowsAreBytesWithTheHighestBitFirst) {
  Pattern pattern;
  pattern.cells = Grid(9, 2);
  pattern.cells.set(0, 0);
  pattern.cells.set(8, 1);
  const std::string bytes = format_pattern(pattern, "pbm");
  EXPECT_EQ(bytes, std::string("P4\n9 2\n\x80\0\0\x80", 11));
  EXPECT_EQ(parse_pattern(bytes, "test").cells, pattern.cells);
  // Bits after the last column are not cells
  EXPECT_EQ(parse_pattern(std::string("P4\n9 2\n\x80\x7f\0\xff", 11), "test").cells, pattern.cells);
}

TEST(Pbm, HeadersThatLie) {
  EXPECT_NE(error_of("P4\n1000000 1000000\nabc").find("only 3 follow"), std::string::npos);
  EXPECT_NE(error_of("P1\n1000000000000 1000000000000\n01").find("only 2 follow"), std::string::npos);
  EXPECT_NE(error_of("P1\n2 2\n01x1").find("line 3, column 3"), std::string::npos);
  EXPECT_NE(error_of("P5\n2 2\n255\nabcd").find("not P5"), std::string::npos);
}

TEST(Formats, WhatIsNoPattern) {
  EXPECT_NE(error_of("").find("empty"), std::string::npos);
  EXPECT_NE(error_of(std::string("\x7f\x45LF\x02\0\0", 7)).find("not a pattern"), std::string::npos);
  EXPECT_NE(error_of("hello world").find("not a pattern"), std::string::npos);
  // gzip of nothing
  EXPECT_NE(error_of(std::string("\x1f\x8b\x08\0\0\0\0\0\x02\xff\x03\0\0\0\0\0\0\0\0\0", 20)).find("empty"),
            std::string::npos);
  EXPECT_NE(error_of("\x1f\x8b\x08garbage").find("gzip"), std::string::npos);
  EXPECT_THROW(read_pattern("/nonexistent/file.rle"), Error);
  EXPECT_THROW(read_pattern("/tmp"), Error);
}

// Everything that a format can represent survives writing and reading, in each format, gzipped or not, and
// the format is recognised by its content.
TEST(Formats, RoundTrip) {
  const TemporaryFolder folder;
  Pattern pattern;
  pattern.cells = Grid::random(131, 57, 0.3, 99);
  pattern.cells.set(0, 0);
  pattern.cells.set(130, 56);
  pattern.position = Position{-65, 1000};
  pattern.generation = 123456789012;
  pattern.rule = "B36/S23:T200,3000";
  for (const FormatInfo& format : pattern_formats()) {
    if (!format.writable) continue;
    for (const char* end : {"", ".gz"}) {
      const std::string file = folder.file(std::string("pattern") + end);
      write_pattern(pattern, file, std::string(format.name));
      const Pattern back = read_pattern(file);
      EXPECT_EQ(back.format, format.name);
      EXPECT_EQ(back.cells, pattern.cells) << format.name;
      EXPECT_EQ(back.position, pattern.position) << format.name;
      EXPECT_EQ(back.generation, pattern.generation) << format.name;
      EXPECT_EQ(back.rule, pattern.rule) << format.name;
    }
  }
}

TEST(Formats, AnEmptyPatternSurvivesToo) {
  for (const FormatInfo& format : pattern_formats()) {
    if (!format.writable) continue;
    EXPECT_EQ(parse_pattern(format_pattern(Pattern(), std::string(format.name)), "test").cells.population(),
              0u)
        << format.name;
  }
}

TEST(Formats, TheNameTellsWhatToWrite) {
  const TemporaryFolder folder;
  Pattern pattern;
  pattern.cells = glider_cells();
  for (const auto& [name, format] : std::vector<std::pair<const char*, const char*>>{{"a.rle", "rle"},
                                                                                     {"a.RLE", "rle"},
                                                                                     {"a.cells", "cells"},
                                                                                     {"a.life", "life106"},
                                                                                     {"a.lif", "life106"},
                                                                                     {"a.pbm", "pbm"},
                                                                                     {"a.pbm.gz", "pbm"}}) {
    write_pattern(pattern, folder.file(name));
    EXPECT_EQ(read_pattern(folder.file(name)).format, format);
  }
  EXPECT_THROW(write_pattern(pattern, folder.file("a.png")), Error);
  EXPECT_THROW(write_pattern(pattern, folder.file("a.rle"), "life105"), Error);
}

// No partial file under the final name, and no temporary file left.
TEST(Files, AFailedWriteLeavesTheOldFile) {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.rle");
  std::ofstream(file) << "old";
  Pattern pattern;
  pattern.cells = glider_cells();
  EXPECT_THROW(write_pattern(pattern, file, "life105"), Error);
  EXPECT_THROW(write_pattern(pattern, "/dev/full", "rle"), Error);
  EXPECT_THROW(write_pattern(pattern, folder.file("none/a.rle")), Error);
  EXPECT_THROW(check_writable(folder.file("none/a.rle")), Error);
  EXPECT_THROW(check_writable(folder.file(""), "rle"), Error);
  std::ifstream old(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(old), {}), "old");
  EXPECT_EQ(folder.files(), 1u);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(Files, ALinkStaysALink) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("real.rle")) << "old";
  std::filesystem::create_symlink("real.rle", folder.file("link.rle"));
  Pattern pattern;
  pattern.cells = glider_cells();
  write_pattern(pattern, folder.file("link.rle"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.rle")));
  EXPECT_EQ(read_pattern(folder.file("real.rle")).cells, glider_cells());
}

TEST(Place, CentreAndPosition) {
  Pattern pattern;
  pattern.cells = glider_cells();
  EXPECT_EQ(place(pattern, 11, 11).bounding_box(), (Box{4, 4, 3, 3}));
  pattern.position = Position{-5, 2};  // from Golly's centre, (5, 5)
  EXPECT_EQ(place(pattern, 11, 11).bounding_box(), (Box{0, 7, 3, 3}));
  pattern.position = Position{-6, 2};
  EXPECT_THROW(place(pattern, 11, 11), Error);
  pattern.position.reset();
  EXPECT_THROW(place(pattern, 2, 11), Error);
}

TEST(Patterns, AHeaderSaysWhereAPatternWithoutPositionStands) {
  // As in Golly: see tests/golly_test.py, which runs bgolly
  const auto corner = [](const std::string& header) {
    const Pattern pattern = parse_pattern(header + "\no!", "test");
    const std::optional<Box> box = place(pattern, 9, 8).bounding_box();
    return box ? std::pair(box->x, box->y) : std::pair<std::int64_t, std::int64_t>(-1, -1);
  };
  using Corner = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(corner("x = 1, y = 1"), Corner(4, 4));
  EXPECT_EQ(corner("x = 9, y = 8"), Corner(0, 0));
  EXPECT_EQ(corner("x = 4, y = 3"), Corner(2, 3));
  EXPECT_EQ(corner("x = 10, y = 1"), Corner(0, 0));
  EXPECT_EQ(corner("x = 0, y = 0"), Corner(0, 0));
  EXPECT_EQ(corner("#CXRLE Pos=-4,3\nx = 4, y = 3"), Corner(0, 7));
  EXPECT_EQ(corner(""), Corner(4, 4)) << "no header";
  // The header is written again, so that a copy has the same position as the file
  const Pattern pattern = parse_pattern("x = 9, y = 8\no!", "test");
  EXPECT_NE(format_pattern(pattern).find("x = 9, y = 8"), std::string::npos);
}

}  // namespace
}  // namespace moorea
