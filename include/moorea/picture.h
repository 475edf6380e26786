// SPDX-License-Identifier: MIT
// Pictures of worlds: how full squares of cells are, how old cells are, how often they change.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moorea/grid.h"
#include "moorea/simulation.h"

namespace moorea {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

/// The colour of each level; level 0 is a picture's ground.
using Palette = std::array<Colour, 256>;

struct PaletteInfo {
  std::string_view name;
  std::string_view summary;
};

/// Palettes by name; eyes that see fewer colours can read all of them.
std::span<const PaletteInfo> palettes();

/// Throws Error (usage) with the names for one that is not known.
Palette palette(std::string_view name);

/// A level for each pixel, row by row from the top.
struct Picture {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::uint8_t> levels;
};

/// The part of a world that a picture shows: a raster, of which each square becomes `zoom` x `zoom` pixels.
struct View {
  Raster raster;
  int zoom = 1;  ///< 1 to max_zoom
};
constexpr int max_zoom = 64;

/// The view that shows a box as large as it can, its longer side at most `pixels` (at least 1), its cells at
/// most `zoom` pixels wide: by whole numbers of pixels a cell, or of cells a
/// pixel, of these max_raster_scale at most, so that it is larger where that is too few. Throws Error
/// (usage) for fewer pixels than one and for a box beyond max_coordinate.
View fitted(const Box& box, std::int64_t pixels, int zoom);

/// The frame of a picture of all that lives.
struct Framing {
  Box box;                     ///< without escapees
  Box all;                     ///< of all live cells, as Simulation::bounding_box()
  std::uint64_t left_out = 0;  ///< live cells outside `box`
};

/// Frames what lives without the few cells that make its box much larger, such as gliders that flew off: at
/// most a fifth of the cells, and 2 % of them only where that halves the frame's area, 10 % where a 36th of
/// it stays. Nothing where nothing lives. Takes some calls of Simulation::density().
std::optional<Framing> frame_of(const Simulation& simulation);

/// The level of a square with so many live cells of so many: 0 where nothing lives, and so that few cells in
/// many can be seen.
std::uint8_t density_level(std::uint32_t alive, std::int64_t cells);

/// density_level() of each of some squares of `cells` cells, faster than one by one.
std::vector<std::uint8_t> density_levels(std::span<const std::uint32_t> alive, std::int64_t cells);

/// How full the squares are. Throws as Simulation::density(), and Error (usage) for a zoom that cannot be.
Picture draw_density(const Simulation& simulation, const View& view);

/// What the cells of a box have done in the generations that it was shown, one after the other.
class CellHistory {
 public:
  /// Throws Error (run) where it does not fit in memory: it takes 34 bytes a cell.
  explicit CellHistory(const Box& box);

  /// The next generation: looks at the box in the simulation.
  void add(const Simulation& simulation);

  /// The longest that a cell of each square has lived without a break, up to 255 generations.
  Picture draw_age(const View& view) const;

  /// How often the cells of each square changed in the last 255 generations, of the times that they could.
  Picture draw_activity(const View& view) const;

  const Box& box() const { return box_; }

 private:
  void count_flips(const Grid& flips, int by);
  template <class Level>
  Picture draw(const View& view, const Level& level) const;

  Box box_;
  Grid before_;
  std::vector<std::uint8_t> ages_, changes_;
  std::deque<Grid> flips_;  // the cells that changed, in each of the last 255 generations
};

/// Whether write_picture() takes a file of this name: one that ends in .png or .pbm, or "-". Throws Error
/// (usage) otherwise, Error (unavailable) where this build cannot write that format.
void check_picture_path(const std::string& path);

/// The same, and whether a picture of this view is not larger than the format can be (PNG: 1,000,000 pixels a
/// side), which throws Error (usage).
void check_picture(const View& view, const std::string& path);

/// Writes a picture in the format that the file's name tells, as PNG to standard output for "-"; .pbm has two
/// colours: what is not level 0 is black. The file appears under its name only when it is complete. Throws as
/// check_picture_path(), and Error (run) where it cannot be written.
void write_picture(const Picture& picture, const Palette& palette, const std::string& path);

/// Throws Error (usage) unless a picture has a level for each of its pixels.
void require_levels(const Picture& picture);

/// The bytes of a PNG file, with the palette inside. Throws Error (unavailable) in a build without libpng,
/// Error (usage) for a picture that has not a level for each pixel, Error (run) for one that is larger than
/// PNG can be.
std::string png_bytes(const Picture& picture, const Palette& palette);

/// Red, green and blue of each pixel, row by row.
std::string rgb_bytes(const Picture& picture, const Palette& palette);

}  // namespace moorea
