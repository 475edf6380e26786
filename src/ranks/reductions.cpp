// SPDX-License-Identifier: MIT
// Reductions over ranks by messages between two ranks: along a binomial tree to rank 0 and back. Each wait is
// for one rank that is known, so that a link can say which one does not answer; MPI's own collectives cannot.
#include <algorithm>
#include <vector>

#include "moorea/ranks.h"

namespace moorea {
namespace {

constexpr int to_parent = 2, to_children = 3;  // tags

}  // namespace

void reduce_ranks(
    RankLink& link, std::span<std::uint64_t> values,
    const std::function<void(std::span<std::uint64_t>, std::span<const std::uint64_t>)>& combine) {
  const int rank = link.rank(), size = link.size();
  const auto send = [&](int to, int tag) {
    const Outgoing out = {to, tag, std::as_bytes(values)};
    link.transfer({&out, 1}, {});
  };
  const auto receive = [&](int from, int tag, std::span<std::uint64_t> into) {
    const Incoming in = {from, tag, std::as_writable_bytes(into)};
    link.transfer({}, {&in, 1});
  };
  // The children of a rank are rank + 1, + 2, + 4, ... below its lowest bit
  int distance = 1;
  std::vector<std::uint64_t> other;
  for (; distance < size && (rank & distance) == 0; distance *= 2) {
    if (rank + distance >= size) continue;
    other.resize(values.size());
    receive(rank + distance, to_parent, other);
    combine(values, other);
  }
  if (rank != 0) {
    send(rank - distance, to_parent);
    receive(rank - distance, to_children, values);
  }
  for (distance /= 2; distance > 0; distance /= 2)
    if (rank + distance < size) send(rank + distance, to_children);
}

void sum_ranks(RankLink& link, std::span<std::uint64_t> values) {
  reduce_ranks(link, values, [](std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
  });
}

std::uint64_t max_of_ranks(RankLink& link, std::uint64_t value) {
  reduce_ranks(link, {&value, 1}, [](std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
    into[0] = std::max(into[0], from[0]);
  });
  return value;
}

std::uint64_t min_of_ranks(RankLink& link, std::uint64_t value) {
  reduce_ranks(link, {&value, 1}, [](std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
    into[0] = std::min(into[0], from[0]);
  });
  return value;
}

void wait_for_ranks(RankLink& link) { max_of_ranks(link, 0); }

}  // namespace moorea
