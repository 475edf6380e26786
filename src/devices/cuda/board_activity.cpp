// SPDX-License-Identifier: MIT
// What the engines of a CudaBoard know of the cells after something else than a pass has replaced some.
#include "devices/cuda/board.h"

namespace moorea::cuda {

// The buffers no longer hold the output of a kernel.
void CudaBoard::forget() {
  for (Engine* engine : {&engine_, &quiet_, &counting_}) engine->launch.input_replaced = true;
}

// Call for each replacement of rows of the current buffer, before the next pass. The engine of the last pass
// keeps its activity data if its kernel can mark the rows that these influence; others have none to keep.
void CudaBoard::rows_replaced(std::int64_t first, std::int64_t rows) {
  for (Engine* engine : {&engine_, &quiet_, &counting_}) {
    if (engine->launch.input_replaced) continue;
    if (engine->contract->wake_rows == nullptr) {
      engine->launch.input_replaced = true;
      continue;
    }
    engine->contract->wake_rows(call(engine->kernel->max_steps, all_rows()), engine->launch,
                                {first, first + rows});
    MOOREA_CUDA(cudaGetLastError());
  }
}

}  // namespace moorea::cuda
