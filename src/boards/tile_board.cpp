// SPDX-License-Identifier: MIT
#include "boards/tile_board.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <mutex>

#include "devices/cpu/threads.h"
#include "model/bits.h"
#include "model/hash.h"
#include "model/paste.h"

namespace moorea {
namespace {

using kernels::tile_halo;
using kernels::tile_side;

// Words before row 0 of a column, so that row -6, where a kernel begins to read, is aligned where row 0 is a
// multiple of 8; and behind the last row, since a kernel reads whole windows.
constexpr std::int64_t rows_above = 14, rows_below = 72;
constexpr std::int64_t tile_rows = 48;  // most rows of a tile: a multiple of 8, of tile_side at most
constexpr std::size_t min_share = 16;   // tiles a thread, for which it pays to wake one
constexpr std::size_t batches = 4;      // of tiles that a thread takes at a time
constexpr double tile_seconds = 1e-6;   // of a pass, on plain words

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// A torus narrower than the halo is repeated side by side, which changes nothing
std::int64_t repeated(Topology topology, std::int64_t cells) {
  return topology == Topology::torus && cells < tile_halo ? cells * ((tile_halo + cells - 1) / cells) : cells;
}

std::int64_t column_words(std::int64_t rows) { return (rows_above + rows + rows_below + 7) / 8 * 8; }

std::int64_t columns_of(std::int64_t width) { return (width + tile_side - 1) / tile_side; }

double buffer_bytes(std::int64_t width, std::int64_t height) {
  return static_cast<double>(columns_of(width)) * static_cast<double>(column_words(height)) * 8;
}

constexpr unsigned all_changes = kernels::tile_changed | kernels::left_changed | kernels::right_changed |
                                 kernels::top_changed | kernels::bottom_changed;

constexpr std::uint64_t mask_of(int cells) { return (std::uint64_t{1} << cells) - 1; }

}  // namespace

double TileBoard::bytes(const WorldSpec& world) {
  const std::int64_t width = repeated(world.topology, world.width),
                     height = repeated(world.topology, world.height);
  const double tiles = static_cast<double>(columns_of(width)) * static_cast<double>(height / tile_rows + 1);
  return 2 * buffer_bytes(width, height) + tiles * (4 * sizeof(std::uint64_t) + sizeof(Place) + 0.125);
}

// Columns whose widths differ by one cell at most.
TileBoard::Cuts TileBoard::cut_columns(std::int64_t cells) {
  Cuts cuts{cells, {}};
  const std::int64_t parts = columns_of(cells);
  // cells * i would overflow in the widest worlds
  for (std::int64_t i = 0; i <= parts; ++i) {
    cuts.begin.push_back(cells / parts * i + cells % parts * i / parts);
  }
  return cuts;
}

// Rows that begin at multiples of 8; the last is no lower than a halo.
TileBoard::Cuts TileBoard::cut_rows(std::int64_t cells) {
  Cuts cuts{cells, {}};
  for (std::int64_t y = 0; y < cells; y += tile_rows) cuts.begin.push_back(y);
  if (cuts.begin.size() > 1 && cells - cuts.begin.back() < tile_halo) cuts.begin.back() -= 8;
  cuts.begin.push_back(cells);
  return cuts;
}

TileBoard::TileBoard(const WorldSpec& world, const BoundKernel& kernel, int threads)
    : Board(world),
      bound_(kernel),
      rule_(mask_of(world.rule)),
      lanes_(kernel.kernel->lanes / 64),
      threads_(threads),
      team_size_(threads, tile_seconds),
      columns_(cut_columns(repeated(world_.topology, world_.width))),
      rows_(cut_rows(repeated(world_.topology, world_.height))),
      column_words_(column_words(rows_.cells)),
      buffers_{Zeroed(buffer_bytes(columns_.cells, rows_.cells),
                      fmt::format("{} x {} cells", world_.width, world_.height)),
               Zeroed(buffer_bytes(columns_.cells, rows_.cells),
                      fmt::format("{} x {} cells", world_.width, world_.height))},
      dead_column_(static_cast<double>(column_words_) * 8, "a column of cells"),
      woken_(static_cast<std::size_t>(columns_.parts() * words_for(rows_.parts()))),
      words_a_column_(words_for(rows_.parts())),
      column_woken_(static_cast<std::size_t>(columns_.parts())),
      used_(woken_.size()) {
  for (std::size_t i = 0; i < 2; ++i) {
    row_zero_[i] = reinterpret_cast<std::uint64_t*>(buffers_[i].begin()) + rows_above;
  }
  for (Known& known : known_) {
    known.population.assign(tiles(), Known::unknown);
    known.hash.assign(tiles(), Known::unknown);
  }
}

void TileBoard::clear() {
  for_used(0, columns_.parts(), [&](Place place) {
    for (int buffer = 0; buffer < 2; ++buffer) {
      Known& known = known_[static_cast<std::size_t>(buffer)];
      known.population[index(place)] = known.hash[index(place)] = Known::unknown;
      std::fill_n(row_zero(buffer, place.column) + rows_.begin[static_cast<std::size_t>(place.row)],
                  rows_.size(place.row), 0);
      copy_ends(buffer, place);
    }
  });
  std::fill(used_.begin(), used_.end(), 0);
  written_ += tiles();
}

// Adds live cells to a row of a column; what is dead is not touched and so costs no memory.
void TileBoard::put(std::int64_t column, std::int64_t y, std::uint64_t cells) {
  if (cells == 0) return;
  row_zero(current_, column)[y] |= cells;
  const std::int64_t tile = rows_.part_of(y);
  used_[static_cast<std::size_t>(column * words_a_column_ + tile / 64)] |= std::uint64_t{1} << tile % 64;
}

// Behind the last put().
void TileBoard::begin() {
  for (std::int32_t column = 0; column < columns_.parts(); ++column) {
    copy_ends(current_, {column, 0});
    copy_ends(current_, {column, static_cast<std::int32_t>(rows_.parts() - 1)});
  }
  wake_all();
}

void TileBoard::load(const Grid& cells, Position at) {
  clear();
  count_moved(cells.height(), cells.words_per_row());
  for (std::int64_t column = 0; column < columns_.parts(); ++column) {
    const std::uint64_t mask = mask_of(columns_.size(column));
    const std::int64_t first = columns_.begin[static_cast<std::size_t>(column)] - at.x;
    for (std::int64_t row = 0; row < rows_.cells; ++row) {
      const std::int64_t from = row % world_.height - at.y;
      if (from < 0 || from >= cells.height()) continue;
      std::uint64_t word = cells_at(cells.row(from), cells.words_per_row(), first);
      if (columns_.cells > world_.width) {
        word &= mask_of(static_cast<int>(world_.width));
        for (std::int64_t filled = world_.width; filled < columns_.cells; filled *= 2) word |= word << filled;
      }
      put(column, row, word & mask);
    }
  }
  begin();
}

void TileBoard::adopt_from(const Board& other, Position by) {
  if (const auto* tiles = dynamic_cast<const TileBoard*>(&other); tiles != nullptr && !repeats()) {
    adopt_tiles(*tiles, by);
  } else {
    Board::adopt_from(other, by);
  }
}

void TileBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  const Box part = intersect({at.x, at.y, cells.width, cells.height}, world_.box());
  if (part.empty()) return;
  if (repeats()) {  // narrower than a halo: a few cells times the other side
    Grid all = window(world_.box());
    all.paste(cells, at, mode);
    load(all, {});
    return;
  }
  const std::int64_t source_words = words_for(cells.width);
  const std::int64_t first_row = rows_.part_of(part.y), last_row = rows_.part_of(part.bottom() - 1);
  for (std::int64_t column = columns_.part_of(part.x); column <= columns_.part_of(part.right() - 1);
       ++column) {
    const std::int64_t begin = columns_.begin[static_cast<std::size_t>(column)];
    const std::uint64_t mask =
        columns_mask(0, part.x - begin, part.right() - begin) & mask_of(columns_.size(column));
    std::uint64_t* const words = row_zero(current_, column);
    for (std::int64_t y = part.y; y < part.bottom(); ++y) {
      const std::uint64_t* const from = cells.words + (y - at.y) * cells.words_per_row;
      const std::uint64_t pasted =
          paste_word(mode, words[y], cells_at(from, source_words, begin - at.x), mask);
      if (pasted != words[y]) words[y] = pasted;  // dead rows that stay dead cost no memory
    }
    for (std::int64_t row = first_row; row <= last_row; ++row) {
      const Place place = {static_cast<std::int32_t>(column), static_cast<std::int32_t>(row)};
      used_[static_cast<std::size_t>(column * words_a_column_ + row / 64)] |= std::uint64_t{1} << row % 64;
      Known& known = known_[static_cast<std::size_t>(current_)];
      known.population[index(place)] = known.hash[index(place)] = Known::unknown;
      copy_ends(current_, place);
      edited_.push_back(place);
    }
  }
  const std::int64_t columns = columns_.part_of(part.right() - 1) - columns_.part_of(part.x) + 1;
  count_moved(2 * part.height, columns);
  written_ += static_cast<std::uint64_t>(columns * (last_row - first_row + 1));
  wake_edited();
}

