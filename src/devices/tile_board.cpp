// SPDX-License-Identifier: MIT
#include "devices/tile_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>

#include "devices/threads.h"
#include "model/bits.h"
#include "model/hash.h"

namespace moorea {
namespace {

using kernels::tile_halo;
using kernels::tile_side;

constexpr std::int64_t rows_above = 8;   // words before row 0 of a column, the halo among them
constexpr std::int64_t rows_below = 72;  // behind the last row: a kernel reads whole windows
constexpr std::size_t least_share = 16;  // tiles a thread, for which it pays to wake one
constexpr std::size_t batches = 4;       // of tiles that a thread takes at a time

std::int64_t parts_of(std::int64_t cells) { return (cells + tile_side - 1) / tile_side; }

// A torus narrower than the halo is repeated side by side, which changes nothing
std::int64_t repeated(Topology topology, std::int64_t cells) {
  return topology == Topology::torus && cells < tile_halo ? cells * ((tile_halo + cells - 1) / cells) : cells;
}

std::int64_t column_words(std::int64_t rows) { return (rows_above + rows + rows_below + 7) / 8 * 8; }

double buffer_bytes(std::int64_t width, std::int64_t height) {
  return static_cast<double>(parts_of(width)) * static_cast<double>(column_words(height)) * 8;
}

constexpr std::uint64_t mask_of(int cells) { return (std::uint64_t{1} << cells) - 1; }

}  // namespace

double TileBoard::bytes(Topology topology, std::int64_t width, std::int64_t height) {
  width = repeated(topology, width);
  height = repeated(topology, height);
  const double tiles = static_cast<double>(parts_of(width)) * static_cast<double>(parts_of(height));
  return 2 * buffer_bytes(width, height) + tiles * (4 * sizeof(std::uint64_t) + 3 * sizeof(std::uint32_t));
}

TileBoard::TileBoard(const kernels::Kernel& kernel, const kernels::Binding& binding, kernels::RuleMask rule,
                     Topology topology, std::int64_t width, std::int64_t height, int threads)
    : binding_(binding),
      rule_(rule),
      topology_(topology),
      width_(width),
      height_(height),
      lanes_(kernel.lanes / 64),
      threads_(threads),
      columns_{repeated(topology, width), parts_of(repeated(topology, width))},
      rows_{repeated(topology, height), parts_of(repeated(topology, height))},
      column_words_(column_words(rows_.cells)),
      buffers_{
          Zeroed(buffer_bytes(columns_.cells, rows_.cells), fmt::format("{} x {} cells", width, height)),
          Zeroed(buffer_bytes(columns_.cells, rows_.cells), fmt::format("{} x {} cells", width, height))},
      dead_column_(static_cast<double>(column_words_) * 8, "a column of cells"),
      marks_(std::make_unique<std::atomic<std::uint32_t>[]>(tiles())),
      workers_(static_cast<std::size_t>(threads)) {
  for (Known& known : known_) {
    known.population.assign(tiles(), Known::unknown);
    known.hash.assign(tiles(), Known::unknown);
  }
  wake_all();
}

std::uint64_t* TileBoard::row_zero(int buffer, std::int64_t column) const {
  return reinterpret_cast<std::uint64_t*>(buffers_[static_cast<std::size_t>(buffer)].begin()) +
         column * column_words_ + rows_above;
}

std::uint64_t* TileBoard::words(int buffer, std::size_t tile) const {
  const auto index = static_cast<std::int64_t>(tile);
  return row_zero(buffer, index / rows_.parts) + rows_.begin(index % rows_.parts);
}

void TileBoard::load(const Grid& cells, std::int64_t x, std::int64_t y) {
  for (int buffer = 0; buffer < 2; ++buffer) {
    for (std::int64_t column = 0; column < columns_.parts; ++column) {
      std::uint64_t* first = row_zero(buffer, column) - rows_above;
      if (std::any_of(first, first + column_words_, [](std::uint64_t word) { return word != 0; }))
        std::fill(first, first + column_words_, 0);
    }
    std::fill(known_[static_cast<std::size_t>(buffer)].population.begin(),
              known_[static_cast<std::size_t>(buffer)].population.end(), Known::unknown);
    std::fill(known_[static_cast<std::size_t>(buffer)].hash.begin(),
              known_[static_cast<std::size_t>(buffer)].hash.end(), Known::unknown);
  }
  tiles_computed_ = 0;
  for (std::int64_t column = 0; column < columns_.parts; ++column) {
    std::uint64_t* target = row_zero(current_, column);
    const std::uint64_t mask = mask_of(columns_.size(column));
    for (std::int64_t row = 0; row < rows_.cells; ++row) {
      const std::int64_t from = row % height_ - y;
      if (from < 0 || from >= cells.height()) continue;
      std::uint64_t word = 0;
      // The repetitions of a narrow torus, else once
      for (std::int64_t shift = 0; shift < columns_.cells; shift += width_) {
        const std::int64_t first = columns_.begin(column) - shift;
        word |= (first >= 0 ? cells_at(cells.row(from), cells.words_per_row(), first - x)
                            : cells_at(cells.row(from), cells.words_per_row(), -x) << -first) &
                mask;
        if (columns_.cells == width_) break;
      }
      target[row] = word;
    }
  }
  for (std::size_t tile = 0; tile < tiles(); ++tile) finish(static_cast<std::uint32_t>(tile));
  wake_all();
}

// The rows above and below a torus: a copy of the rows at the other end, made by whoever writes those.
void TileBoard::finish(std::uint32_t tile) {
  if (topology_ == Topology::plane) return;
  const std::int64_t column = tile / rows_.parts, row = tile % rows_.parts;
  if (row != 0 && row != rows_.parts - 1) return;
  std::uint64_t* first = row_zero(current_, column);
  constexpr std::size_t bytes = tile_halo * sizeof(std::uint64_t);
  if (row == 0) std::memcpy(first + rows_.cells, first, bytes);
  if (row == rows_.parts - 1) std::memcpy(first - tile_halo, first + rows_.cells - tile_halo, bytes);
}

kernels::Tile TileBoard::describe(std::uint32_t index) const {
  const std::int64_t column = index / rows_.parts, row = index % rows_.parts;
  const bool torus = topology_ == Topology::torus;
  const bool leftmost = column == 0, rightmost = column == columns_.parts - 1;
  const std::int64_t left = leftmost ? columns_.parts - 1 : column - 1, right = rightmost ? 0 : column + 1;
  const std::int64_t y = rows_.begin(row) - tile_halo;
  const std::uint64_t* dead = reinterpret_cast<const std::uint64_t*>(dead_column_.begin()) + rows_above + y;
  kernels::Tile tile;
  tile.left = leftmost && !torus ? dead : row_zero(current_, left) + y;
  tile.own = row_zero(current_, column) + y;
  tile.right = rightmost && !torus ? dead : row_zero(current_, right) + y;
  tile.to = row_zero(1 - current_, column) + rows_.begin(row);
  tile.left_width = leftmost && !torus ? tile_side : columns_.size(left);
  tile.width = columns_.size(column);
  tile.height = rows_.size(row);
  tile.columns = ~std::uint64_t{0};
  tile.first = 0;
  tile.last = 63;
  if (!torus) {
    if (leftmost) tile.columns &= ~mask_of(tile_halo);
    if (rightmost) tile.columns &= mask_of(tile_halo + tile.width);
    if (row == 0) tile.first = tile_halo;
    if (row == rows_.parts - 1) tile.last = tile_halo + tile.height - 1;
  }
  return tile;
}

bool TileBoard::lives(std::size_t tile) const {
  const std::int64_t height = rows_.size(static_cast<std::int64_t>(tile) % rows_.parts);
  for (int buffer = 0; buffer < 2; ++buffer) {
    const std::uint64_t* row = words(buffer, tile);
    if (std::any_of(row, row + height, [](std::uint64_t word) { return word != 0; })) return true;
  }
  return false;
}

// All tiles are to be computed, but for those that nothing lives in or near.
void TileBoard::wake_all() {
  const bool births = (rule_.birth & 1) != 0;
  Worker& worker = workers_.front();
  worker.next.clear();
  ++pass_;
  for (std::size_t tile = 0; tile < tiles(); ++tile) {
    if (births || lives(tile)) mark_around(static_cast<std::uint32_t>(tile), worker);
  }
  awake_.swap(worker.next);
  worker.next.clear();
  steps_ = 0;
}

void TileBoard::mark(std::int64_t column, std::int64_t row, Worker& worker) {
  if (topology_ == Topology::torus) {
    column = column < 0 ? columns_.parts - 1 : column == columns_.parts ? 0 : column;
    row = row < 0 ? rows_.parts - 1 : row == rows_.parts ? 0 : row;
  } else if (column < 0 || row < 0 || column == columns_.parts || row == rows_.parts) {
    return;
  }
  const std::int64_t tile = column * rows_.parts + row;
  std::atomic<std::uint32_t>& seen = marks_[static_cast<std::size_t>(tile)];
  if (seen.load(std::memory_order_relaxed) == pass_) return;
  if (seen.exchange(pass_, std::memory_order_relaxed) == pass_) return;
  worker.next.push_back(static_cast<std::uint32_t>(tile));
}

void TileBoard::mark_around(std::uint32_t tile, Worker& worker) {
  const std::int64_t column = tile / rows_.parts, row = tile % rows_.parts;
  for (std::int64_t dx = -1; dx <= 1; ++dx) {
    for (std::int64_t dy = -1; dy <= 1; ++dy) mark(column + dx, row + dy, worker);
  }
}

// Computes the tiles first to last - 1 of those awake.
void TileBoard::compute(std::size_t first, std::size_t last, int steps, Worker& worker) {
  const auto target = static_cast<std::size_t>(1 - current_);
  std::array<kernels::Tile, 8> batch;
  for (; first < last; first += static_cast<std::size_t>(lanes_)) {
    const int count = static_cast<int>(std::min<std::size_t>(last - first, static_cast<std::size_t>(lanes_)));
    bool edges = false;
    for (int i = 0; i < count; ++i) {
      kernels::Tile& tile = batch[static_cast<std::size_t>(i)];
      tile = describe(awake_[first + static_cast<std::size_t>(i)]);
      edges = edges || tile.columns != ~std::uint64_t{0} || tile.first != 0 || tile.last != 63;
    }
    const unsigned changed = binding_.tile_step({batch.data(), count, steps, edges, rule_});
    for (int i = 0; i < count; ++i) {
      if (!first_ && (changed >> i & 1) == 0) continue;
      const std::uint32_t tile = awake_[first + static_cast<std::size_t>(i)];
      known_[target].population[tile] = known_[target].hash[tile] = Known::unknown;
      mark_around(tile, worker);
      // The other end of a torus reads a copy
      const std::int64_t row = tile % rows_.parts;
      if (topology_ == Topology::torus && (row == 0 || row == rows_.parts - 1)) {
        std::uint64_t* zero = row_zero(static_cast<int>(target), tile / rows_.parts);
        constexpr std::size_t bytes = tile_halo * sizeof(std::uint64_t);
        if (row == 0) std::memcpy(zero + rows_.cells, zero, bytes);
        if (row == rows_.parts - 1) std::memcpy(zero - tile_halo, zero + rows_.cells - tile_halo, bytes);
      }
    }
    worker.computed += static_cast<unsigned>(count);
  }
}

// What is left to one thread between two passes.
void TileBoard::end_pass() {
  awake_.clear();
  for (Worker& worker : workers_) {
    awake_.insert(awake_.end(), worker.next.begin(), worker.next.end());
    worker.next.clear();
    tiles_computed_ += worker.computed;
    worker.computed = 0;
  }
  current_ = 1 - current_;
  first_ = false;
  ++pass_;
}

void TileBoard::passes(std::uint64_t count, int steps) {
  if (steps != steps_) {
    wake_all();
    steps_ = steps;
    first_ = true;
  }
  ++pass_;
  while (count > 0 && !awake_.empty()) {
    const std::size_t shares = std::min(awake_.size() / least_share, static_cast<std::size_t>(threads_));
    if (shares < 2) {
      compute(0, awake_.size(), steps, workers_.front());
      end_pass();
      --count;
      continue;
    }
    // Several threads, as long as there is work for them
    Barrier barrier;
    std::array<std::atomic<std::size_t>, 2> taken{};
    std::uint64_t left = count;
    team(static_cast<int>(shares), [&](int thread, int threads) {
      Worker& worker = workers_[static_cast<std::size_t>(thread)];
      const std::size_t portion = batches * static_cast<std::size_t>(lanes_);
      for (unsigned turn = 0;; turn ^= 1) {
        for (std::size_t first; (first = taken[turn].fetch_add(portion)) < awake_.size();) {
          compute(first, std::min(first + portion, awake_.size()), steps, worker);
        }
        barrier.wait(threads);
        if (thread == 0) {
          end_pass();
          taken[turn] = 0;
          --left;
        }
        barrier.wait(threads);
        if (left == 0 || awake_.size() < 2 * least_share) return;
      }
    });
    count = left;
  }
  // Everything sleeps; after an odd number of passes it is the other buffer that holds the state
  if (count & 1) current_ = 1 - current_;
}

void TileBoard::advance(std::uint64_t generations) {
  while (generations > 0) {
    // Passes of one length keep what is known of sleepers, so a length that leaves no rest is best
    int steps = tile_halo;
    if (steps_ != 0 && generations % static_cast<unsigned>(steps_) == 0) steps = steps_;
    for (int shorter = tile_halo; shorter > 1 && generations % static_cast<unsigned>(steps) != 0; --shorter) {
      if (generations % static_cast<unsigned>(shorter) == 0) steps = shorter;
    }
    if (generations < static_cast<unsigned>(steps)) steps = static_cast<int>(generations);
    const std::uint64_t count = generations / static_cast<unsigned>(steps);
    passes(count, steps);
    generations -= count * static_cast<unsigned>(steps);
  }
}

double TileBoard::awake() const { return static_cast<double>(awake_.size()) / static_cast<double>(tiles()); }

// Calls per_tile(index) for every tile, on all threads.
template <class PerTile>
void TileBoard::for_tiles(const PerTile& per_tile) const {
  const std::size_t shares =
      std::clamp<std::size_t>(tiles() / (64 * least_share), 1, static_cast<std::size_t>(threads_));
  team(static_cast<int>(shares), [&](int thread, int threads) {
    const std::size_t end =
        tiles() * static_cast<std::size_t>(thread + 1) / static_cast<std::size_t>(threads);
    for (std::size_t i = tiles() * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads);
         i < end; ++i) {
      per_tile(i);
    }
  });
}

