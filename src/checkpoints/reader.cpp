// SPDX-License-Identifier: MIT
// A checkpoint in a file or in memory: header and index first, chunks when their rows are asked for.
#include <fmt/core.h>

#include <algorithm>

#include "checkpoints/bytes.h"
#include "checkpoints/checksum.h"
#include "checkpoints/frames.h"
#include "checkpoints/header.h"
#include "checkpoints/tree_words.h"
#include "model/bits.h"
#include "model/coordinates.h"
#include "model/memory.h"
#include "model/placed_quadtree.h"
#include "moorea/error.h"
#include "moorea/world_spec.h"

namespace moorea {
namespace {

constexpr std::string_view first_words = "Moorea checkpoint ";

}  // namespace

struct CheckpointReader::State {
  template <class... Bytes>
  explicit State(Bytes&&... from) : bytes(std::forward<Bytes>(from)...) {
    if (const char* reason = checkpoints_unavailable_reason()) throw Error(reason, ErrorKind::unavailable);
    const std::string& source = bytes.source();
    const std::string line = bytes.read(0, checkpoint_line_bytes);
    if (!recognises(line)) throw Error(source + ": not a checkpoint of Moorea");
    const std::uint64_t length = parse_first_line(line, source);
    if (length == 0) fail_damaged(source, "in its first line");
    ParsedHeader parsed = parse_header(bytes.read(0, length), source);
    header = std::move(parsed.header);
    const std::uint64_t room = bytes.size() - std::min(bytes.size(), length);
    if (parsed.chunks > room / checkpoint_entry_bytes) fail_damaged(source, "its end is missing");
    const std::uint64_t index = parsed.chunks * checkpoint_entry_bytes + checkpoint_index_end;
    if (index > room) fail_damaged(source, "its end is missing");
    stored = stored_size(header);
    chunks =
        parse_index(bytes.read(bytes.size() - index, index), {length, room - index, stored.height}, source);
  }

  // The cells of a chunk, row after row.
  std::vector<std::uint64_t> read(const CheckpointChunk& chunk) const {
    const std::int64_t words = words_for(stored.width);
    require_memory(8 * static_cast<double>(words) * static_cast<double>(chunk.rows), bytes.source());
    std::vector<std::uint64_t> cells(static_cast<std::size_t>(words * chunk.rows));
    if (chunk.bytes == 0) return cells;
    const std::string frame = bytes.read(chunk.offset, chunk.bytes);
    const bool valid =
        frame.size() == chunk.bytes && checksum_of(frame) == chunk.checksum && decompress_words(frame, cells);
    bool beyond = false;
    for (std::int64_t y = 1; valid && y <= chunk.rows; ++y)
      beyond |= (cells[static_cast<std::size_t>(words * y - 1)] & ~tail_mask(stored.width)) != 0;
    if (!valid || beyond)
      fail_damaged(bytes.source(), fmt::format("in rows {} to {}", chunk.row, chunk.row + chunk.rows - 1));
    return cells;
  }

  Quadtree tree() const {
    require_memory(8 * static_cast<double>(stored.height), bytes.source());
    std::vector<std::uint64_t> words;
    words.reserve(static_cast<std::size_t>(stored.height));
    for_rows(0, stored.height, [&](std::int64_t, const std::uint64_t* word) { words.push_back(*word); });
    return tree_of_words(words, header.box, bytes.source());
  }

  // Calls visit(y, words) for the rows from `first` to `last` - 1, counted from the first stored one.
  template <class Visit>
  void for_rows(std::int64_t first, std::int64_t last, const Visit& visit) const {
    const std::int64_t words = words_for(stored.width);
    for (const CheckpointChunk& chunk : chunks) {
      const std::int64_t begin = std::max(first, chunk.row), end = std::min(last, chunk.row + chunk.rows);
      if (begin >= end) continue;
      const std::vector<std::uint64_t> cells = read(chunk);
      for (std::int64_t y = begin; y < end; ++y) visit(y, cells.data() + (y - chunk.row) * words);
    }
  }

