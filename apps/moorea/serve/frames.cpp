// SPDX-License-Identifier: MIT
#include "serve/frames.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <utility>

#include "moorea/picture.h"
#include "serve/deflate.h"

namespace app {
namespace {

constexpr int shades = 15;                             // for squares with live cells
constexpr std::int64_t max_counted_squares = 1 << 22;  // squares of the whole world
constexpr double worth_counting = 1.5;                 // cells of the wanted rasters per cell of the world

std::size_t row_bytes(const Frame& frame) {
  return (static_cast<std::size_t>(frame.raster.columns) * static_cast<std::size_t>(frame.bits) + 7) / 8;
}

void draw_cells(const moorea::Simulation& simulation, Frame& frame) {
  const moorea::Raster& raster = frame.raster;
  const moorea::Grid cells = simulation.window({raster.x, raster.y, raster.columns, raster.rows});
  const std::size_t bytes = row_bytes(frame);
  frame.squares.resize(bytes * static_cast<std::size_t>(raster.rows));
  for (std::int64_t y = 0; y < raster.rows; ++y) {
    char* to = frame.squares.data() + static_cast<std::size_t>(y) * bytes;
    const std::uint64_t* row = cells.row(y);
    for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<char>(row[i / 8] >> 8 * (i % 8));
  }
}

// Shade 1 is the dimmest level of a square with a live cell.
std::array<std::uint8_t, 256> shades_of_levels() {
  constexpr int dimmest = moorea::min_live_level;
  std::array<std::uint8_t, 256> table{};
  for (int level = dimmest; level < 256; ++level)
    table[level] = static_cast<std::uint8_t>(1 + (level - dimmest) * (shades - 1) / (255 - dimmest));
  return table;
}

// Packs numbers below 16, one per square.
void pack_digits(const std::vector<std::uint8_t>& digits, Frame& frame) {
  const moorea::Raster& raster = frame.raster;
  const std::size_t bytes = row_bytes(frame), columns = static_cast<std::size_t>(raster.columns);
  frame.squares.resize(bytes * static_cast<std::size_t>(raster.rows));
  for (std::size_t y = 0; y < static_cast<std::size_t>(raster.rows); ++y) {
    const std::uint8_t* from = digits.data() + y * columns;
    char* to = frame.squares.data() + y * bytes;
    for (std::size_t x = 0; x + 1 < columns; x += 2)
      to[x / 2] = static_cast<char>(from[x] | from[x + 1] << 4);
    if (columns % 2 == 1) to[columns / 2] = static_cast<char>(from[columns - 1]);
  }
}

void draw_shades(std::vector<std::uint8_t> levels, Frame& frame) {
  static const std::array<std::uint8_t, 256> shade_of = shades_of_levels();
  for (std::uint8_t& level : levels) level = shade_of[level];
  pack_digits(levels, frame);
}

void draw_states(const moorea::Simulation& simulation, Frame& frame) {
  const std::vector<std::uint8_t> states = moorea::draw_states(simulation, {frame.raster, 1}).levels;
  if (frame.bits == 4) return pack_digits(states, frame);
  frame.squares.assign(states.begin(), states.end());
}

}  // namespace

std::string_view name_of(moorea::Colouring colouring) {
  return std::ranges::find(moorea::colourings(), colouring, &moorea::ColouringInfo::colouring)->name;
}

std::string packed(const Json& json, std::string_view bytes) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string message;
  message.reserve(4 + text.size() + bytes.size());
  for (int i = 0; i < 4; ++i) message += static_cast<char>(text.size() >> 8 * i);
  message += text;
  message += bytes;
  return message;
}

RasterKey key_of(const moorea::Raster& raster) {
  return {raster.x, raster.y, raster.columns, raster.rows, raster.scale};
}

moorea::Raster clipped(moorea::Raster raster, const moorea::Simulation& world) {
  if (world.grows()) return raster;
  const auto clip = [&](std::int64_t& first, std::int64_t& number, std::int64_t cells) {
    const std::int64_t begin = first < 0 ? std::min(-first / raster.scale, number - 1) : 0;
    const std::int64_t left = std::max<std::int64_t>(cells - first, 1);
    const std::int64_t end = std::clamp((left + raster.scale - 1) / raster.scale, begin + 1, number);
    first += begin * raster.scale;
    number = end - begin;
  };
  clip(raster.x, raster.columns, world.width());
  clip(raster.y, raster.rows, world.height());
  return raster;
}

