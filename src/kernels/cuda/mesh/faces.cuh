// SPDX-License-Identifier: MIT
// Shared by the CUDA kernels of meshes. Included inside the anonymous namespace of
// each kernel file.

using Face = std::uint32_t;

__device__ inline Face face_of_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Next state of a cell with any number of live neighbours; rules name at most eight.
__device__ inline unsigned next_face(unsigned alive, unsigned neighbours, RuleMask rule) {
  const unsigned counts = alive != 0 ? rule.survival : rule.birth;
  return counts >> (neighbours < 15 ? neighbours : 15) & 1;
}

inline unsigned blocks_for(std::int64_t threads, int block) {
  return static_cast<unsigned>((threads + block - 1) / block);
}
