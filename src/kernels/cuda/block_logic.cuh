// SPDX-License-Identifier: MIT
// Logic of rules of blocks for the walk of cuda/strided, as text for NVRTC; hence no includes.
//
// Include after `word` (32 bits) and, with MOOREA_BLOCKS, MOOREA_NEXT_BLOCK(nw, ne, sw, se, next), which
// computes the four next cells of blocks.
#ifndef MOOREA_KERNELS_STEP_BLOCK_LOGIC_CUDA_H
#define MOOREA_KERNELS_STEP_BLOCK_LOGIC_CUDA_H
#ifdef MOOREA_BLOCKS

// Replaces blocks, which begin in a lane's first vector, or in its second and its last one if they are
// `shifted`.
__device__ __forceinline__ void next_blocks(word* north, word* south, bool shifted) {
  word left[4], right[4];
  if (!shifted) {
    MOOREA_NEXT_BLOCK(north[0], north[1], south[0], south[1], left);
    MOOREA_NEXT_BLOCK(north[2], north[3], south[2], south[3], right);
    north[0] = left[0], north[1] = left[1], north[2] = right[0], north[3] = right[1];
    south[0] = left[2], south[1] = left[3], south[2] = right[2], south[3] = right[3];
    return;
  }
  const word north_after = __shfl_down_sync(0xFFFFFFFF, north[0], 1);
  const word south_after = __shfl_down_sync(0xFFFFFFFF, south[0], 1);
  MOOREA_NEXT_BLOCK(north[1], north[2], south[1], south[2], left);
  MOOREA_NEXT_BLOCK(north[3], north_after, south[3], south_after, right);
  north[0] = __shfl_up_sync(0xFFFFFFFF, right[1], 1);
  south[0] = __shfl_up_sync(0xFFFFFFFF, right[3], 1);
  north[1] = left[0], north[2] = left[1], north[3] = right[0];
  south[1] = left[2], south[2] = left[3], south[3] = right[2];
}

#endif
#endif