std::uint64_t TileBoard::population() const {
  std::atomic<std::uint64_t> total{0};
  Known& known = known_[static_cast<std::size_t>(current_)];
  for_tiles([&](std::size_t tile) {
    std::uint64_t& population = known.population[tile];
    if (population == Known::unknown) {
      const auto index = static_cast<std::int64_t>(tile);
      const std::uint64_t* row = words(current_, tile);
      // Of a torus that is repeated, one time
      const std::int64_t height = std::min<std::int64_t>(rows_.size(index % rows_.parts), height_);
      const std::uint64_t mask = width_ < tile_halo ? mask_of(static_cast<int>(width_)) : ~std::uint64_t{0};
      population = 0;
      for (std::int64_t y = 0; y < height; ++y)
        population += static_cast<unsigned>(std::popcount(row[y] & mask));
    }
    if (population != 0) total.fetch_add(population, std::memory_order_relaxed);
  });
  return total;
}

std::uint64_t TileBoard::hash(std::int64_t x0, std::int64_t y0) const {
  Known& known = known_[static_cast<std::size_t>(current_)];
  if (hash_origin_ != std::pair(x0, y0)) {
    for (Known& each : known_) std::fill(each.hash.begin(), each.hash.end(), Known::unknown);
    hash_origin_ = {x0, y0};
  }
  std::vector<RowHasher> hashers;
  for (std::int64_t column = 0; column < columns_.parts; ++column) {
    hashers.emplace_back(1, x0 + columns_.begin(column));
  }
  std::mutex mutex;
  std::uint64_t total = 0;
  for_tiles([&](std::size_t tile) {
    std::uint64_t& hash = known.hash[tile];
    if (hash == Known::unknown) {
      const auto index = static_cast<std::int64_t>(tile);
      const RowHasher& hash_row = hashers[static_cast<std::size_t>(index / rows_.parts)];
      const std::uint64_t* row = words(current_, tile);
      const std::int64_t height = std::min<std::int64_t>(rows_.size(index % rows_.parts), height_);
      const std::uint64_t mask = width_ < tile_halo ? mask_of(static_cast<int>(width_)) : ~std::uint64_t{0};
      hash = 0;
      for (std::int64_t y = height - 1; y >= 0; --y) {
        const std::uint64_t cells = row[y] & mask;
        hash = hash_add(hash_multiply(hash, hash_row_base), hash_row(&cells, 0));
      }
      if (hash != 0)
        hash = hash_multiply(hash, hash_power(hash_row_base, y0 + rows_.begin(index % rows_.parts)));
    }
    if (hash == 0) return;
    const std::lock_guard lock(mutex);
    total = hash_add(total, hash);
  });
  return total;
}

