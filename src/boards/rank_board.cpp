// SPDX-License-Identifier: MIT
#include "boards/rank_board.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "model/bits.h"
#include "model/hash.h"
#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::int64_t loaded_at_once = std::int64_t{1} << 28;  // of rows that are loaded
constexpr double max_window = 1 << 30;                          // cells that are sent to all ranks
constexpr int rows_up = 0, rows_down = 1;                       // tags of halo rows by their direction

int checked_rank(const RankCut& cut, const RankLink& link) {
  if (std::ssize(cut.rows) != link.size()) {
    throw Error(fmt::format("{} parts for {} ranks: expected one for each", cut.rows.size(), link.size()),
                ErrorKind::usage);
  }
  return link.rank();
}

BandSpec band_of(const WorldSpec& world, const RankCut& cut, const RankLink& link) {
  const auto rank = static_cast<std::size_t>(checked_rank(cut, link));
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < cut.rows.size(); ++i) {
    sum += cut.rows[i];
    if (cut.rows[i] >= cut.halo) continue;
    throw Error(fmt::format("part {} of a divided world has {} rows: with a halo of {} rows it needs at "
                            "least {}",
                            i + 1, cut.rows[i], cut.halo, cut.halo),
                ErrorKind::usage);
  }
  if (sum != world.height) {
    throw Error(fmt::format("parts of {} rows do not fill a world of {} rows", sum, world.height),
                ErrorKind::usage);
  }
  Edges edges = Edges::of(world.topology);
  if (cut.rows.size() > 1) {
    if (world.is_torus() || rank > 0) edges.top = Edge::external;
    if (world.is_torus() || rank + 1 < cut.rows.size()) edges.bottom = Edge::external;
  }
  BandSpec band = {world, edges, cut.halo};
  band.world.height = cut.rows[rank];
  return band;
}

}  // namespace

RankBoard::RankBoard(const WorldSpec& world, const RankCut& cut, std::shared_ptr<RankLink> link,
                     const BandBoard::Factory& make)
    : Board(world), link_(std::move(link)), halo_(cut.halo) {
  const BandSpec band = band_of(world, cut, *link_);
  const int rank = link_->rank(), size = link_->size();
  for (int i = 0; i < rank; ++i) top_ += cut.rows[static_cast<std::size_t>(i)];
  band_ = std::make_unique<BandBoard>(band, make);
  if (band.edges.top == Edge::external) above_.rank = (rank + size - 1) % size;
  if (band.edges.bottom == Edge::external) below_.rank = (rank + 1) % size;
  link_neighbours(cut.transport);
  for (RowMemory* rows : {&above_.sent, &above_.received, &below_.sent, &below_.received})
    *rows = make_message_memory();
  if (queue_link_ != nullptr) connect_queues();
  clock_ = PartClock(band_->queue(), [this](const QueueMark& mark) { wait_for(mark); });
}

// Decides, on all ranks alike, what rows pass through.
void RankBoard::link_neighbours(RowTransport transport) {
  const bool is_alone = link_->size() == 1;
  if (transport != RowTransport::messages && !is_alone) {
    auto [queue_link, reason] = link_queues(*link_, band_->queue());
    if (queue_link == nullptr && transport == RowTransport::nccl)
      throw Error(fmt::format("rows cannot pass between the ranks by NCCL: {}", reason),
                  ErrorKind::unavailable);
    queue_link_ = std::move(queue_link);
  }
  if (queue_link_ != nullptr) {
    finished_ = band_->queue()->make_mark();
    exchanges_.transport = queue_link_->name();
  } else if (!is_alone) {
    const bool is_in_gpu = band_->queue() != nullptr && link_->reaches_gpus();
    exchanges_.transport = is_in_gpu ? "messages from GPU memory" : "messages from main memory";
  }
}