  CheckpointBytes bytes;
  CheckpointHeader header;
  Size stored;
  std::vector<CheckpointChunk> chunks;
};

CheckpointReader::CheckpointReader(const std::string& path) : state_(std::make_unique<State>(path)) {}
CheckpointReader::CheckpointReader(std::string_view bytes, const std::string& source)
    : state_(std::make_unique<State>(bytes, source)) {}
CheckpointReader::CheckpointReader(CheckpointReader&&) noexcept = default;
CheckpointReader& CheckpointReader::operator=(CheckpointReader&&) noexcept = default;
CheckpointReader::~CheckpointReader() = default;

bool CheckpointReader::recognises(std::string_view bytes) { return bytes.starts_with(first_words); }

const CheckpointHeader& CheckpointReader::header() const { return state_->header; }
std::span<const CheckpointChunk> CheckpointReader::chunks() const { return state_->chunks; }

Grid CheckpointReader::window(const Box& box) const {
  require_box(box, "a window");
  const Box& saved = state_->header.box;
  if (state_->header.tree_words) return state_->tree().window(box);
  Grid cells(box.width, box.height);
  const Box part = intersect(box, saved);
  state_->for_rows(part.y - saved.y, part.bottom() - saved.y, [&](std::int64_t y, const std::uint64_t* row) {
    extract_row(row, words_for(saved.width), box.x - saved.x, box.width, cells.row(saved.y + y - box.y));
  });
  return cells;
}

void CheckpointReader::read_rows(std::int64_t first, const GridView& to) const {
  const Box& saved = state_->header.box;
  if (first < 0 || to.height < 0 || first > saved.height - to.height || to.width != saved.width ||
      to.words_per_row < (to.width + 63) / 64) {
    throw Error(
        fmt::format("{}: rows {} to {} of {} cells do not lie in the saved {} x {}", state_->bytes.source(),
                    first, first + to.height - 1, to.width, saved.width, saved.height),
        ErrorKind::usage);
  }
  if (state_->header.tree_words) {
    const Grid cells = window({saved.x, saved.y + first, saved.width, to.height});
    for (std::int64_t y = 0; y < to.height; ++y)
      std::copy_n(cells.row(y), cells.words_per_row(), to.row(y).data());
    return;
  }
  state_->for_rows(first, first + to.height, [&](std::int64_t y, const std::uint64_t* row) {
    std::copy_n(row, words_for(saved.width), to.row(y - first).data());
  });
}

namespace {

// The mesh of a saved surface, as it was.
std::shared_ptr<const Mesh> saved_mesh(const CheckpointHeader& header, const std::string& source) {
  std::shared_ptr<const Mesh> mesh = Mesh::make(header.mesh);
  if (mesh_checksum(*mesh) == header.mesh_checksum) return mesh;
  throw Error(fmt::format("{}: the mesh {} has changed since the checkpoint was saved", source, header.mesh));
}

}  // namespace

Pattern CheckpointReader::pattern() const {
  const CheckpointHeader& header = state_->header;
  Pattern pattern = facts();
  if (!header.mesh.empty()) {
    pattern.mesh = saved_mesh(header, state_->bytes.source());
    pattern.adjacency = header.adjacency;
  }
  pattern.cells = window(header.box);
  pattern.position = header.box.position();
  if (!header.bounds.is_unbounded()) {
    pattern.position = header.box.position() - Position{header.bounds.width / 2, header.bounds.height / 2};
  }
  return pattern;
}

CellTree CheckpointReader::tree() const {
  if (!state_->header.tree_words)
    throw Error(state_->bytes.source() + ": the checkpoint has all cells of a rectangle, and no tree",
                ErrorKind::usage);
  return CellTree(PlacedQuadtree{state_->tree(), {}, {}});
}

Pattern CheckpointReader::facts() const {
  Pattern facts;
  facts.generation = state_->header.generation;
  facts.rule = state_->header.rule.str() + state_->header.bounds.suffix();
  facts.format = "checkpoint";
  take_texts(state_->header, facts);
  return facts;
}

void CheckpointReader::verify() const {
  if (state_->header.tree_words)
    (void)state_->tree();
  else
    for (const CheckpointChunk& chunk : state_->chunks) state_->read(chunk);
}

}  // namespace moorea