std::optional<Box> TileBoard::bounding_box() const {
  population();  // counts what is not known
  const Known& known = known_[static_cast<std::size_t>(current_)];
  std::int64_t left = width_, right = -1, top = height_, bottom = -1;
  for (std::size_t tile = 0; tile < tiles(); ++tile) {
    if (known.population[tile] == 0) continue;
    const auto index = static_cast<std::int64_t>(tile);
    const std::int64_t x = columns_.begin(index / rows_.parts), y = rows_.begin(index % rows_.parts);
    const std::int64_t x_end = std::min(x + columns_.size(index / rows_.parts), width_);
    const std::int64_t y_end = std::min(y + rows_.size(index % rows_.parts), height_);
    if (x >= left && x_end - 1 <= right && y >= top && y_end - 1 <= bottom) continue;
    const std::uint64_t* row = words(current_, tile);
    std::uint64_t any = 0;
    for (std::int64_t i = y; i < y_end; ++i) {
      const std::uint64_t cells = row[i - y] & mask_of(static_cast<int>(x_end - x));
      if (cells == 0) continue;
      any |= cells;
      top = std::min(top, i);
      bottom = std::max(bottom, i);
    }
    if (any == 0) continue;
    left = std::min<std::int64_t>(left, x + std::countr_zero(any));
    right = std::max<std::int64_t>(right, x + 63 - std::countl_zero(any));
  }
  if (bottom < 0) return std::nullopt;
  return Box{left, top, right - left + 1, bottom - top + 1};
}

Grid TileBoard::window(const Box& box) const {
  Grid result(box.width, box.height);
  const std::int64_t left = std::max<std::int64_t>(box.x, 0), right = std::min(box.x + box.width, width_);
  const std::int64_t top = std::max<std::int64_t>(box.y, 0), bottom = std::min(box.y + box.height, height_);
  if (left >= right || top >= bottom) return result;
  for (std::int64_t column = 0; column < columns_.parts; ++column) {
    const std::int64_t x = columns_.begin(column), first = std::max(x, left);
    const std::int64_t end = std::min({columns_.begin(column + 1), right});
    if (first >= end) continue;
    const std::uint64_t* rows = row_zero(current_, column);
    const std::int64_t to = first - box.x;
    const int shift = static_cast<int>(to % 64);
    for (std::int64_t y = top; y < bottom; ++y) {
      const std::uint64_t cells = rows[y] >> (first - x) & mask_of(static_cast<int>(end - first));
      std::uint64_t* target = result.row(y - box.y) + to / 64;
      target[0] |= cells << shift;
      if (shift != 0 && cells >> (64 - shift) != 0) target[1] |= cells >> (64 - shift);
    }
  }
  return result;
}

}  // namespace moorea