// Where messages reach a GPU's memory, its rows do not pass through the machine's.
RowMemory RankBoard::make_message_memory() const {
  BoardQueue* const queue = band_->queue();
  if (queue != nullptr && (queue_link_ != nullptr || link_->reaches_gpus()))
    return queue->make_row_memory(words_of_message(), queue);
  return make_row_memory(*band_, words_of_message());
}

std::size_t RankBoard::words_of_message() const {
  return static_cast<std::size_t>(words_for(world_.width) * halo_);
}

std::span<std::byte> RankBoard::bytes_of(const RowMemory& rows) const {
  return std::as_writable_bytes(std::span(rows.words.get(), words_of_message()));
}

// A queue with messages in it may depend on ranks that have failed.
void RankBoard::wait_for(const QueueMark& mark) const {
  if (queue_link_ == nullptr) return mark.wait();
  std::vector<int> neighbours;
  for (const Border* border : {&above_, &below_})
    if (border->rank >= 0) neighbours.push_back(border->rank);
  const auto is_reached = [&] {
    queue_link_->check();
    return mark.is_reached();
  };
  link_->wait_until(is_reached, neighbours);
}

// Waits until the band has done what was put into its queue.
void RankBoard::finish_band() const {
  if (queue_link_ != nullptr) {
    band_->queue()->mark(*finished_);
    wait_for(*finished_);
  }
  finish(*band_);
}

template <class Action>
auto RankBoard::alone(const Action& action) const {
  try {
    return action();
  } catch (const Error& error) {
    link_->raise(error.what(), error.kind());
    throw;
  } catch (const std::exception& error) {
    link_->raise(error.what(), ErrorKind::run);
    throw;
  }
}

void RankBoard::load_own(const RowSource& rows) {
  alone([&] {
    band_->load(Grid(), {});
    const Box part = own();
    const std::int64_t at_once = std::max<std::int64_t>(1, loaded_at_once / world_.width);
    for (std::int64_t y = part.y; y < part.bottom(); y += at_once) {
      const Grid cells = rows(y, std::min(at_once, part.bottom() - y));
      band_->write(cells, {0, y - top_}, PasteMode::replace);
    }
  });
  exact_ = 0;
}

Grid RankBoard::read_own(std::int64_t top, std::int64_t rows) const {
  return alone([&] { return band_->window({0, top - top_, world_.width, rows}); });
}

void RankBoard::read_own(std::int64_t top, const GridView& to) const {
  alone([&] { band_->read({0, top - top_, to.width, to.height}, to); });
}

std::optional<DeviceView> RankBoard::own_device_cells() const { return band_->device_cells(); }

void RankBoard::agree(bool& goes_on, double& seconds) const {
  constexpr double units_a_second = 1e9;
  std::uint64_t values[] = {goes_on ? 0U : 1U, static_cast<std::uint64_t>(seconds * units_a_second)};
  reduce_ranks(*link_, values, [](std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
  });
  goes_on = values[0] == 0;
  seconds = static_cast<double>(values[1]) / units_a_second;
}

void RankBoard::load(const Grid& cells, Position at) {
  alone([&] {
    const Box part = intersect({at.x, at.y, cells.width(), cells.height()}, own());
    band_->load(cells.crop(part.translated({-at.x, -at.y})), {part.x, part.y - top_});
  });
  exact_ = 0;
}

void RankBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  alone([&] {
    const std::int64_t from = std::max(at.y, top_), to = std::min(at.y + cells.height, own().bottom());
    if (from >= to) return;
    ConstGridView part = cells;
    part.words += (from - at.y) * part.words_per_row;
    part.height = to - from;
    band_->write(part, {at.x, from - top_}, mode);
  });
  exact_ = 0;
}

