// SPDX-License-Identifier: MIT
// The rows of one rank in a checkpoint: threads compress them and write them to the places in the file that
// ranks agree on. No messages: the owner asks how many bytes are ready, and says where they belong.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "checkpoints/chunk_source.h"
#include "moorea/box.h"
#include "moorea/checkpoint.h"

namespace moorea {

class RankPart {
 public:
  /// The writer must outlive the part.
  RankPart(CheckpointWriter& writer, const Box& rows);
  /// Ends the threads, also if rows are left.
  ~RankPart();
  RankPart(const RankPart&) = delete;
  RankPart& operator=(const RankPart&) = delete;

  /// Starts to compress and to write with so many threads; without sources only to write. Throws Error (run).
  void start(int threads, ChunkSources sources);
  /// Compresses in the caller's thread what has no source, as long as few bytes wait for their place.
  void compress(const ChunkSource& source);

  /// Returns the bytes that are ready for the file, which the next call of place() places.
  std::uint64_t take();
  void place(std::uint64_t offset);

  /// Throws what a thread threw.
  void rethrow_failure() const;
  /// Whether all rows are on the disk.
  bool is_synchronised() const;
  /// All rows, from top to bottom, once they are on the disk.
  std::span<const CheckpointChunk> chunks() const { return chunks_; }

 private:
  struct Frame {
    std::size_t chunk;
    std::string bytes;
  };

  void run(int threads, const ChunkSources& sources);
  void work(const ChunkSource& source);
  bool can_compress() const;
  void compress_next(std::unique_lock<std::mutex>& lock, const ChunkSource& source,
                     std::vector<std::uint64_t>& cells);
  void write_next(std::unique_lock<std::mutex>& lock);
  void fail();

  CheckpointWriter& writer_;
  Box rows_;
  std::int64_t rows_per_chunk_;
  std::vector<CheckpointChunk> chunks_;
  mutable std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::size_t next_ = 0;             // chunk to compress
  std::size_t left_ = 0;             // chunks that are not written
  std::vector<Frame> ready_;         // compressed
  std::uint64_t ready_bytes_ = 0;    // of these
  std::uint64_t waiting_bytes_ = 0;  // compressed and not written
  std::vector<Frame> taken_;         // waiting for place()
  std::deque<Frame> placed_;         // to be written
  bool is_stopped_ = false, is_synchronised_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace moorea
