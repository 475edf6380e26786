// SPDX-License-Identifier: MIT
// The cells of a world that is out of core: loading, editing, reading and queries.
#include "boards/streamed_board.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "boards/packed_rows.h"
#include "boards/row_summary.h"
#include "model/bits.h"
#include "model/hash.h"
#include "model/paste.h"
#include "moorea/error.h"

namespace moorea {
namespace {

const StreamedSpec& checked(const StreamedSpec& spec) {
  const std::int64_t resident = spec.world.height - spec.host_rows;
  const auto refuse = [](const std::string& reason) {
    throw Error("a world that is out of core " + reason, ErrorKind::usage);
  };
  if (spec.host_rows < 1 || resident < 0)
    refuse(fmt::format("of {} rows cannot have {} on the host", spec.world.height, spec.host_rows));
  if (spec.bands < 1 || spec.bands > spec.host_rows)
    refuse(fmt::format("cannot have {} bands of {} rows", spec.bands, spec.host_rows));
  if (spec.halo < 1 || spec.host_rows / spec.bands < spec.halo || (resident > 0 && resident < spec.halo))
    refuse(fmt::format("has no halo of {} rows: bands of {} rows and {} resident rows are too low", spec.halo,
                       spec.host_rows / spec.bands, resident));
  return spec;
}

// Threads that visit bands; the resident part has one more, unless boards work one at a time.
int visitors(const StreamedSpec& spec) { return spec.one_at_a_time ? 1 : spec.bands_at_once; }

bool has_own_thread(const StreamedSpec& spec) {
  return spec.host_rows < spec.world.height && !spec.one_at_a_time;
}

std::size_t parts_of(const StreamedSpec& spec) {
  return static_cast<std::size_t>(spec.bands) + (spec.host_rows < spec.world.height ? 1 : 0);
}

}  // namespace

std::int64_t StreamedBoard::board_rows(const StreamedSpec& spec) {
  const std::int64_t highest = (spec.host_rows + spec.bands - 1) / spec.bands;
  const bool is_whole_plane = !spec.world.is_torus() && highest == spec.world.height;
  return highest + (is_whole_plane ? 0 : 2 * spec.halo);
}

StreamedBoard::StreamedBoard(const StreamedSpec& spec, const StreamedFactories& factories)
    : Board(checked(spec).world),
      spec_(spec),
      words_(words_for(spec.world.width)),
      schedule_(parts_of(spec), spec.world.is_torus(),
                has_own_thread(spec) ? static_cast<std::size_t>(spec.bands) : parts_of(spec)),
      crew_(visitors(spec) + (has_own_thread(spec) ? 1 : 0)) {
  for (std::int64_t i = 0; i < spec.bands; ++i) {
    const std::int64_t top = spec.host_rows * i / spec.bands, end = spec.host_rows * (i + 1) / spec.bands;
    bands_.push_back({top, end - top});
  }
  host_ = factories.host_memory(static_cast<std::size_t>(words_ * spec.host_rows));
  // Two generations of the first and the last rows of each part
  border_memory_ = factories.host_memory(parts_of(spec) * 4 * static_cast<std::size_t>(words_ * spec.halo));
  const WorldSpec passing = {world_.rule, world_.topology, world_.width, board_rows(spec)};
  for (int i = 0; i < visitors(spec); ++i) boards_.push_back(factories.band(passing));
  if (spec.host_rows == world_.height) return;
  Edges edges = Edges::of(world_.topology);
  edges.top = Edge::external;
  if (world_.is_torus()) edges.bottom = Edge::external;
  const WorldSpec rest = {world_.rule, world_.topology, world_.width, world_.height - spec.host_rows};
  resident_ = std::make_unique<BandBoard>(BandSpec{rest, edges, spec.halo}, factories.resident);
}

GridView StreamedBoard::host_rows(std::int64_t y, std::int64_t rows) const {
  return {host_.get() + y * words_, words_, world_.width, rows};
}

StreamedBoard::Border StreamedBoard::border(std::size_t part, std::uint64_t turn) const {
  const std::int64_t size = spec_.halo * words_;
  std::uint64_t* const first =
      border_memory_.get() + static_cast<std::int64_t>(2 * part + turn % 2) * 2 * size;
  return {{first, words_, world_.width, spec_.halo}, {first + size, words_, world_.width, spec_.halo}};
}

void StreamedBoard::load(const Grid& cells, Position at) {
  pack_rows(cells, at.x, at.y, world_.width, 0, spec_.host_rows, host_.get());
  count_moved(spec_.host_rows, words_);
  for (Band& band : bands_) band.is_dead = false;
  borders_current_ = false;
  if (!has_resident()) return;
  resident_->load(Grid(0, 0), {});
  const Box own = intersect({at.x, at.y, cells.width(), cells.height()},
                            {0, spec_.host_rows, world_.width, world_.height - spec_.host_rows});
  if (own.empty()) return;
  resident_->write(rows_within(cells.view(), own.y - at.y, own.height), {at.x, own.y - spec_.host_rows},
                   PasteMode::replace);
}

void StreamedBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  const Box part = intersect({at.x, at.y, cells.width, cells.height}, world_.box());
  if (part.empty()) return;
  const Box host = intersect(part, host_box());
  const std::int64_t first = part.x / 64, end = words_for(part.right());
  for (std::int64_t y = host.y; y < host.bottom(); ++y) {
    std::uint64_t* const row = host_.get() + y * words_;
    paste_row(mode, cells, y - at.y, at.x, first, end, row + first);
    row[words_ - 1] &= tail_mask(world_.width);
  }
  count_moved(host.height, end - first);
  for (Band& band : bands_) band.is_dead = false;
  borders_current_ = false;
  if (const std::int64_t top = std::max(part.y, spec_.host_rows); top < part.bottom()) {
    resident_->write(rows_within(cells, top - at.y, part.bottom() - top), {at.x, top - spec_.host_rows},
                     mode);
  }
}