void RankBoard::read(const Box& box, const GridView& to) const {
  if (box.area() > max_window) {
    throw Error(
        fmt::format("a window of {} x {} cells is too large to be sent to all ranks; read each rank's "
                    "rows instead, for example into a PBM file",
                    box.width, box.height));
  }
  if (box.empty()) return;
  Grid cells(box.width, box.height);
  alone([&] {
    const std::int64_t from = std::max(box.y, top_), end = std::min(box.bottom(), own().bottom());
    if (from >= end) return;
    cells.paste(band_->window({box.x, from - top_, box.width, end - from}), {0, from - box.y});
  });
  const std::span<std::uint64_t> words(cells.row(0),
                                       static_cast<std::size_t>(cells.height() * cells.words_per_row()));
  sum_ranks(*link_, words);  // a cell is alive on one rank at most
  for (std::int64_t y = 0; y < box.height; ++y)
    std::copy_n(cells.row(y), cells.words_per_row(), to.row(y).begin());
}

// The first messages between two ranks make their connection, which takes a tenth of a second.
void RankBoard::connect_queues() {
  transfer_by_queue();
  alone([&] { finish_band(); });
}

// Messages are received in the order in which the neighbour sends them, also if both are the same rank.
void RankBoard::transfer_by_queue() {
  const auto message = [&](const Border& border, const RowMemory& rows) {
    return QueueMessage{border.rank, rows.words.get(), words_of_message()};
  };
  std::vector<QueueMessage> out, in;
  if (above_.rank >= 0) out.push_back(message(above_, above_.sent));
  if (below_.rank >= 0) {
    out.push_back(message(below_, below_.sent));
    in.push_back(message(below_, below_.received));
  }
  if (above_.rank >= 0) in.push_back(message(above_, above_.received));
  alone([&] { queue_link_->transfer(out, in); });
}

void RankBoard::transfer() {
  alone([&] { finish(*band_); });
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  if (above_.rank >= 0) {
    out.push_back({above_.rank, rows_up, bytes_of(above_.sent)});
    in.push_back({above_.rank, rows_down, bytes_of(above_.received)});
  }
  if (below_.rank >= 0) {
    out.push_back({below_.rank, rows_down, bytes_of(below_.sent)});
    in.push_back({below_.rank, rows_up, bytes_of(below_.received)});
  }
  link_->transfer(out, in);
}

// Sends the outermost rows to the neighbours and fills the halo with theirs, after `passed` generations of a
// call.
void RankBoard::exchange(std::uint64_t passed) {
  exact_ = static_cast<std::uint64_t>(halo_);
  if (above_.rank < 0 && below_.rank < 0) return;
  alone([&] {
    clock_.pause(passed);
    if (above_.rank >= 0) read_rows(*band_, 0, halo_, above_.sent.words.get());
    if (below_.rank >= 0) read_rows(*band_, own().height - halo_, halo_, below_.sent.words.get());
  });
  if (queue_link_ != nullptr) {
    transfer_by_queue();
  } else {
    transfer();
  }
  alone([&] {
    if (above_.rank >= 0) write_rows(*band_, -halo_, halo_, above_.received.words.get());
    if (below_.rank >= 0) write_rows(*band_, own().height, halo_, below_.received.words.get());
    band_->halo_filled();
    clock_.resume();
  });
  for (const Border* border : {&above_, &below_})
    if (border->rank >= 0) exchanges_.bytes += bytes_of(border->sent).size();
  ++exchanges_.number;
}

void RankBoard::exchange_if_used_up(std::uint64_t passed) {
  if (exact_ == 0) exchange(passed);
}

// Calls a function that advances the band and exchanges rows, and adds up the time of the exchanges.
template <class Body>
void RankBoard::for_timed(std::uint64_t generations, const Body& body) {
  try {
    alone([&] { clock_.start({}); });
    body();
    alone([&] {
      clock_.finish(generations);
      finish_band();
    });
    exchanges_.seconds += clock_.end().idle_seconds;
  } catch (...) {
    if (queue_link_ != nullptr) queue_link_->abort();
    throw;
  }
}

