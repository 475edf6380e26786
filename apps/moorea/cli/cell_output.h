// SPDX-License-Identifier: MIT
// The cells of a world as a pattern file: all, or those in a window.
#pragma once

#include <exception>
#include <optional>
#include <string>

#include "cli/app.h"
#include "moorea/big_box.h"
#include "moorea/cell_tree.h"
#include "moorea/error.h"
#include "moorea/hashlife.h"
#include "moorea/simulation.h"

namespace app {

/// Parses X,Y,WIDTH,HEIGHT, numbers of any size; empty if the text is. Throws moorea::Error (usage).
std::optional<moorea::BigBox> parse_window(const std::string& text);

/// All of a pattern but its cells.
moorea::Pattern facts_of(const moorea::WorldSpec& world, std::uint64_t generation);

/// Whether a file gets the cells of a world as a CellTree, because they are one or are far apart.
bool is_written_as_tree(const moorea::Simulation& world, const std::string& path, const std::string& format);

/// The pattern with name, author and comments of another one.
moorea::Pattern named(const moorea::Pattern& texts, moorea::Pattern pattern);

/// The option -o with --format and --window.
struct CellOutput {
  std::string path;  ///< empty: none
  std::string format;
  std::optional<moorea::BigBox> window;  ///< default: the bounding box of the live cells
  bool whole = false;                    ///< all cells of a world of fixed size instead
  moorea::Pattern about = {};            ///< name, author and comments that a written world gets

  /// Whether the format shows each cell, so that pictures of a run should have the same size.
  static bool is_bitmap(const std::string& path, const std::string& format);

  /// Keeps name, author and comments of the pattern that a run begins with, for what it writes.
  void keep_texts(const moorea::Pattern& pattern) { about = named(pattern, {}); }

  /// Throws moorea::Error if the file cannot be written, whatever it will contain, and for options without a
  /// path.
  void check() const;

  /// Writes the cells; cells that are far apart go into RLE and macrocell files without the rectangle around
  /// them. Adds the window to the report of the run. Throws moorea::Error.
  void write(const moorea::Simulation& world, Json& report) const;
  void write(const moorea::HashLife& world, Json& report) const;
  /// As write(), for a run that prints its report first: an Error is returned, and nothing is done without a
  /// path.
  template <class World>
  std::exception_ptr try_to_write(const World& world, Json& report) const try {
    if (!path.empty()) write(world, report);
    return nullptr;
  } catch (const moorea::Error&) {
    return std::current_exception();
  }
  /// Says so if the file names a rule without its definition, which comes from `file` or from a pattern.
  void say_lost_definition(const moorea::Rule& rule, const std::string& file) const;
  /// Of a pattern of a plane: `tree` has the cells, or else the pattern.
  void write(const moorea::Pattern& pattern, const std::optional<moorea::CellTree>& tree) const;

 private:
  moorea::Pattern facts_of(const moorea::WorldSpec& world, std::uint64_t generation) const;
  void write_cells(const moorea::CellTree& cells, const moorea::Pattern& facts) const;
  void report_window(Json& report) const;
};

}  // namespace app
