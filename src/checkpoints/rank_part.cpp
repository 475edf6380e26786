// SPDX-License-Identifier: MIT
#include "checkpoints/rank_part.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "devices/cpu/threads.h"
#include "model/bits.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// Compressed bytes that may wait for their place or for the disk. Ranks agree on places every 50 ms, so that
// a rank can write more than a GB per second.
constexpr std::uint64_t max_waiting = std::uint64_t{64} << 20;

}  // namespace

RankPart::RankPart(CheckpointWriter& writer, const Box& rows)
    : writer_(writer), rows_(rows), rows_per_chunk_(rows_per_checkpoint_chunk(rows.width)) {
  chunks_.resize(static_cast<std::size_t>((rows.height + rows_per_chunk_ - 1) / rows_per_chunk_));
  left_ = chunks_.size();
}

RankPart::~RankPart() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void RankPart::start(int threads, ChunkSources sources) {
  try {
    thread_ = std::thread([this, threads, sources = std::move(sources)] { run(threads, sources); });
  } catch (const std::system_error& error) {
    throw Error(std::string("a checkpoint: cannot start a thread: ") + error.what());
  }
}

void RankPart::run(int threads, const ChunkSources& sources) {
  try {
    team(std::clamp(threads, 1, std::max(1, static_cast<int>(chunks_.size()))), [&](int, int) {
      try {
        work(sources ? sources() : ChunkSource());
      } catch (...) {
        fail();
      }
    });
    {
      const std::lock_guard lock(mutex_);
      if (is_stopped_) return;
    }
    writer_.synchronise();
    const std::lock_guard lock(mutex_);
    is_synchronised_ = true;
  } catch (...) {
    fail();
  }
}

void RankPart::fail() {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
  is_stopped_ = true;
  changed_.notify_all();
}

bool RankPart::can_compress() const { return next_ < chunks_.size() && waiting_bytes_ < max_waiting; }

void RankPart::work(const ChunkSource& source) {
  std::vector<std::uint64_t> cells;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(
        lock, [&] { return is_stopped_ || left_ == 0 || !placed_.empty() || (source && can_compress()); });
    if (is_stopped_ || left_ == 0) return;
    if (placed_.empty()) {
      compress_next(lock, source, cells);
    } else {
      write_next(lock);
    }
  }
}

void RankPart::compress(const ChunkSource& source) {
  std::vector<std::uint64_t> cells;
  std::unique_lock lock(mutex_);
  while (!is_stopped_ && can_compress()) compress_next(lock, source, cells);
}

void RankPart::compress_next(std::unique_lock<std::mutex>& lock, const ChunkSource& source,
                             std::vector<std::uint64_t>& cells) {
  const std::size_t number = next_++;
  lock.unlock();
  CheckpointChunk& chunk = chunks_[number];
  chunk.row = rows_.y + static_cast<std::int64_t>(number) * rows_per_chunk_;
  const std::int64_t rows = std::min(rows_per_chunk_, rows_.bottom() - chunk.row);
  const std::int64_t words = words_for(rows_.width);
  cells.resize(static_cast<std::size_t>(words * rows));
  const GridView view = {cells.data(), words, rows_.width, rows};
  source(chunk.row, view);
  std::string bytes = compress_checkpoint_rows(view, {rows_.x, chunk.row}, chunk);
  bytes.shrink_to_fit();  // compression reserved a little more than the cells take
  lock.lock();
  if (bytes.empty()) {
    --left_;  // no live cells
  } else {
    waiting_bytes_ += bytes.size();
    ready_bytes_ += bytes.size();
    ready_.push_back({number, std::move(bytes)});
  }
  if (left_ == 0 || !can_compress()) changed_.notify_all();
}

void RankPart::write_next(std::unique_lock<std::mutex>& lock) {
  const Frame frame = std::move(placed_.front());
  placed_.pop_front();
  lock.unlock();
  writer_.write(chunks_[frame.chunk].offset, frame.bytes);
  lock.lock();
  const bool was_full = !can_compress();
  waiting_bytes_ -= frame.bytes.size();
  if (--left_ == 0 || was_full) changed_.notify_all();
}

std::uint64_t RankPart::take() {
  const std::lock_guard lock(mutex_);
  taken_ = std::exchange(ready_, {});
  return std::exchange(ready_bytes_, 0);
}

void RankPart::place(std::uint64_t offset) {
  const std::lock_guard lock(mutex_);
  for (Frame& frame : taken_) {
    chunks_[frame.chunk].offset = offset;
    offset += frame.bytes.size();
    placed_.push_back(std::move(frame));
  }
  taken_.clear();
  changed_.notify_all();
}

void RankPart::rethrow_failure() const {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

bool RankPart::is_synchronised() const {
  const std::lock_guard lock(mutex_);
  return is_synchronised_;
}

}  // namespace moorea
