// SPDX-License-Identifier: MIT
#include "cli/cell_output.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/trees.h"
#include "moorea/error.h"
#include "moorea/pattern.h"
#include "moorea/rule.h"
#include "moorea/support/file_names.h"

namespace app {
namespace {

// Whether a rectangle of cells is much larger than what lives in it.
bool is_sparse(const moorea::Box& box, double population) {
  constexpr double min_cells = 1 << 26, min_cells_a_live_one = 1024;
  return box.area() > min_cells && box.area() > min_cells_a_live_one * population;
}

// Coordinates of a pattern are relative to the centre of a bounded world.
moorea::Position centre_of(const moorea::WorldSpec& world) {
  return world.is_unbounded() ? moorea::Position{} : moorea::Position{world.width / 2, world.height / 2};
}

}  // namespace

moorea::Pattern facts_of(const moorea::WorldSpec& world, std::uint64_t generation) {
  moorea::Pattern facts;
  facts.set_world(world);
  facts.generation = generation;
  return facts;
}

static bool may_be_tree(const moorea::Simulation& world, const std::string& path, const std::string& format) {
  return world.grows() && world.rule().has_nine_cells() && moorea::CellTree::can_write(path, format);
}

bool is_written_as_tree(const moorea::Simulation& world, const std::string& path, const std::string& format) {
  if (!may_be_tree(world, path, format)) return false;
  const std::optional<moorea::Box> live = world.bounding_box();
  return live && (world.is_tree() || is_sparse(*live, static_cast<double>(world.population())));
}

std::optional<moorea::BigBox> parse_window(const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::vector<moorea::BigInteger> numbers;
  try {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      numbers.push_back(moorea::BigInteger::parse(text.substr(begin, end - begin)));
      begin = end + 1;
    }
  } catch (const moorea::Error&) {
    numbers.clear();
  }
  if (numbers.size() != 4 || numbers[2] < 1 || numbers[3] < 1)
    usage(
        fmt::format("--window \"{}\": expected X,Y,WIDTH,HEIGHT in cells, such as -50,-50,100,100 or "
                    "2^70,0,64,64, at least one cell",
                    text));
  return moorea::BigBox{numbers[0], numbers[1], numbers[0] + numbers[2] - 1, numbers[1] + numbers[3] - 1};
}

bool CellOutput::is_bitmap(const std::string& path, const std::string& format) {
  return format.starts_with("pbm") ||
         (format.empty() && (moorea::has_ending(path, ".pbm") || moorea::has_ending(path, ".pbm.gz")));
}

void CellOutput::check() const {
  if (!path.empty()) return moorea::check_writable(path, format);
  if (!format.empty()) usage("--format needs -o");
  if (window) usage("--window needs -o");
}

void CellOutput::report_window(Json& report) const {
  if (!window) return;
  report["window"] = {number_json(window->left), number_json(window->top), number_json(window->width()),
                      number_json(window->height())};
}

moorea::Pattern named(const moorea::Pattern& texts, moorea::Pattern pattern) {
  pattern.take_texts(texts);
  return pattern;
}

moorea::Pattern CellOutput::facts_of(const moorea::WorldSpec& world, std::uint64_t generation) const {
  return named(about, app::facts_of(world, generation));
}

void CellOutput::write_cells(const moorea::CellTree& cells, const moorea::Pattern& facts) const {
  (window ? cells.crop(*window) : cells).write(path, facts, format, window);
}

void CellOutput::write(const moorea::Simulation& world, Json& report) const {
  report_window(report);
  moorea::Pattern facts = facts_of(world.world(), world.generation());
  if (!window) {
    if (is_written_as_tree(world, path, format)) return write_cells(moorea::CellTree::of(world), facts);
    return moorea::write_pattern(named(about, world.snapshot(whole)), path, format);
  }
  const std::optional<moorea::Box> box = window->as_box();
  if (!box) usage("--window: coordinates beyond 2^60 need --kernel hashlife");
  if (may_be_tree(world, path, format) && (world.is_tree() || is_sparse(*box, 0)))
    return write_cells(moorea::CellTree::of(world), facts);
  if (world.rule().states() > 2) facts.states = world.states(*box);
  facts.cells = world.window(*box);
  facts.position = box->position() - centre_of(world.world());
  moorea::write_pattern(facts, path, format);
}

void CellOutput::write(const moorea::HashLife& world, Json& report) const {
  report_window(report);
  const bool is_plane = world.world().is_unbounded();
  if (!world.generation().as_signed())
    say(fmt::format("{}: a pattern file has no generation from 2^63 on; it says 0", path));
  if (!window) return world.write(path, about, format, whole);
  moorea::Pattern facts = facts_of(world.world(), world.generation().as_signed().value_or(0));
  // Where all far cells are alive, no tree has those of a window
  const bool is_tree = is_plane && !world.background();
  if (is_tree && moorea::CellTree::can_write(path, format)) return write_cells(world.crop(*window), facts);
  const std::optional<moorea::Box> box = window->as_box();
  if (!is_plane && !box) usage("--window: a torus has no cells beyond its size");
  if (!is_tree && !box)
    usage("--window: where all far cells are alive, coordinates are within 2^60: choose a window there");
  facts.cells = is_tree ? world.crop(*window).grid(*window) : world.window(*box);
  if (box) facts.position = box->position() - centre_of(world.world());
  moorea::write_pattern(facts, path, format);
}

void CellOutput::say_lost_definition(const moorea::Rule& rule, const std::string& file) const {
  if (path.empty()) return;
  const bool is_rle =
      format.empty() ? path == "-" || moorea::has_ending(path, ".rle") || moorea::has_ending(path, ".rle.gz")
                     : format == "rle";
  const bool is_defined = !rule.definition().empty();
  std::error_code error;
  const bool has_file = moorea::has_ending(file, ".rule") && std::filesystem::is_regular_file(file, error);
  if ((is_rle && is_defined) || (!is_defined && !has_file)) return;
  const std::vector<std::string> folders = moorea::rule_folders();
  if (std::ranges::any_of(folders, [&](const std::string& folder) {
        return std::filesystem::is_regular_file(std::filesystem::path(folder) / (rule.str() + ".rule"),
                                                error);
      }))
    return;
  say(fmt::format("{} names the rule {} alone: {}", path == "-" ? "the pattern" : path, rule.str(),
                  has_file
                      ? fmt::format("it is run with --rule {}, or with that file in a folder for rules", file)
                      : "RLE has its definition too"));
}

void CellOutput::write(const moorea::Pattern& pattern, const std::optional<moorea::CellTree>& tree) const {
  if (tree && moorea::CellTree::can_write(path, format)) return write_cells(*tree, pattern);
  if (!window) {
    if (tree) usage(fmt::format("{}: cells that are far apart are written as RLE or macrocell", path));
    return moorea::write_pattern(pattern, path, format);
  }
  moorea::Pattern part = pattern;
  part.header.reset();
  part.position.reset();
  const std::optional<moorea::Box> box = window->as_box();
  if (box) part.position = box->position();
  if (tree) {
    part.cells = tree->grid(*window);
  } else {
    const moorea::Position corner = pattern.position.value_or(
        moorea::Position{-(pattern.cells.width() / 2), -(pattern.cells.height() / 2)});
    if (!box) usage("--window: the pattern has no cells beyond coordinates of 2^60");
    const moorea::Box in_cells = box->translated(moorea::Position{} - corner);
    part.cells = pattern.cells.crop(in_cells);
    if (pattern.states) part.states = pattern.states->crop(in_cells);
  }
  moorea::write_pattern(part, path, format);
}

}  // namespace app
