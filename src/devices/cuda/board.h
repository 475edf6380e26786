// SPDX-License-Identifier: MIT
// A world in a GPU's memory, advanced by one CUDA kernel.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "devices/board.h"
#include "devices/cuda/cells.h"
#include "devices/cuda/compile.h"
#include "devices/cuda/runtime.h"
#include "kernels/kernel.h"
#include "moorea/topology.h"

namespace moorea::cuda {

/// Two buffers by turns. Cells cross between the machines in packed rows, some at a time, through pinned
/// memory.
class CudaBoard final : public Board {
 public:
  CudaBoard(int device, const kernels::Kernel& kernel, const kernels::Binding& binding,
            kernels::RuleMask rule, const kernels::Launch& launch, Topology topology, std::int64_t width,
            std::int64_t height);

  void load(const Grid& cells, std::int64_t x, std::int64_t y) override;
  void advance(std::uint64_t generations) override;
  Grid window(const Box& box) const override;
  std::uint64_t population() const override;
  std::uint64_t hash(std::int64_t x0, std::int64_t y0) const override;
  std::optional<Box> bounding_box() const override;
  std::optional<KernelResources> resources() const override;
  std::optional<ConversionTimes> time_conversion() override;

  static double bytes(const kernels::Kernel& kernel, std::int64_t width, std::int64_t height);

 private:
  // Page-locked memory, which copies run to and from beside other work.
  class Pinned {
   public:
    explicit Pinned(std::size_t bytes);
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    ~Pinned();
    std::uint64_t* words() const { return words_; }

   private:
    std::uint64_t* words_ = nullptr;
  };

  struct Shape {
    std::ptrdiff_t pitch = 0;  // bytes from row to row, of patches in their layout
    std::ptrdiff_t left = 0;   // bytes in front of a row's first cell
    std::int64_t depth = 0;    // rows above and below
    std::int64_t rows = 0;     // of memory
    std::size_t bytes = 0;
  };
  static Shape shape_of(const kernels::Kernel& kernel, std::int64_t width, std::int64_t height);

  void use() const;
  int most_steps() const;
  kernels::Block call(int steps) const;
  void pass(int steps);
  PackedRows rows_at(std::int64_t y, std::int64_t end) const;
  template <class PerRows>
  void for_rows(std::int64_t y, std::int64_t end, const PerRows& per_rows) const;

  int device_;
  const kernels::Kernel* kernel_;
  kernels::LaunchStep launch_step_;
  decltype(kernels::Binding::device_function) device_function_;
  std::shared_ptr<const CompiledKernels> compiled_;  // of kernels that are compiled for the rule
  kernels::RuleMask rule_;
  kernels::Launch launch_;
  Topology topology_;
  std::int64_t width_, height_;
  Stream stream_;
  std::array<DeviceMemory, 2> buffers_;
  std::array<DeviceField, 2> fields_;
  int current_ = 0;
  std::int64_t words_per_row_;  // 32-bit words of a packed row
  std::int64_t rows_at_once_;
  DeviceMemory packed_;   // rows_at_once_ packed rows
  DeviceMemory answer_;   // what a question's kernel writes
  DeviceMemory scratch_;  // of the kernel
  Pinned staging_;
};

}  // namespace moorea::cuda
