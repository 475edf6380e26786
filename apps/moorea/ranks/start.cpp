// SPDX-License-Identifier: MIT
#include "ranks/start.h"

#include <filesystem>
#include <fstream>
#include <utility>

#include "cli/cell_output.h"
#include "moorea/checkpoint.h"
#include "moorea/error.h"
#include "moorea/support/bitmap_file.h"

namespace app {
namespace {

bool is_checkpoint_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::string bytes(64, '\0');
  std::ifstream(path, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return moorea::CheckpointReader::recognises(bytes);
}

// What read_pattern() finds in a checkpoint, without cells.
moorea::Pattern header_of(const moorea::CheckpointReader& reader) {
  const moorea::CheckpointHeader& saved = reader.header();
  moorea::Pattern header = reader.facts();
  header.position = saved.box.position() - moorea::Position{saved.bounds.width / 2, saved.bounds.height / 2};
  return header;
}

}  // namespace

std::optional<RankedStart::RowFile> RankedStart::open(const std::string& path) {
  if (is_checkpoint_file(path)) {
    const auto reader = std::make_shared<moorea::CheckpointReader>(path);
    const moorea::CheckpointHeader& saved = reader->header();
    if (saved.bounds.is_unbounded() || !saved.mesh.empty()) return std::nullopt;
    return RowFile{header_of(*reader), saved.box.size(), [reader](std::int64_t top, std::int64_t rows) {
                     moorea::Grid cells(reader->header().box.width, rows);
                     reader->read_rows(top, cells.view());
                     return cells;
                   }};
  }
  if (auto opened = moorea::BitmapReader::open(path)) {
    const auto reader = std::make_shared<moorea::BitmapReader>(std::move(*opened));
    return RowFile{reader->header(), reader->size(),
                   [reader](std::int64_t top, std::int64_t rows) { return reader->rows(top, rows); }};
  }
  return std::nullopt;
}

RankedStart::RankedStart(const WorldOptions& options) {
  if (options.pattern == "-")
    usage("standard input reaches rank 0 alone: name a file that all ranks can read");
  if (!options.pattern.empty()) file_ = open(options.pattern);
  if (file_) {
    moorea::Pattern header = file_->header;
    header.header = file_->size;
    world_ = std::make_unique<World>(options, std::move(header));
    at_ = place_of(*world_->pattern(), spec().box().size());
    if (spec().box().contains(moorea::Box{at_.x, at_.y, file_->size.width, file_->size.height})) return;
    file_.reset();  // its dead borders may lie outside, which shows when all of it is read
  }
  world_ = std::make_unique<World>(options);
}

std::uint64_t RankedStart::generation() const {
  return world_->pattern() ? world_->pattern()->generation : 0;
}

moorea::Pattern RankedStart::about() const {
  return world_->pattern() ? named(*world_->pattern(), {}) : moorea::Pattern();
}

moorea::Grid RankedStart::rows(std::int64_t top, std::int64_t rows) const {
  if (!file_) return world_->rows(top, rows);
  moorea::Grid cells(spec().width, rows);
  const moorea::Size size = file_->size;
  const moorea::Box part =
      intersect(moorea::Box{0, top, spec().width, rows}, {at_.x, at_.y, size.width, size.height});
  if (!part.empty()) cells.paste(file_->rows(part.y - at_.y, part.height), {at_.x, part.y - top});
  return cells;
}

}  // namespace app
