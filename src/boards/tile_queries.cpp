// SPDX-License-Identifier: MIT
// Queries of TileBoard: population and hash of a tile are kept until it changes.
#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <vector>

#include "boards/tile_internals.h"
#include "devices/cpu/threads.h"
#include "model/bits.h"
#include "model/hash.h"

namespace moorea {

// Calls per_tile(place) for every tile that was ever written, on as many threads as pay for the tiles that
// were written since `known` of them, which this brings up to date.
template <class PerTile>
void TileBoard::for_tiles(std::uint64_t& known, const PerTile& per_tile) const {
  const auto unknown = std::min<std::uint64_t>(tiles(), written_ - known);
  known = written_;
  const auto shares = std::clamp<std::uint64_t>(unknown / (64 * PassTeam::min_share), 1,
                                                static_cast<std::uint64_t>(team_.threads()));
  team(static_cast<int>(shares), [&](int thread, int threads) {
    for_used(columns_.parts() * thread / threads, columns_.parts() * (thread + 1) / threads, per_tile);
  });
}

std::uint64_t TileBoard::count_cells() const {
  std::atomic<std::uint64_t> total{0};
  Known& known = known_[static_cast<std::size_t>(current_)];
  for_tiles(counted_, [&](Place place) {
    std::uint64_t& population = known.population[index(place)];
    if (population == Known::unknown) {
      population = 0;
      for_words(place, [&](std::int64_t, std::uint64_t cells) { population += popcount(cells); });
    }
    if (population != 0) total.fetch_add(population, std::memory_order_relaxed);
  });
  return total;
}

std::uint64_t TileBoard::hash_cells(Position origin) const {
  Known& known = known_[static_cast<std::size_t>(current_)];
  if (hash_origin_ != origin) {
    for (Known& each : known_) std::fill(each.hash.begin(), each.hash.end(), Known::unknown);
    hash_origin_ = origin;
    hashed_ = written_ - std::min<std::uint64_t>(written_, tiles());
  }
  std::vector<RowHasher> hashers;
  for (std::int64_t column = 0; column < columns_.parts(); ++column) {
    hashers.emplace_back(1, origin.x + columns_.begin[static_cast<std::size_t>(column)]);
  }
  std::mutex mutex;
  std::uint64_t total = 0;
  for_tiles(hashed_, [&](Place place) {
    std::uint64_t& hash = known.hash[index(place)];
    if (hash == Known::unknown) {
      const RowHasher& hash_row = hashers[static_cast<std::size_t>(place.column)];
      std::uint64_t power = 1;
      hash = 0;
      for_words(place, [&](std::int64_t, std::uint64_t cells) {
        if (cells != 0) hash = hash_add(hash, hash_multiply(hash_row(&cells, 0), power));
        power = hash_multiply(power, hash_row_base);
      });
      const std::int64_t y = origin.y + rows_.begin[static_cast<std::size_t>(place.row)];
      if (hash != 0) hash = hash_multiply(hash, hash_power(hash_row_base, y));
    }
    if (hash == 0) return;
    const std::lock_guard lock(mutex);
    total = hash_add(total, hash);
  });
  return total;
}

std::optional<Box> TileBoard::find_box() const {
  count_cells();  // of the tiles whose population is unknown
  const Known& known = known_[static_cast<std::size_t>(current_)];
  std::int64_t left = world_.width, right = -1, top = world_.height, bottom = -1;
  for_used(0, columns_.parts(), [&](Place place) {
    if (known.population[index(place)] == 0) return;
    const std::int64_t x = columns_.begin[static_cast<std::size_t>(place.column)];
    const std::int64_t y = rows_.begin[static_cast<std::size_t>(place.row)];
    if (x >= left && x + columns_.size(place.column) - 1 <= right && y >= top &&
        y + rows_.size(place.row) - 1 <= bottom) {
      return;
    }
    std::uint64_t any = 0;
    for_words(place, [&](std::int64_t row, std::uint64_t cells) {
      if (cells == 0) return;
      any |= cells;
      top = std::min(top, row);
      bottom = std::max(bottom, row);
    });
    if (any == 0) return;
    left = std::min<std::int64_t>(left, x + std::countr_zero(any));
    right = std::max<std::int64_t>(right, x + 63 - std::countl_zero(any));
  });
  if (bottom < 0) return std::nullopt;
  return Box{left, top, right - left + 1, bottom - top + 1};
}

}  // namespace moorea
