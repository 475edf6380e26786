// SPDX-License-Identifier: MIT
// List of formats, and selection of a file's format.
#include "moorea/pattern.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

#include "model/coordinates.h"
#include "model/placed_quadtree.h"
#include "moorea/cell_tree.h"
#include "moorea/checkpoint.h"
#include "moorea/ranks.h"
#include "moorea/support/file_names.h"
#include "patterns/files.h"
#include "patterns/format.h"
#include "patterns/requirements.h"
#include "patterns/text.h"

namespace moorea {
namespace {

using patterns::Format;

std::string extension(std::string path) {
  if (has_ending(path, ".gz")) path.resize(path.size() - 3);
  std::string end = std::filesystem::path(path).extension().string();
  std::transform(end.begin(), end.end(), end.begin(), [](unsigned char c) { return std::tolower(c); });
  return end;
}

const Format* by_extension(const std::string& path) {
  const std::string end = extension(path);
  if (end.empty()) return nullptr;
  for (const Format* format : patterns::format_table()) {
    if ((" " + std::string(format->info.extensions) + " ").find(" " + end + " ") != std::string::npos)
      return format;
  }
  return nullptr;
}

std::string format_names(bool writable) {
  std::string names;
  for (const Format* format : patterns::format_table()) {
    if (format->info.writable || !writable)
      names += (names.empty() ? "" : ", ") + std::string(format->info.name);
  }
  return names;
}

// Returns the first extension of each format that has one: ".rle, .cells or .pbm".
std::string writable_extensions() {
  std::vector<std::string> list;
  for (const Format* format : patterns::format_table()) {
    const std::string_view extensions = format->info.extensions;
    if (format->info.writable && !extensions.empty())
      list.emplace_back(extensions.substr(0, extensions.find(' ')));
  }
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i)
    text += (i == 0 ? "" : i + 1 == list.size() ? " or " : ", ") + list[i];
  return text;
}

}  // namespace

const Format& patterns::format_to_write(const std::string& path, const std::string& name) {
  for (const Format* format : patterns::format_table()) {
    if (format->info.name == name && format->info.writable) return *format;
  }
  if (!name.empty()) {
    throw Error(fmt::format("format \"{}\" cannot be written; expected one of {}", name, format_names(true)),
                ErrorKind::usage);
  }
  if (path == "-") return *patterns::format_table().front();
  const Format* format = by_extension(path);
  if (format == nullptr || !format->info.writable) {
    throw Error(
        fmt::format("{}: the name selects no format; end it in {} (optionally .gz), or name a format: {}",
                    path, writable_extensions(), format_names(true)),
        ErrorKind::usage);
  }
  return *format;
}

namespace {

std::string first_bytes(std::string_view bytes) {
  std::string shown;
  for (const char c : bytes.substr(0, 12)) {
    shown +=
        c >= ' ' && c <= '~' ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return shown;
}

const Format& find_format(std::string_view bytes, const std::string& source) {
  for (const Format* format : patterns::format_table()) {
    if (format->recognises(bytes)) return *format;
  }
  if (patterns::trim(bytes).empty()) throw Error(source + ": empty; expected a pattern");
  if (bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '2' && bytes[1] <= '7') {
    throw Error(fmt::format("{}: of the portable images only bitmaps, P1 and P4, can be read, not P{}",
                            source, bytes[1]));
  }
  for (const Format* format : patterns::format_table()) {
    if (format->resembles != nullptr && format->resembles(bytes)) return *format;
  }
  const bool text = std::all_of(
      bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes.size(), 4096)),
      [](unsigned char c) { return c >= ' ' || c == '\n' || c == '\r' || c == '\t'; });
  const Format* format = by_extension(source);
  if (text && format != nullptr && format->by_extension) return *format;
  throw Error(fmt::format("{}: not a pattern in any of the formats {}: it begins with \"{}\"", source,
                          format_names(false), first_bytes(bytes)));
}

}  // namespace

