// SPDX-License-Identifier: MIT
// Finds cells that a kernel writes outside its block.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "boards/halo_buffer.h"
#include "kernels/kernel.h"
#include "moorea/lab/instruments.h"

namespace moorea {

/// Runs kernels with a destination of their own, of the block's rows and some around them, in which the cells
/// around the block have a value that no kernel writes by chance.
class BlockGuard {
 public:
  /// Runs a step of a block whose destination lies in `to`, and copies what it has written in the block.
  /// Threads may call it at the same time. Throws Error (memory).
  void run(kernels::Step step, const kernels::Block& block, const Field& to);

  /// The first cell, by block and then by row, that was written outside a block since the last call;
  /// `generation` is not set, and coordinates begin at the board's first cell.
  std::optional<StrayWrite> take();

 private:
  std::unique_ptr<FieldBuffer> take_buffer(const Field& like, std::int64_t rows);

  std::mutex mutex_;
  std::vector<std::unique_ptr<FieldBuffer>> free_;  // of rows of one width, that of the last call
  std::optional<StrayWrite> first_;
};

}  // namespace moorea
