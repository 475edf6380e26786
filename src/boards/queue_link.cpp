// SPDX-License-Identifier: MIT
#include "boards/queue_link.h"

#include <fmt/core.h>

#include <vector>

#include "boards/board_queue.h"

namespace moorea {
namespace {

// What each rank says of its queue, in words that are summed over all ranks.
constexpr std::size_t words_a_rank = 3;
constexpr std::uint64_t no_queue = 0, no_library = 1, linkable = 2;

std::vector<std::uint64_t> gather_devices(RankLink& ranks, BoardQueue* queue) {
  std::vector<std::uint64_t> all(words_a_rank * static_cast<std::size_t>(ranks.size()));
  const std::span<std::uint64_t> own =
      std::span(all).subspan(words_a_rank * static_cast<std::size_t>(ranks.rank()), words_a_rank);
  if (queue != nullptr && queue->may_be_linked()) {
    const std::optional<DeviceId> device = queue->link_device();
    own[0] = device ? linkable : no_library;
    if (device) own[1] = (*device)[0], own[2] = (*device)[1];
  }
  sum_ranks(ranks, all);
  return all;
}

// Empty if all can be linked; equal on all ranks.
std::string refusal(std::span<const std::uint64_t> all) {
  const std::size_t size = all.size() / words_a_rank;
  const auto words_of = [&](std::size_t rank) { return all.subspan(words_a_rank * rank, words_a_rank); };
  for (std::size_t rank = 0; rank < size; ++rank) {
    if (words_of(rank)[0] == no_queue)
      return fmt::format("rank {} does not compute on one CUDA device", rank);
    if (words_of(rank)[0] == no_library)
      return fmt::format("rank {} found no libnccl.so.2 of version 2.14 or later", rank);
    for (std::size_t other = 0; other < rank; ++other) {
      if (words_of(rank)[1] == words_of(other)[1] && words_of(rank)[2] == words_of(other)[2])
        return fmt::format("ranks {} and {} have the same GPU", other, rank);
    }
  }
  return "";
}

}  // namespace

std::pair<std::unique_ptr<QueueLink>, std::string> link_queues(RankLink& ranks, BoardQueue* queue) {
  if (std::string reason = refusal(gather_devices(ranks, queue)); !reason.empty()) return {nullptr, reason};
  LinkId id = {};
  if (ranks.rank() == 0) id = queue->make_link_id();
  sum_ranks(ranks, id);
  return {queue->make_link(id, ranks), ""};
}

}  // namespace moorea