std::span<const FormatInfo> pattern_formats() {
  static const std::vector<FormatInfo> infos = [] {
    std::vector<FormatInfo> list;
    for (const Format* format : patterns::format_table()) list.push_back(format->info);
    return list;
  }();
  return infos;
}

namespace {

// Reads the text of a file, without what compression or an editor has added.
template <class Read>
Pattern parse_with(std::string_view bytes, const std::string& source, const Read& read) {
  const bool packed = patterns::is_gzip(bytes);
  const std::string unpacked = packed ? patterns::gunzip(bytes, source) : std::string();
  std::string_view text = packed ? unpacked : bytes;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::optional<std::string> lines = patterns::with_newlines(text);
  if (lines) text = *lines;
  const Format& format = find_format(text, source);
  Pattern pattern;
  try {
    pattern = read(format, text);
  } catch (const Error& error) {
    // The grid does not know the file name
    if (std::string_view(error.what()).starts_with(source)) throw;
    throw Error(source + ": " + error.what());
  }
  pattern.format = format.info.name;
  return pattern;
}

}  // namespace

Pattern parse_pattern(std::string_view bytes, const std::string& source, double max_cells) {
  return parse_with(bytes, source, [&](const Format& format, std::string_view text) {
    return format.read(text, {source, max_cells});
  });
}

namespace {

// Checkpoints are read by chunks, so that a large one is not in memory twice. `sparse`, if it is not null,
// receives cells that are saved as a tree.
std::optional<Pattern> read_checkpoint(const std::string& path, std::optional<CellTree>* sparse) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::string begin(32, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (!CheckpointReader::recognises(begin)) return std::nullopt;
  const CheckpointReader reader(path);
  if (sparse == nullptr || !reader.header().tree_words) return reader.pattern();
  *sparse = reader.tree();
  return reader.facts();
}

}  // namespace

Pattern read_pattern(const std::string& path) {
  if (std::optional<Pattern> checkpoint = read_checkpoint(path, nullptr)) return std::move(*checkpoint);
  return parse_pattern(patterns::read_bytes(path), path == "-" ? "standard input" : path);
}

Pattern read_pattern(const std::string& path, std::optional<CellTree>& sparse, double min_cells_a_live_one) {
  sparse.reset();
  if (std::optional<Pattern> checkpoint = read_checkpoint(path, &sparse)) return std::move(*checkpoint);
  return parse_pattern(patterns::read_bytes(path), path == "-" ? "standard input" : path, sparse,
                       min_cells_a_live_one);
}

Pattern parse_pattern(std::string_view bytes, const std::string& source, std::optional<CellTree>& sparse,
                      double min_cells_a_live_one) {
  sparse.reset();
  constexpr double min_cells = 1 << 26;
  return parse_with(bytes, source, [&](const Format& format, std::string_view text) {
    const auto is_sparse = [&](const Box& box, double population) {
      return box.area() > min_cells && box.area() > min_cells_a_live_one * population;
    };
    if (format.read_tree != nullptr) {
      std::optional<patterns::PatternTree> file = format.read_tree(text, source, is_sparse);
      const bool is_bounded = file && file->facts.rule.find(':') != std::string::npos;
      if (file && !is_bounded) {
        sparse = CellTree(PlacedQuadtree{std::move(file->tree), {}, {}});
        return std::move(file->facts);
      }
    }
    return format.read(text, {source, std::numeric_limits<double>::infinity()});
  });
}

