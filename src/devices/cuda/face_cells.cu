// SPDX-License-Identifier: MIT
// Conversion of the faces of a mesh from and to packed rows.
#include "devices/cuda/cells.cuh"

namespace moorea::cuda {
namespace {

// Faces of a mesh, a byte or a bit each, in the order of their numbers; a thread per face.
template <bool bits>
__global__ void scatter_faces(PackedRows packed, DeviceField field) {
  const std::int64_t thread = global_thread(), y = thread / (packed.words_per_row * 32),
                     x = thread % (packed.words_per_row * 32);
  if (y >= packed.rows || x >= field.width) return;
  const word alive = packed.words[y * packed.words_per_row + x / 32] >> x % 32 & 1;
  const std::int64_t face = (packed.y + y) * field.width + x;
  const std::int64_t at = field.numbers != nullptr ? field.numbers[face] : face;
  if (!bits) {
    reinterpret_cast<std::uint8_t*>(field.first)[at] = static_cast<std::uint8_t>(alive);
  } else if (alive != 0) {
    atomicOr(reinterpret_cast<word*>(field.first) + at / 32, word{1} << at % 32);
  } else {
    atomicAnd(reinterpret_cast<word*>(field.first) + at / 32, ~(word{1} << at % 32));
  }
}

template <bool bits>
__global__ void gather_faces(DeviceField field, PackedRows packed) {
  const std::int64_t thread = global_thread(), y = thread / (packed.words_per_row * 32),
                     x = thread % (packed.words_per_row * 32);
  word alive = 0;
  if (y < packed.rows && x < field.width) {
    const std::int64_t face = (packed.y + y) * field.width + x;
    const std::int64_t at = field.numbers != nullptr ? field.numbers[face] : face;
    alive = bits ? reinterpret_cast<const word*>(field.first)[at / 32] >> at % 32 & 1
                 : reinterpret_cast<const std::uint8_t*>(field.first)[at];
  }
  const word cells = __ballot_sync(all_lanes, alive != 0);
  if (y < packed.rows && x % 32 == 0) packed.words[y * packed.words_per_row + x / 32] = cells;
}

std::int64_t threads_for(const PackedRows& packed) { return packed.rows * packed.words_per_row * 32; }

}  // namespace

void faces_from_packed(const PackedRows& packed, const DeviceField& field, cudaStream_t stream) {
  const auto kernel = field.layout == kernels::Layout::face_bits ? scatter_faces<true> : scatter_faces<false>;
  kernel<<<blocks_for(threads_for(packed)), block_threads, 0, stream>>>(packed, field);
}

void packed_from_faces(const DeviceField& field, const PackedRows& packed, cudaStream_t stream) {
  const auto kernel = field.layout == kernels::Layout::face_bits ? gather_faces<true> : gather_faces<false>;
  kernel<<<blocks_for(threads_for(packed)), block_threads, 0, stream>>>(field, packed);
}

}  // namespace moorea::cuda