void RankBoard::advance(std::uint64_t generations) {
  constexpr std::uint64_t look_interval = 4096;  // generations between two checks for an empty world
  for (std::uint64_t left = generations; left > 0;) {
    // Without B0 an empty world stays empty
    if (left > look_interval && !world_.rule.births_from_nothing() && population() == 0) return;
    const std::uint64_t part = std::min(left, look_interval);
    for_timed(part, [&] {
      for (std::uint64_t passed = 0; passed < part;) {
        exchange_if_used_up(passed);
        const std::uint64_t now = std::min(part - passed, exact_);
        alone([&] { enqueue(*band_, now); });
        exact_ -= now;
        passed += now;
      }
    });
    left -= part;
  }
}

void RankBoard::advance_counting(std::uint64_t generations, std::uint64_t* populations) {
  const std::span<std::uint64_t> all(populations, generations);
  for_timed(generations, [&] {
    for (std::span<std::uint64_t> left = all; !left.empty();) {
      exchange_if_used_up(generations - left.size());
      const std::uint64_t now = std::min<std::uint64_t>(left.size(), exact_);
      alone([&] {
        finish_band();
        band_->advance_counting(now, left.data());
      });
      exact_ -= now;
      left = left.subspan(now);
    }
  });
  sum_ranks(*link_, all);
}

std::uint64_t RankBoard::advance_comparing() {
  std::uint64_t changed = 0;
  for_timed(1, [&] {
    exchange_if_used_up(0);
    changed = alone([&] {
      finish_band();
      return band_->advance_comparing();
    });
    --exact_;
  });
  sum_ranks(*link_, {&changed, 1});
  return changed;
}

BoardSummary RankBoard::summary(const SummaryParts& wanted, Position origin) const {
  BoardSummary summary = alone([&] { return band_->summary(wanted, origin + Position{0, top_}); });
  const Box live = summary.bounding_box.value_or(Box()).translated({0, top_});
  std::uint64_t values[] = {summary.population,
                            summary.hash,
                            static_cast<std::uint64_t>(live.x),
                            static_cast<std::uint64_t>(live.y),
                            static_cast<std::uint64_t>(live.width),
                            static_cast<std::uint64_t>(live.height)};
  const auto box_in = [](std::span<const std::uint64_t> from) {
    return Box{static_cast<std::int64_t>(from[2]), static_cast<std::int64_t>(from[3]),
               static_cast<std::int64_t>(from[4]), static_cast<std::int64_t>(from[5])};
  };
  reduce_ranks(*link_, values, [&](std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
    into[0] += from[0];
    into[1] = hash_add(into[1], from[1]);
    const Box all = unite(box_in(into), box_in(from));
    into[2] = static_cast<std::uint64_t>(all.x);
    into[3] = static_cast<std::uint64_t>(all.y);
    into[4] = static_cast<std::uint64_t>(all.width);
    into[5] = static_cast<std::uint64_t>(all.height);
  });
  summary = {values[0], values[1], std::nullopt};
  if (const Box all = box_in(values); !all.empty()) summary.bounding_box = all;
  return summary;
}

std::vector<std::uint32_t> RankBoard::density(const Raster& raster) const {
  std::vector<std::uint64_t> squares(static_cast<std::size_t>(raster.columns * raster.rows));
  alone([&] {
    // Squares with rows of this part; those across a border are counted by both ranks
    const std::int64_t scale = raster.scale, from = std::max<std::int64_t>(top_ - raster.y, 0) / scale,
                       until = std::max<std::int64_t>(own().bottom() - raster.y, 0),
                       end = std::min((until + scale - 1) / scale, raster.rows);
    if (from >= end) return;
    const std::vector<std::uint32_t> found =
        band_->density({raster.x, raster.y + from * scale - top_, raster.columns, end - from, scale});
    std::ranges::copy(found, squares.begin() + from * raster.columns);
  });
  sum_ranks(*link_, squares);
  std::vector<std::uint32_t> counts(squares.size());
  std::ranges::transform(squares, counts.begin(),
                         [](std::uint64_t count) { return static_cast<std::uint32_t>(count); });
  return counts;
}

}  // namespace moorea
