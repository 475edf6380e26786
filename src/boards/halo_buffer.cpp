// SPDX-License-Identifier: MIT
#include "boards/halo_buffer.h"

#include <fmt/core.h>

#include <cstring>

#include "model/bits.h"

namespace moorea {
namespace {

using kernels::Layout;

constexpr std::ptrdiff_t alignment = 64;

// The low 64 bits of the row's cells repeated without end, from the cell `phase` on; width below 64.
std::uint64_t repeated(std::uint64_t cells, std::int64_t width, std::int64_t phase) {
  std::uint64_t periodic = cells;
  for (std::int64_t filled = width; filled < 64; filled *= 2) periodic |= periodic << filled;
  return phase == 0 ? periodic : periodic >> phase | periodic << (width - phase);
}

void fill_halo_columns_bits(std::uint64_t* row, std::int64_t width, Topology topology) {
  const std::int64_t words = words_for(width);
  std::uint64_t& last = row[words - 1];
  last &= tail_mask(width);
  if (topology == Topology::plane) {
    row[-1] = row[words] = 0;
  } else if (width < 64) {
    const std::uint64_t cells = row[0];
    row[-1] = repeated(cells, width, modulo(-64, width));
    row[0] = repeated(cells, width, 0);
    row[1] = repeated(cells, width, modulo(64, width));
  } else {
    const int tail = static_cast<int>(width % 64);
    row[-1] = cells_at(row, words, width - 64);
    last |= tail != 0 ? row[0] << tail : 0;
    row[words] = tail != 0 ? row[0] >> (64 - tail) : row[0];
    // A row of two words whose last one is short: its next cells are those of the row's second word
    if (tail != 0) row[words] |= cells_at(row, words, 64) << tail;
  }
}

void fill_halo_columns_bytes(std::byte* row, std::int64_t width, Topology topology, int depth) {
  for (std::int64_t i = 1; i <= depth; ++i) {
    const bool torus = topology == Topology::torus;
    row[-i] = torus ? row[modulo(-i, width)] : std::byte{0};
    row[width - 1 + i] = torus ? row[(i - 1) % width] : std::byte{0};
  }
}

}  // namespace

std::ptrdiff_t field_pitch(Layout layout, std::int64_t width) {
  const std::int64_t cells = layout == Layout::bits ? words_for(width) * 8 + 8 : width + 64;
  std::ptrdiff_t pitch = (field_left_margin + cells + alignment - 1) / alignment * alignment;
  // Rows that lie a multiple of a page apart would share their places in the first-level cache
  if (pitch % 4096 == 0) pitch += alignment;
  return pitch;
}

double field_bytes(Layout layout, std::int64_t width, std::int64_t height, int depth) {
  return static_cast<double>(field_pitch(layout, width)) * (static_cast<double>(height) + 2.0 * depth) +
         2 * alignment;
}

void fill_halo(const Field& field, Topology topology, int depth) {
  for (std::int64_t y = 0; y < field.height; ++y) {
    if (field.layout == Layout::bits) {
      fill_halo_columns_bits(field.words(y), field.width, topology);
    } else {
      fill_halo_columns_bytes(field.row(y), field.width, topology, depth);
    }
  }
  const std::ptrdiff_t left = field.layout == Layout::bits ? 8 : depth;
  const auto bytes =
      static_cast<std::size_t>(field.layout == Layout::bits ? (words_for(field.width) + 2) * 8
                                                            : field.width + 2 * std::int64_t{depth});
  const auto fill = [&](std::int64_t to, std::int64_t from) {
    if (topology == Topology::torus) {
      std::memcpy(field.row(to) - left, field.row(modulo(from, field.height)) - left, bytes);
    } else {
      std::memset(field.row(to) - left, 0, bytes);
    }
  };
  for (std::int64_t i = 1; i <= depth; ++i) {
    fill(-i, -i);
    fill(field.height - 1 + i, i - 1);
  }
}

FieldBuffer::FieldBuffer(Layout layout, std::int64_t width, std::int64_t height, int depth)
    : memory_(field_bytes(layout, width, height, depth),
              fmt::format("a buffer for {} x {} cells", width, height)),
      field_{layout, memory_.begin() + field_left_margin, field_pitch(layout, width), width, height} {
  field_.first += field_.pitch * depth;
}

}  // namespace moorea
