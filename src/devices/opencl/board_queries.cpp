// SPDX-License-Identifier: MIT
// Queries of OpenClBoard.
#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "devices/opencl/board_kernels.h"
#include "model/hash.h"

namespace moorea::opencl {

// Returns the number of live cells of all packed rows, after before_count(rows) has processed them.
template <class BeforeCount>
std::uint64_t OpenClBoard::counted(const BeforeCount& before_count) const {
  std::vector<cl_ulong> sums(query_groups);
  MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), answers_.get(), CL_TRUE, 0, sums.size() * 8, sums.data(), 0,
            nullptr, nullptr);
  for_rows(0, world_.height, [&](const Rows& rows) {
    before_count(rows);
    run(count_, std::min(query_items, rows.rows * words_per_row_), packed_.get(),
        cl_long{rows.rows * words_per_row_}, answers_.get());
  });
  MOOREA_CL(clEnqueueReadBuffer, queue_.get(), answers_.get(), CL_TRUE, 0, sums.size() * 8, sums.data(), 0,
            nullptr, nullptr);
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

std::uint64_t OpenClBoard::count_cells() const {
  return counted([](const Rows&) {});
}

// The previous generation is in the other buffer.
std::uint64_t OpenClBoard::advance_comparing() {
  if (shape_.digits > 1) return Board::advance_comparing();
  if (other_packed_.get() == nullptr)
    other_packed_ = buffer(static_cast<std::size_t>(4 * words_per_row_ * rows_at_once_));
  pass(1);
  return counted([&](const Rows& rows) {
    pack(buffers_[static_cast<std::size_t>(1 - current_)].get(), rows, other_packed_);
    const std::int64_t words = rows.rows * words_per_row_;
    run(keep_unlike_, words, packed_.get(), other_packed_.get(), cl_long{words});
  });
}

// The sum of the states, each times the hash of the cells in it, by the digits from the highest on.
std::uint64_t OpenClBoard::hash_cells(Position origin) const {
  std::uint64_t hash = 0;
  for (std::int64_t digit = shape_.digits; digit-- > 0;)
    hash = hash_add(hash_add(hash, hash), hash_digit(digit, origin));
  return hash;
}

std::uint64_t OpenClBoard::hash_digit(std::int64_t digit, Position origin) const {
  const auto powers = [&](std::uint64_t base, std::int64_t first, std::int64_t number) {
    std::vector<cl_ulong> list;
    std::uint64_t power = hash_power(base, first);
    for (std::int64_t i = 0; i < number; ++i, power = hash_multiply(power, base)) list.push_back(power);
    Memory memory = buffer(list.size() * 8);
    MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), memory.get(), CL_TRUE, 0, list.size() * 8, list.data(), 0,
              nullptr, nullptr);
    return memory;
  };
  const Memory columns = powers(hash_column_base, (origin.x >> 6) * 2, words_per_row_ + 2),
               rows = powers(hash_row_base, origin.y, world_.height);
  std::vector<cl_ulong> sums(query_groups);
  MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), answers_.get(), CL_TRUE, 0, sums.size() * 8, sums.data(), 0,
            nullptr, nullptr);
  for_digit_rows(digit, 0, world_.height, [&](const Rows& some) {
    run(hash_, std::min(query_items, some.rows * words_per_row_), packed_.get(), cl_long{words_per_row_},
        cl_long{some.y}, cl_long{some.rows}, static_cast<cl_int>(origin.x & 63), columns.get(), rows.get(),
        answers_.get());
  });
  MOOREA_CL(clEnqueueReadBuffer, queue_.get(), answers_.get(), CL_TRUE, 0, sums.size() * 8, sums.data(), 0,
            nullptr, nullptr);
  std::uint64_t sum = 0;
  for (const cl_ulong part : sums) sum = hash_add(sum, part);
  return sum;
}

