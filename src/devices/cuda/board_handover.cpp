// SPDX-License-Identifier: MIT
// The busy and the quiet kernel of a board, which alternate over the same two buffers.
#include <algorithm>

#include "devices/cuda/board.h"

namespace moorea::cuda {
namespace {

// The quiet kernel pays if it computes less than this part of the world. Its first pass computes everything;
// the following ones are representative.
constexpr double max_computed_share = 0.7;

}  // namespace

constinit const HandoverTimes CudaBoard::handover_times{.quiet_warm_up = 1,
                                                        .first_look = 2,
                                                        .quiet_interval = 32,
                                                        .min_stint = 16,
                                                        .max_stint = 512,
                                                        .worth_moving = 1};

// Part of the world that the quiet engine computed since the last check.
double CudaBoard::share_computed() {
  const TileCounts counts = tile_counts();
  const auto computed = static_cast<double>(counts.computed - seen_.computed),
             skipped = static_cast<double>(counts.skipped - seen_.skipped);
  seen_ = counts;
  return computed / std::max(1.0, computed + skipped);
}

// Whether calls of so many generations are computed by the busy or the quiet engine.
bool CudaBoard::alternates(int steps) const {
  return quiet_.kernel != nullptr && steps == quiet_.kernel->max_steps;
}

// Selects the engine for the next pass.
CudaBoard::Engine& CudaBoard::engine_for(int steps) {
  if (!alternates(steps)) return engine_;
  if (handover_.mode() == Handover::Mode::busy && handover_.until_look() == 0) handover_.try_quiet();
  if (handover_.mode() == Handover::Mode::busy) return engine_;
  if (quiet_.launch.input_replaced) handover_.warm_up_again();
  return quiet_;
}

// Called after each pass.
void CudaBoard::measure_activity(int steps) {
  if (!alternates(steps)) return;
  switch (handover_.advance(1)) {
    case Handover::Look::none:
      return;
    case Handover::Look::begins:
      share_computed();
      return;
    case Handover::Look::ends:
      break;
  }
  if (handover_.should_switch({share_computed(), max_computed_share})) {
    handover_.switched();
  } else {
    handover_.stayed();
  }
}

TileCounts CudaBoard::tile_counts() const {
  const Engine& engine = quiet_.kernel != nullptr ? quiet_ : engine_;
  if (engine.contract->activity != kernels::Activity::skipped) return {};
  use();
  std::uint64_t counts[2] = {};
  MOOREA_CUDA(cudaMemcpyAsync(counts, engine.scratch.data(), sizeof counts, cudaMemcpyDeviceToHost, stream_));
  stream_.wait();
  TileCounts tiles;
  tiles.computed = counts[0];
  tiles.skipped = counts[1];
  return tiles;
}

}  // namespace moorea::cuda