void TileBoard::adopt_tiles(const TileBoard& from, Position by) {
  clear();
  from.for_used(0, from.columns_.parts(), [&](Place place) {
    const std::int64_t left = from.columns_.begin[static_cast<std::size_t>(place.column)] + by.x;
    const std::int64_t column = columns_.part_of(std::max<std::int64_t>(left, 0));
    from.for_words(place, [&](std::int64_t row, std::uint64_t cells) {
      for (std::int64_t at = column; cells != 0; ++at) {
        const std::int64_t begin = columns_.begin[static_cast<std::size_t>(at)];
        const int skipped = static_cast<int>(std::max<std::int64_t>(begin - left, 0));
        const int shift = static_cast<int>(std::max<std::int64_t>(left - begin, 0));
        const std::uint64_t mask = mask_of(columns_.size(at));
        put(at, row + by.y, cells >> skipped << shift & mask);
        cells &= ~(mask >> shift << skipped);
      }
    });
  });
  begin();
}

// The rows above and below a torus are copies of those at the other end, made by whoever writes these.
void TileBoard::copy_ends(int buffer, Place place) {
  if (world_.topology == Topology::plane) return;
  std::uint64_t* first = row_zero(buffer, place.column);
  const auto copy = [](std::uint64_t* to, const std::uint64_t* from) {
    constexpr std::size_t bytes = tile_halo * sizeof(std::uint64_t);
    if (std::memcmp(to, from, bytes) != 0) std::memcpy(to, from, bytes);
  };
  if (place.row == 0) copy(first + rows_.cells, first);
  if (place.row == rows_.parts() - 1) copy(first - tile_halo, first + rows_.cells - tile_halo);
}

