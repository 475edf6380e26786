// SPDX-License-Identifier: MIT
#include "census/away_cluster.h"

#include <cmath>

namespace moorea {

CellList AwayCluster::cells(std::uint64_t now) const {
  return translated(known->cycle.at(static_cast<std::int64_t>(now - generation)), at);
}

MovingBox swept_box(const KnownCluster& known, const Position& at, std::uint64_t generation,
                    std::uint64_t now) {
  MovingBox swept = {known.swept.box.translated(at), known.swept.displacement, known.swept.period};
  if (!known.moves()) return swept;
  const double periods = static_cast<double>(now - generation) / static_cast<double>(swept.period);
  const auto moved = [&](std::int64_t by) {
    return static_cast<std::int64_t>(std::floor(static_cast<double>(by) * periods));
  };
  swept.box = swept.box.translated({moved(swept.displacement.x), moved(swept.displacement.y)}).expanded(1);
  return swept;
}

}  // namespace moorea
