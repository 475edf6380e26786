// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>

#include "devices/cuda.h"
#include "devices/cuda/runtime.h"
#include "moorea/lab/ceilings.h"

namespace moorea {
namespace {

constexpr int chains = 8, rounds = 4096, logic_threads = 256, blocks_a_multiprocessor = 8;

// Independent chains of three-input gates on registers, enough to hide the latency.
__global__ void logic(unsigned* result) {
  unsigned value[chains];
  const unsigned a = threadIdx.x * 0x9E3779B9u, b = blockIdx.x * 0x85EBCA6Bu;
  for (int i = 0; i < chains; ++i) value[i] = a + i;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < chains; ++i) {
      // E8 of changing operands, which no compiler can simplify
      asm volatile("lop3.b32 %0, %0, %1, %2, 0xE8;" : "+r"(value[i]) : "r"(a), "r"(b));
    }
  }
  unsigned all = 0;
  for (int i = 0; i < chains; ++i) all ^= value[i];
  if (all == 0x12345678) *result = all;
}

// Minimum of several samples: a limit is what an undisturbed device achieves.
template <class Work>
double best_seconds(const cuda::Stream& stream, const Work& work) {
  cudaEvent_t begin, end;
  MOOREA_CUDA(cudaEventCreate(&begin));
  MOOREA_CUDA(cudaEventCreate(&end));
  float best = 0;
  for (int sample = 0; sample < 6; ++sample) {
    MOOREA_CUDA(cudaEventRecord(begin, stream));
    work();
    MOOREA_CUDA(cudaGetLastError());
    MOOREA_CUDA(cudaEventRecord(end, stream));
    MOOREA_CUDA(cudaEventSynchronize(end));
    float milliseconds = 0;
    MOOREA_CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
    best = sample == 0 ? milliseconds : std::min(best, milliseconds);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return best / 1000;
}

}  // namespace

Ceilings measure_gpu_ceilings(int device) {
  MOOREA_CUDA(cudaSetDevice(device));
  int multiprocessors = 0;
  MOOREA_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  std::size_t available = 0, whole = 0;
  MOOREA_CUDA(cudaMemGetInfo(&available, &whole));
  const cuda::Stream stream;
  const std::size_t bytes = std::min<std::size_t>(std::size_t{4} << 30, available / 4) / 256 * 256;
  const cuda::DeviceMemory from(bytes), to(bytes), result(4);
  MOOREA_CUDA(cudaDeviceSynchronize());

  Ceilings ceilings;
  ceilings.copy_bytes_per_second =
      2 * static_cast<double>(bytes) / best_seconds(stream, [&] {
        MOOREA_CUDA(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream));
      });
  const int blocks = multiprocessors * blocks_a_multiprocessor;
  const double gates = static_cast<double>(chains) * rounds * logic_threads * blocks;  // of 32 cells
  ceilings.logic_words_per_second = gates / 2 / best_seconds(stream, [&] {
                                      logic<<<blocks, logic_threads, 0, stream>>>(result.as<unsigned>());
                                    });
  ceilings.logic_instruction = "CUDA three-input logic";
  return ceilings;
}

}  // namespace moorea