kernels::Tile TileBoard::describe(Place place) const {
  const bool torus = world_.is_torus();
  const bool leftmost = place.column == 0, rightmost = place.column == columns_.parts() - 1;
  const std::int64_t left = leftmost ? columns_.parts() - 1 : place.column - 1;
  const std::int64_t right = rightmost ? 0 : place.column + 1;
  const std::int64_t y = rows_.begin[static_cast<std::size_t>(place.row)] - tile_halo;
  const std::uint64_t* dead = reinterpret_cast<const std::uint64_t*>(dead_column_.begin()) + rows_above + y;
  kernels::Tile tile;
  tile.left = leftmost && !torus ? dead : row_zero(current_, left) + y;
  tile.own = row_zero(current_, place.column) + y;
  tile.right = rightmost && !torus ? dead : row_zero(current_, right) + y;
  tile.to = row_zero(1 - current_, place.column) + y + tile_halo;
  tile.left_width = leftmost && !torus ? tile_side : columns_.size(left);
  tile.width = columns_.size(place.column);
  tile.height = rows_.size(place.row);
  tile.columns = ~std::uint64_t{0};
  tile.first = 0;
  tile.last = 63;
  if (!torus) {
    if (leftmost) tile.columns &= ~mask_of(tile_halo);
    if (rightmost) tile.columns &= mask_of(tile_halo + tile.width);
    if (place.row == 0) tile.first = tile_halo;
    if (place.row == rows_.parts() - 1) tile.last = tile_halo + tile.height - 1;
  }
  return tile;
}

bool TileBoard::lives(Place place) const {
  for (int buffer = 0; buffer < 2; ++buffer) {
    const std::uint64_t* row =
        row_zero(buffer, place.column) + rows_.begin[static_cast<std::size_t>(place.row)];
    if (std::any_of(row, row + rows_.size(place.row), [](std::uint64_t word) { return word != 0; }))
      return true;
  }
  return false;
}

// Sets the bits of tiles as they come, a word at a time where they are beside each other.
class TileBoard::Marker {
 public:
  explicit Marker(TileBoard& board) : board_(board) {}