void patterns::require_written_generation(std::uint64_t generation) {
  if (generation > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw Error(fmt::format("generation {}: patterns are written up to 2^63 - 1", generation),
                ErrorKind::usage);
}

void check_writable(const std::string& path, const std::string& format) {
  patterns::format_to_write(path, format);
  patterns::check_can_create(path);
}

namespace {

const Format& format_for(const Pattern& pattern, const std::string& path, const std::string& name) {
  const Format& format = patterns::format_to_write(path, name);
  if (pattern.position) require_coordinates(pattern.position->x, pattern.position->y, "the pattern's cells");
  patterns::require_written_generation(pattern.generation);
  if (pattern.states && !format.has_states) {
    throw Error(fmt::format("format \"{}\" has two states: write RLE or Macrocell", format.info.name),
                ErrorKind::usage);
  }
  return format;
}

}  // namespace

void write_pattern(const Pattern& pattern, const std::string& path, const std::string& format) {
  const Format& writer = format_for(pattern, path, format);
  patterns::FileSink sink(path);
  writer.write(pattern, sink);
  sink.finish();
}

std::string format_pattern(const Pattern& pattern, const std::string& format) {
  patterns::StringSink sink;
  format_for(pattern, "-", format).write(pattern, sink);
  return std::move(sink.text);
}

Position place_of(const Pattern& pattern, Size world) {
  const Size size = pattern.header.value_or(Size{pattern.cells.width(), pattern.cells.height()});
  if (pattern.position) {
    require_coordinates(pattern.position->x, pattern.position->y, "a pattern");
    return {world.width / 2 + pattern.position->x, world.height / 2 + pattern.position->y};
  }
  if (pattern.header &&
      (size.width < 1 || size.height < 1 || size.width > world.width || size.height > world.height))
    return {0, 0};
  return {world.width / 2 - size.width / 2, world.height / 2 - size.height / 2};
}

Position patterns::middle_of(const Pattern& pattern) {
  return {-(pattern.cells.width() / 2), -(pattern.cells.height() / 2)};
}

Position patterns::written_position(const Pattern& pattern) {
  if (pattern.position) return *pattern.position;
  if (!pattern.header || pattern.rule.find(':') == std::string::npos) return middle_of(pattern);
  try {
    const WorldSpec world = pattern.world();
    if (world.is_unbounded() || world.width <= 0) return middle_of(pattern);
    const Position place = place_of(pattern, {world.width, world.height});
    return {place.x - world.width / 2, place.y - world.height / 2};
  } catch (const Error&) {
    return middle_of(pattern);  // of a rule that Moorea does not run
  }
}

Position require_place(const Pattern& pattern, Size world) {
  const Position corner = place_of(pattern, world);
  const std::optional<Box> box = pattern.cells.bounding_box();
  if (!box) return corner;
  const Box live = box->translated(corner);
  if (Box{0, 0, world.width, world.height}.contains(live)) return corner;
  const bool could_fit = live.width <= world.width && live.height <= world.height;
  throw Error(fmt::format(
      "the pattern, {} x {} cells at ({}, {}), does not fit into a world of {} x {} with ({}, {}) as its "
      "top-left cell; enlarge the world{}",
      live.width, live.height, live.x - world.width / 2, live.y - world.height / 2, world.width, world.height,
      -(world.width / 2), -(world.height / 2), could_fit ? " or centre the pattern" : ""));
}

void require_states(const Pattern& pattern, int states) {
  const int largest = pattern.states ? pattern.states->largest_state() : 0;
  if (largest < states) return;
  throw Error(fmt::format("the pattern has cells in state {}, but the states of the rule are 0 to {}",
                          largest, states - 1));
}

static Grid rows_of_live_cells(const Pattern& pattern, Size world, std::int64_t top, std::int64_t rows) {
  const Position corner = require_place(pattern, world);
  Grid part(world.width, rows);
  part.paste(pattern.cells, {corner.x, corner.y - top});
  return part;
}

Grid place_rows(const Pattern& pattern, Size world, std::int64_t top, std::int64_t rows) {
  require_states(pattern, 2);
  return rows_of_live_cells(pattern, world, top, rows);
}

Grid place(const Pattern& pattern, std::int64_t width, std::int64_t height) {
  return rows_of_live_cells(pattern, {width, height}, 0, height);
}

Cells place_states(const Pattern& pattern, std::int64_t width, std::int64_t height, int states) {
  const Position corner = require_place(pattern, {width, height});
  require_states(pattern, states);
  Cells cells(width, height, states);
  if (pattern.states)
    cells.paste(*pattern.states, corner);
  else
    cells.plane(0).paste(pattern.cells, corner);  // state 1 is digit 0
  return cells;
}

}  // namespace moorea