FrameMaker::FrameMaker(const moorea::Simulation& simulation, std::vector<moorea::Raster> wanted)
    : simulation_(simulation) {
  if (simulation.grows()) return;
  // Squares of at least 8 cells: the smallest that a raster wants, or larger ones for a large world
  constexpr std::int64_t minimum = 8;
  std::int64_t scale = moorea::max_raster_scale;
  for (const moorea::Raster& raster : wanted) {
    if (raster.scale >= minimum) scale = std::min(scale, raster.scale);
  }
  const std::int64_t width = simulation.width(), height = simulation.height();
  while ((width / scale + 1) * (height / scale + 1) > max_counted_squares) scale *= 2;
  whole_ = moorea::Raster{0, 0, (width + scale - 1) / scale, (height + scale - 1) / scale, scale};
  std::erase_if(wanted, [&](const moorea::Raster& raster) { return !is_sum(raster); });
  std::set<RasterKey> different;
  double cells = 0;
  for (const moorea::Raster& raster : wanted) {
    if (!different.insert(key_of(raster)).second) continue;
    cells += static_cast<double>(raster.columns) * static_cast<double>(raster.rows) *
             static_cast<double>(raster.scale * raster.scale);
  }
  const bool pays = cells > worth_counting * static_cast<double>(width) * static_cast<double>(height);
  if (pays && different.size() > 1 && scale <= moorea::max_raster_scale) {
    counted_ = simulation.density(*whole_);
  } else {
    whole_.reset();
  }
}

// Whether a raster's squares are sums of those that were counted.
bool FrameMaker::is_sum(const moorea::Raster& raster) const {
  return whole_ && raster.scale <= moorea::max_raster_scale && raster.scale % whole_->scale == 0 &&
         raster.x % whole_->scale == 0 && raster.y % whole_->scale == 0;
}

// Density of a raster's squares, as levels of density_level().
std::vector<std::uint8_t> FrameMaker::levels(const moorea::Raster& raster) const {
  if (!is_sum(raster)) return moorea::draw_density(simulation_, {raster, 1}).levels;
  std::vector<std::uint32_t> squares(static_cast<std::size_t>(raster.columns * raster.rows));
  const std::int64_t scale = whole_->scale, side = raster.scale / scale;
  const std::int64_t left = raster.x / scale, top = raster.y / scale;
  const std::int64_t first = std::max<std::int64_t>(left, 0),
                     last = std::min(left + raster.columns * side, whole_->columns);
  for (std::int64_t y = std::max<std::int64_t>(top, 0); y < std::min(top + raster.rows * side, whole_->rows);
       ++y) {
    const std::uint32_t* from = counted_.data() + y * whole_->columns;
    std::uint32_t* to = squares.data() + (y - top) / side * raster.columns;
    for (std::int64_t x = first; x < last;) {
      const std::int64_t square = (x - left) / side, end = std::min(left + (square + 1) * side, last);
      std::uint32_t sum = 0;
      for (; x < end; ++x) sum += from[x];
      to[square] += sum;
    }
  }
  return moorea::density_levels(squares, raster.scale * raster.scale);
}

FramePointer FrameMaker::draw(const moorea::Raster& raster) {
  FramePointer& known = drawn_[key_of(raster)];
  if (!known) {
    const int states = simulation_.rule().states();
    const bool has_shades = raster.scale != 1;
    Frame frame;
    frame.raster = raster;
    frame.bits = has_shades || (states > 2 && states <= 16) ? 4 : states == 2 ? 1 : 8;
    if (has_shades) {
      draw_shades(levels(raster), frame);
    } else if (states > 2) {
      draw_states(simulation_, frame);
    } else {
      draw_cells(simulation_, frame);
    }
    known = std::make_shared<const Frame>(std::move(frame));
  }
  return known;
}

std::string encode_update(const Json& state, const FramePointer& frame, const FramePointer& base) {
  Json update = {{"event", "update"}, {"state", state}};
  const bool delta = frame && base && frame->bits == base->bits && frame->show == base->show &&
                     key_of(frame->raster) == key_of(base->raster);
  if (!frame || (delta && frame->squares == base->squares)) return packed(update);
  std::string changes;
  if (delta) {
    changes = frame->squares;
    for (std::size_t i = 0; i < changes.size(); ++i)
      changes[i] = static_cast<char>(changes[i] ^ base->squares[i]);
  }
  const std::string& raw = delta ? changes : frame->squares;
  // A frame with few changes is mostly zeros, and noise has no other matches
  const std::string small = deflated(raw, Matches::runs);
  const bool is_deflated = !small.empty() && small.size() < raw.size();
  const moorea::Raster& raster = frame->raster;
  update["frame"] = {{"x", raster.x},       {"y", raster.y},          {"columns", raster.columns},
                     {"rows", raster.rows}, {"scale", raster.scale},  {"bits", frame->bits},
                     {"delta", delta},      {"deflated", is_deflated}};
  if (frame->show != moorea::Colouring::cells) {
    update["frame"]["show"] = name_of(frame->show);
    update["frame"]["unit"] = frame->unit;
  }
  return packed(update, is_deflated ? small : raw);
}

}  // namespace app