  // Wakes a tile that changed and the neighbours that read what changed in it.
  void wake(Place place, unsigned changes) {
    const std::int32_t columns = static_cast<std::int32_t>(board_.columns_.parts());
    const bool torus = board_.world().is_torus();
    wake_column(middle_, place, changes);
    if ((changes & kernels::left_changed) != 0 && (place.column > 0 || torus)) {
      wake_column(left_, {place.column > 0 ? place.column - 1 : columns - 1, place.row}, changes);
    }
    if ((changes & kernels::right_changed) != 0 && (place.column < columns - 1 || torus)) {
      wake_column(right_, {place.column < columns - 1 ? place.column + 1 : 0, place.row}, changes);
    }
  }

  void flush() {
    for (Word* word : {&left_, &middle_, &right_}) flush(*word);
  }

 private:
  struct Word {
    std::int64_t index = 0;
    std::uint64_t bits = 0;
  };

  void wake_column(Word& word, Place place, unsigned changes) {
    const std::int32_t rows = static_cast<std::int32_t>(board_.rows_.parts());
    const bool torus = board_.world().is_torus();
    if ((changes & kernels::top_changed) != 0 && (place.row > 0 || torus)) {
      set(word, {place.column, place.row > 0 ? place.row - 1 : rows - 1});
    }
    set(word, place);
    if ((changes & kernels::bottom_changed) != 0 && (place.row < rows - 1 || torus)) {
      set(word, {place.column, place.row < rows - 1 ? place.row + 1 : 0});
    }
  }

  void set(Word& word, Place place) {
    const std::int64_t index = place.column * board_.words_a_column_ + place.row / 64;
    if (index != word.index) flush(word);
    word.index = index;
    word.bits |= std::uint64_t{1} << place.row % 64;
  }

  void flush(Word& word) {
    if (word.bits == 0) return;
    board_.woken_[static_cast<std::size_t>(word.index)].fetch_or(word.bits, std::memory_order_relaxed);
    board_.column_woken_[static_cast<std::size_t>(word.index / board_.words_a_column_)].store(
        true, std::memory_order_relaxed);
    word.bits = 0;
  }

  TileBoard& board_;
  Word left_, middle_, right_;
};

// All tiles are to be computed, but for those that nothing lives in or near.
void TileBoard::wake_all() {
  list_awake();  // forgets who was woken
  Marker marker(*this);
  if (world_.rule.births_from_nothing()) {
    for (std::int32_t column = 0; column < columns_.parts(); ++column) {
      for (std::int32_t row = 0; row < rows_.parts(); ++row) marker.wake({column, row}, all_changes);
    }
  } else {
    for_used(0, columns_.parts(), [&](Place place) {
      if (lives(place)) marker.wake(place, all_changes);
    });
  }
  marker.flush();
  list_awake();
  steps_ = 0;
}

// Adds the edited tiles and all that read them to those that the next pass computes.
void TileBoard::wake_edited() {
  Marker marker(*this);
  for (const Place& place : awake_) marker.wake(place, kernels::tile_changed);
  for (const Place& place : edited_) marker.wake(place, all_changes);
  marker.flush();
  list_awake();
}

// Calls per_tile(place) for the tiles of some columns that were ever written.
template <class PerTile>
void TileBoard::for_used(std::int64_t first, std::int64_t last, const PerTile& per_tile) const {
  for (std::int64_t column = first; column < last; ++column) {
    for (std::int64_t word = 0; word < words_a_column_; ++word) {
      std::uint64_t bits = used_[static_cast<std::size_t>(column * words_a_column_ + word)];
      for (; bits != 0; bits &= bits - 1) {
        per_tile(Place{static_cast<std::int32_t>(column),
                       static_cast<std::int32_t>(word * 64 + std::countr_zero(bits))});
      }
    }
  }
}

// The tiles that were woken, column by column; none is woken any more.
void TileBoard::list_awake() {
  awake_.clear();
  for (std::int64_t column = 0; column < columns_.parts(); ++column) {
    std::atomic<bool>& woken = column_woken_[static_cast<std::size_t>(column)];
    if (!woken.load(std::memory_order_relaxed)) continue;
    woken.store(false, std::memory_order_relaxed);
    for (std::int64_t word = 0; word < words_a_column_; ++word) {
      const auto at = static_cast<std::size_t>(column * words_a_column_ + word);
      std::uint64_t bits = woken_[at].load(std::memory_order_relaxed);
      if (bits == 0) continue;
      woken_[at].store(0, std::memory_order_relaxed);
      used_[at] |= bits;
      for (; bits != 0; bits &= bits - 1) {
        awake_.push_back({static_cast<std::int32_t>(column),
                          static_cast<std::int32_t>(word * 64 + std::countr_zero(bits))});
      }
    }
  }
}