Memory OpenClBoard::count_squares(const Raster& raster) const {
  Memory made = buffer(static_cast<std::size_t>(raster.columns * raster.rows) * sizeof(cl_uint));
  const std::int64_t begin = std::max<std::int64_t>(0, raster.y),
                     end = std::min(world_.height, raster.y + raster.rows * raster.scale);
  for_rows(begin, end, [&](const Rows& rows) {
    const std::int64_t top = (rows.y - raster.y) / raster.scale,
                       bottom = (rows.y + rows.rows - 1 - raster.y) / raster.scale;
    const std::int64_t all = (bottom - top + 1) * raster.columns;
    run(add_density_, all, packed_.get(), cl_long{words_per_row_}, cl_long{rows.y}, cl_long{rows.rows},
        cl_long{world_.width}, cl_long{raster.x}, cl_long{raster.y}, cl_long{raster.columns},
        cl_long{raster.scale}, cl_long{top}, cl_long{all}, made.get());
  });
  return made;
}

std::vector<std::uint32_t> OpenClBoard::density(const Raster& raster) const {
  const Memory counted = count_squares(raster);
  std::vector<std::uint32_t> squares(static_cast<std::size_t>(raster.columns * raster.rows));
  MOOREA_CL(clEnqueueReadBuffer, queue_.get(), counted.get(), CL_TRUE, 0, squares.size() * sizeof squares[0],
            squares.data(), 0, nullptr, nullptr);
  return squares;
}

std::vector<std::uint8_t> OpenClBoard::levels(const Raster& raster,
                                              std::span<const std::uint32_t> limits) const {
  const Memory squares = count_squares(raster);
  std::vector<std::uint8_t> levels(static_cast<std::size_t>(raster.columns * raster.rows));
  const Memory made = buffer(static_cast<std::size_t>(rounded_up(std::ssize(levels), 4))),
               known = buffer(std::max(limits.size_bytes(), sizeof(cl_uint)));
  if (!limits.empty())
    MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), known.get(), CL_TRUE, 0, limits.size_bytes(), limits.data(),
              0, nullptr, nullptr);
  const auto number = static_cast<std::int64_t>(levels.size());
  run(levels_of_, number, squares.get(), cl_long{number}, known.get(), static_cast<cl_int>(limits.size()),
      made.get());
  MOOREA_CL(clEnqueueReadBuffer, queue_.get(), made.get(), CL_TRUE, 0, levels.size(), levels.data(), 0,
            nullptr, nullptr);
  return levels;
}

std::optional<Box> OpenClBoard::find_box() const {
  constexpr cl_long far = std::numeric_limits<cl_long>::max();
  struct Bounds {
    cl_long left = far, right = -1, top = far, bottom = -1;
  };
  std::vector<Bounds> bounds(query_groups);
  const std::size_t bytes = bounds.size() * sizeof(Bounds);
  MOOREA_CL(clEnqueueWriteBuffer, queue_.get(), answers_.get(), CL_TRUE, 0, bytes, bounds.data(), 0, nullptr,
            nullptr);
  for_rows(0, world_.height, [&](const Rows& rows) {
    run(extend_, std::min(query_items, rows.rows * words_per_row_), packed_.get(), cl_long{words_per_row_},
        cl_long{rows.y}, cl_long{rows.rows * words_per_row_}, answers_.get());
  });
  MOOREA_CL(clEnqueueReadBuffer, queue_.get(), answers_.get(), CL_TRUE, 0, bytes, bounds.data(), 0, nullptr,
            nullptr);
  Bounds all;
  for (const Bounds& part : bounds) {
    all = {std::min(all.left, part.left), std::max(all.right, part.right), std::min(all.top, part.top),
           std::max(all.bottom, part.bottom)};
  }
  if (all.right < 0) return std::nullopt;
  return Box{all.left, all.top, all.right - all.left + 1, all.bottom - all.top + 1};
}

}  // namespace moorea::opencl
