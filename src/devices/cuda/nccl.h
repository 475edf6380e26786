// SPDX-License-Identifier: MIT
// NCCL, NVIDIA's library of messages between GPUs, which is opened at first use. Its header comes with a
// separate package, so the functions needed are declared here as in NVIDIA's NCCL API reference.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "boards/queue_link.h"

namespace moorea::cuda {

/// Why NCCL cannot be used; null if it can.
const char* nccl_missing();

/// A number that is equal for all ranks of a new link.
LinkId make_nccl_id();

/// Messages between streams of one CUDA device per rank; every rank calls it with an equal id. The current
/// device is that of the stream, which lives longer, as `ranks` does. Throws Error (run) with NCCL's text.
std::unique_ptr<QueueLink> make_nccl_link(const LinkId& id, RankLink& ranks, cudaStream_t stream);

}  // namespace moorea::cuda