void StreamedBoard::read_host(const Box& box, const GridView& to) const {
  clear_rows_outside(host_box(), box, to);
  if (intersect(box, host_box()).empty()) return;
  unpack_rows(host_.get(), world_.width, 0, spec_.host_rows, box, to);
  count_moved(intersect(box, host_box()).height, words_);
}

void StreamedBoard::read(const Box& box, const GridView& to) const {
  read_host(box, to);
  const std::int64_t top = std::max(box.y, spec_.host_rows), end = std::min(box.bottom(), world_.height);
  if (top >= end) return;
  resident_->read({box.x, top - spec_.host_rows, box.width, end - top},
                  rows_within(to, top - box.y, end - top));
}

BoardSummary StreamedBoard::summarise_host(const SummaryParts& wanted, Position origin) const {
  constexpr std::int64_t words_a_thread = 1 << 16;
  const auto threads = static_cast<int>(
      std::clamp<std::int64_t>(spec_.host_rows * words_ / words_a_thread, 1, std::int64_t{usable_threads()}));
  RowSummary all(wanted, host_box(), origin);
  std::mutex mutex;
  team(threads, [&](int thread, int count) {
    RowSummary own(wanted, host_box(), origin);
    const std::int64_t end = spec_.host_rows * (thread + 1) / count;
    for (std::int64_t y = spec_.host_rows * thread / count; y < end; ++y)
      own.add(y, host_.get() + y * words_);
    const std::lock_guard lock(mutex);
    all.merge(own);
  });
  return all.result();
}

BoardSummary StreamedBoard::summary(const SummaryParts& wanted, Position origin) const {
  BoardSummary all = summarise_host(wanted, origin);
  if (!has_resident()) return all;
  const BoardSummary rest = resident_->summary(wanted, origin + Position{0, spec_.host_rows});
  all.population += rest.population;
  all.hash = hash_add(all.hash, rest.hash);
  if (rest.bounding_box)
    all.bounding_box =
        unite(all.bounding_box.value_or(Box()), rest.bounding_box->translated({0, spec_.host_rows}));
  return all;
}

std::vector<std::uint32_t> StreamedBoard::density(const Raster& raster) const {
  std::vector<std::uint32_t> squares = density_of(raster, spec_.host_rows, [this](const Box& box) {
    Grid cells(box.width, box.height);
    read_host(box, cells.view());
    return cells;
  });
  if (!has_resident()) return squares;
  // The first row of squares that has resident cells; it may have others too
  const std::int64_t top =
      std::clamp<std::int64_t>((spec_.host_rows - raster.y) / raster.scale, 0, raster.rows);
  if (top == raster.rows) return squares;
  const std::vector<std::uint32_t> rest =
      resident_->density({raster.x, raster.y + top * raster.scale - spec_.host_rows, raster.columns,
                          raster.rows - top, raster.scale});
  std::uint32_t* const to = squares.data() + top * raster.columns;
  for (std::size_t i = 0; i < rest.size(); ++i) to[i] += rest[i];
  return squares;
}

std::uint64_t StreamedBoard::bytes_moved() const {
  std::uint64_t bytes = Board::bytes_moved();
  for (const auto& board : boards_) bytes += board->bytes_moved();
  return has_resident() ? bytes + resident_->bytes_moved() : bytes;
}

// All boards have the same kernel. A conversion of the whole world does not exist: bands are converted.
std::optional<KernelResources> StreamedBoard::resources() const {
  const BoardInstruments* const instruments = boards_.front()->instruments();
  return instruments != nullptr ? instruments->resources() : std::nullopt;
}

TileCounts StreamedBoard::tile_counts() const {
  TileCounts all;
  for (const auto& board : boards_) all = all + tile_counts_of(*board);
  if (has_resident()) all = all + tile_counts_of(*resident_);
  return all;
}

}  // namespace moorea
