// SPDX-License-Identifier: MIT
// Rows that pass between the queues of different processes: a message is work in the queue, and no thread of
// the CPU waits for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "moorea/ranks.h"

namespace moorea {

class BoardQueue;

/// Words for or from the queue of another rank, in memory that the queues reach.
struct QueueMessage {
  int rank = 0;
  std::uint64_t* words = nullptr;
  std::size_t number = 0;
};

class QueueLink {
 public:
  virtual ~QueueLink() = default;

  /// Puts messages into the queue, which sends and receives them at the same time. Messages from one rank to
  /// another are received in the order of `out`. Throws Error (run) if an earlier message has failed, or the
  /// error of another rank.
  virtual void transfer(std::span<const QueueMessage> out, std::span<const QueueMessage> in) = 0;

  /// Throws Error (run) if a message has failed.
  virtual void check() = 0;

  /// Ends messages that wait for other ranks; nothing else may be called afterwards.
  virtual void abort() noexcept = 0;

  virtual std::string name() const = 0;  ///< "NCCL 2.28.3"
};

/// Equal on all ranks that are to be linked.
using LinkId = std::array<std::uint64_t, 16>;

/// Identifies a device among those of all machines.
using DeviceId = std::array<std::uint64_t, 2>;

/// A link of the queue with those of all other ranks, or why there is none. Every rank calls it, a rank
/// without a queue with null; all get a link or none does. `ranks` and the queue live longer.
std::pair<std::unique_ptr<QueueLink>, std::string> link_queues(RankLink& ranks, BoardQueue* queue);

}  // namespace moorea