// Computes the tiles first to last - 1 of those awake; returns how many changed.
std::uint64_t TileBoard::compute(std::size_t first, std::size_t last, int steps) {
  const int target = 1 - current_;
  std::uint64_t all_changed = 0;
  Marker marker(*this);
  std::array<kernels::Tile, 8> batch;
  for (; first < last; first += static_cast<std::size_t>(lanes_)) {
    const int count = static_cast<int>(std::min<std::size_t>(last - first, static_cast<std::size_t>(lanes_)));
    const Place* places = awake_.data() + first;
    bool edges = false;
    for (int i = 0; i < count; ++i) {
      kernels::Tile& tile = batch[static_cast<std::size_t>(i)];
      tile = describe(places[i]);
      edges = edges || tile.columns != ~std::uint64_t{0} || tile.first != 0 || tile.last != 63;
    }
    // The next tiles' cells are on their way while these are computed
    for (std::size_t i = first + static_cast<std::size_t>(lanes_);
         i < std::min(last, first + 2 * static_cast<std::size_t>(lanes_)); ++i) {
      const std::int64_t y = rows_.begin[static_cast<std::size_t>(awake_[i].row)];
      const std::uint64_t* read = row_zero(current_, awake_[i].column) + y;
      const std::uint64_t* written = row_zero(target, awake_[i].column) + y;
      for (int row = 0; row < tile_rows + 8; row += 8) {
        __builtin_prefetch(read + row);
        __builtin_prefetch(written + row, 1);
      }
    }
    std::array<std::uint8_t, 8> changes;
    bound_.binding.tile_step({batch.data(), count, steps, edges, rule_, bound_.step_window()},
                             changes.data());
    for (int i = 0; i < count; ++i) {
      const unsigned changed = first_ ? all_changes : changes[static_cast<std::size_t>(i)];
      if (changed == 0) continue;
      ++all_changed;
      Known& known = known_[static_cast<std::size_t>(target)];
      known.population[index(places[i])] = known.hash[index(places[i])] = Known::unknown;
      marker.wake(places[i], changed);
      copy_ends(target, places[i]);
    }
  }
  marker.flush();
  return all_changed;
}

// What is left to one thread between two passes.
void TileBoard::end_pass() {
  counts_.computed += awake_.size();
  written_ += awake_.size();
  counts_.skipped += tiles() - awake_.size();
  // An edited tile's next target is the buffer that was edited: it does not hold what a pass made, so the
  // tile is computed there whatever the last pass found
  if (!edited_.empty()) {
    Marker marker(*this);
    for (const Place& place : edited_) marker.wake(place, kernels::tile_changed);
    marker.flush();
    edited_.clear();
  }
  list_awake();
  current_ = 1 - current_;
  first_ = false;
}

// Up to `count` passes by several threads, as long as there is work for them and for a short time; returns
// how many.
std::uint64_t TileBoard::passes_of_team(int wanted, std::uint64_t count, int steps) {
  constexpr double longest = 0.001;  // seconds until the number of threads is chosen again
  const auto begin = Clock::now();
  Barrier barrier;
  std::atomic<std::size_t> taken{0};
  std::atomic<std::uint64_t> changed{0};
  std::uint64_t done = 0;
  bool ends = false;
  team(wanted, [&](int thread, int threads) {
    const std::size_t portion = batches * static_cast<std::size_t>(lanes_);
    while (!ends) {
      for (std::size_t first; (first = taken.fetch_add(portion)) < awake_.size();) {
        changed += compute(first, std::min(first + portion, awake_.size()), steps);
      }
      barrier.wait(threads);
      if (thread == 0) {
        end_pass();
        taken = 0;
        ++done;
        ends = done == count || awake_.size() < 2 * min_share || seconds_since(begin) > longest;
      }
      barrier.wait(threads);
    }
  });
  counts_.changed += changed;
  return done;
}

void TileBoard::passes(std::uint64_t count, int steps) {
  if (steps != steps_) {
    wake_all();
    steps_ = steps;
    first_ = true;
  }
  while (count > 0 && !awake_.empty()) {
    const std::size_t shares = std::min(awake_.size() / min_share, static_cast<std::size_t>(threads_));
    const int threads = team_size_.choose(static_cast<double>(awake_.size()), static_cast<int>(shares));
    const auto begin = Clock::now();
    const std::uint64_t before = counts_.computed;
    if (threads < 2) {
      counts_.changed += compute(0, awake_.size(), steps);
      end_pass();
      --count;
    } else {
      count -= passes_of_team(threads, count, steps);
    }
    team_size_.measured(static_cast<double>(counts_.computed - before), seconds_since(begin));
  }
  counts_.skipped += count * tiles();
  // Everything sleeps; after an odd number of passes it is the other buffer that holds the state
  if (count & 1) current_ = 1 - current_;
}

