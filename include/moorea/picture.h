// SPDX-License-Identifier: MIT
// Pictures of worlds: population density, age and activity of cells.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moorea/colour.h"
#include "moorea/grid.h"
#include "moorea/rule.h"
#include "moorea/simulation.h"

#pragma GCC visibility push(default)
namespace moorea {

struct PaletteInfo {
  std::string_view name;
  std::string_view summary;
};

/// All palettes. Each is readable with colour vision deficiencies.
std::span<const PaletteInfo> palettes();

/// A palette by name. Throws Error (usage), with all names, for an unknown one.
Palette palette(std::string_view name);

/// What the colour of a pixel means.
enum class Colouring {
  cells,     ///< the state of a cell, or the population density of a square
  age,       ///< how long a cell has been alive: the older, the brighter
  trails,    ///< newly born cells are brightest and settle, dead ones leave trails that fade
  activity,  ///< how often a cell changed
};

/// Live cells have at least this level in all pictures of levels; below it are trails, and 0 is dead.
constexpr std::uint8_t min_live_level = 104;

struct ColouringInfo {
  Colouring colouring;
  std::string_view name;
  std::string_view summary;
};

/// All colourings, cells first.
std::span<const ColouringInfo> colourings();

/// A colouring by name. Throws Error (usage), with all names, for an unknown one.
Colouring colouring(std::string_view name);

/// Colours of the states of a rule whose states have meanings: the colours of its file (@COLORS), and those
/// that Golly and LifeViewer give WireWorld and rules with history. Entries from states() on are those of
/// state 0. Empty for other rules: those of two states, and those whose cells die by degrees.
std::optional<Palette> state_colours(const Rule& rule);

/// Levels of width x height pixels, row-major from the top.
struct Picture {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::uint8_t> levels;
};

/// Part of a world that a picture shows: a raster whose squares are drawn as `zoom` x `zoom` pixels.
struct View {
  Raster raster;
  int zoom = 1;  ///< 1 to max_zoom
};
constexpr int max_zoom = 64;

/// Largest view of a box whose longer side has at most `pixels` pixels (at least 1). A cell is at most `zoom`
/// pixels wide, or a pixel is a whole number of cells, at most max_far_scale: the view of a very large box
/// exceeds `pixels`. Throws Error (usage) for less than one pixel or a box beyond max_coordinate.
View fitted(const Box& box, std::int64_t pixels, int zoom);

/// Frame of a picture of all live cells.
struct Framing {
  Box box;                     ///< frame without escapees
  Box all;                     ///< Simulation::bounding_box()
  std::uint64_t left_out = 0;  ///< live cells outside `box`
};

/// Finds a frame that leaves out escapees, few cells that enlarge the bounding box much, such as gliders that
/// flew away: at most 20 % of the live cells; 2 % only if that halves the frame's area, 10 % only if at most
/// 1/36 of it remains. Empty if all cells are dead. Costs several calls of Simulation::density().
std::optional<Framing> frame_of(const Simulation& simulation);

/// Level of a square of `cells` cells of which `alive` are alive: 0 if none is; a few live cells are visible.
std::uint8_t density_level(std::uint32_t alive, std::int64_t cells);

/// density_level() of several squares of `cells` cells each, faster than separate calls.
std::vector<std::uint8_t> density_levels(std::span<const std::uint32_t> alive, std::int64_t cells);

/// Draws the population density of a view. Where a square is a cell of a rule with more than two states, a
/// live cell has level 255, and dying ones have lower levels, the lower the later their state. Throws Error
/// as Simulation::density() does, and Error (usage) for an invalid zoom.
Picture draw_density(const Simulation& simulation, const View& view);

/// Draws the states of the cells of a view whose squares are cells: the level of a pixel is the state. Throws
/// Error as draw_density() does, and Error (usage) for squares of more than a cell.
Picture draw_states(const Simulation& simulation, const View& view);

/// Age, trails and activity of the cells of a box, accumulated generation by generation.
class CellHistory {
 public:
  /// Allocates 35 bytes per cell. Throws Error (memory) if they do not fit in memory.
  explicit CellHistory(const Box& box);

  /// Reads the box from the simulation, which must have advanced by one generation since the previous call.
  void add(const Simulation& simulation);

  /// Draws the maximum age of the cells of each square: the level grows with the square
  /// root of the consecutive generations alive, up to 255 of them.
  Picture draw_age(const View& view) const;

  /// Draws the trails of each square: the level of its brightest cell. A newly born cell has level 255, which
  /// falls to 160 in 95 generations; one that died has level 103, which falls to 0 in 103 generations.
  Picture draw_trails(const View& view) const;

  /// Draws the activity of each square: the level grows with the square root of the fraction of state changes
  /// among all cells in the last 255 generations.
  Picture draw_activity(const View& view) const;

  /// Draws one of these, or Colouring::cells as squares with and without live cells.
  Picture draw(Colouring colouring, const View& view) const;

  const Box& box() const { return box_; }

 private:
  void count_flips(const Grid& flips, int by);
  template <class Level>
  Picture draw_squares(const View& view, const Level& level) const;

  Box box_;
  Grid before_;
  std::vector<std::uint8_t> ages_, changes_;
  std::vector<std::uint8_t> deaths_;  // generations since a cell died; 0 if it never did, or is alive
  std::deque<Grid> flips_;            // the cells that changed, in each of the last 255 generations
};

/// Checks that write_picture() accepts a file name: it ends in .png or .pbm, or is "-". Throws Error (usage)
/// for other names, Error (unavailable) if this build cannot write the format.
void check_picture_path(const std::string& path);

/// Checks the file name as check_picture_path() does, and that the view's picture is not too large for the
/// format (PNG: 1,000,000 pixels per side). Throws Error (usage) if it is.
void check_picture(const View& view, const std::string& path);

/// Writes a picture in the format of the file name's extension; "-" is PNG on standard output. PBM has two
/// colours: all levels above 0 are black. The file appears under its name only when it is complete. Throws
/// Error as check_picture_path() does, and Error (run) if writing fails.
void write_picture(const Picture& picture, const Palette& palette, const std::string& path);

/// Throws Error (usage) unless a picture has a level for each of its pixels.
void require_levels(const Picture& picture);

/// Encodes a picture as a PNG file with a palette. Throws Error (unavailable) in a build without libpng,
/// Error (usage) if the number of levels is not the number of pixels, Error (run) if the picture is too large
/// for PNG.
std::string png_bytes(const Picture& picture, const Palette& palette);

/// Red, green and blue bytes of each pixel, row-major.
std::string rgb_bytes(const Picture& picture, const Palette& palette);

}  // namespace moorea
#pragma GCC visibility pop