// Passes of one length keep what is known of sleepers, so a length that leaves no rest is best, and the one
// of the last passes better than another that is hardly longer.
int TileBoard::pass_length(std::uint64_t generations) const {
  const auto divides = [&](int steps) { return generations % static_cast<unsigned>(steps) == 0; };
  int longest = tile_halo;
  while (!divides(longest)) --longest;
  if (longest < 4) longest = static_cast<int>(std::min<std::uint64_t>(generations, tile_halo));
  return steps_ != 0 && divides(steps_) && 2 * steps_ > longest ? steps_ : longest;
}

void TileBoard::advance(std::uint64_t generations) {
  while (generations > 0) {
    const int steps = pass_length(generations);
    const std::uint64_t count = generations / static_cast<unsigned>(steps);
    passes(count, steps);
    generations -= count * static_cast<unsigned>(steps);
  }
}

double TileBoard::awake_cells() const {
  return static_cast<double>(awake_.size()) / static_cast<double>(tiles()) *
         static_cast<double>(columns_.cells) * static_cast<double>(rows_.cells);
}

// Calls per_tile(place) for every tile that was ever written, on as many threads as pay for the tiles that
// were written since `known` of them, which this brings up to date.
template <class PerTile>
void TileBoard::for_tiles(std::uint64_t& known, const PerTile& per_tile) const {
  const auto unknown = std::min<std::uint64_t>(tiles(), written_ - known);
  known = written_;
  const auto shares =
      std::clamp<std::uint64_t>(unknown / (64 * min_share), 1, static_cast<std::uint64_t>(threads_));
  team(static_cast<int>(shares), [&](int thread, int threads) {
    for_used(columns_.parts() * thread / threads, columns_.parts() * (thread + 1) / threads, per_tile);
  });
}

// Calls per_word(y, cells) for the rows of a tile; of a torus that is repeated, one time.
template <class PerWord>
void TileBoard::for_words(Place place, const PerWord& per_word) const {
  const std::int64_t first = rows_.begin[static_cast<std::size_t>(place.row)];
  const std::int64_t end = std::min(first + rows_.size(place.row), world_.height);
  const std::uint64_t mask =
      world_.width < tile_halo ? mask_of(static_cast<int>(world_.width)) : ~std::uint64_t{0};
  const std::uint64_t* words = row_zero(current_, place.column);
  for (std::int64_t y = first; y < end; ++y) per_word(y, words[y] & mask);
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

BoardSummary TileBoard::summary(const SummaryParts& parts, Position origin) const {
  BoardSummary summary;
  if (parts.population) summary.population = count_cells();
  if (parts.hash) summary.hash = hash_cells(origin);
  if (parts.bounding_box) summary.bounding_box = find_box();
  return summary;
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

void TileBoard::read(const Box& box, const GridView& to) const {
  for (std::int64_t y = 0; y < box.height; ++y) std::ranges::fill(to.row(y), 0);
  const Box part = intersect(box, world_.box());
  if (part.empty()) return;
  const std::int64_t first_column = columns_.part_of(part.x),
                     last_column = columns_.part_of(part.right() - 1);
  count_moved(part.height, last_column - first_column + 1);
  for_used(first_column, last_column + 1, [&](Place place) {
    const std::int64_t x = columns_.begin[static_cast<std::size_t>(place.column)];
    const std::int64_t first = std::max(x, part.x),
                       end = std::min(x + columns_.size(place.column), part.right());
    const std::int64_t column = first - box.x;
    const int shift = static_cast<int>(column % 64);
    for_words(place, [&](std::int64_t y, std::uint64_t word) {
      if (y < part.y || y >= part.bottom()) return;
      const std::uint64_t cells = word >> (first - x) & mask_of(static_cast<int>(end - first));
      if (cells == 0) return;
      std::uint64_t* target = to.row(y - box.y).data() + column / 64;
      target[0] |= cells << shift;
      if (shift != 0 && cells >> (64 - shift) != 0) target[1] |= cells >> (64 - shift);
    });
  });
}

}  // namespace moorea
