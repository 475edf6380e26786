// SPDX-License-Identifier: MIT
#include "choose/kernel_options.h"

#include <fmt/core.h>

#include "choose/kernel_table.h"
#include "devices/cpu/placement.h"
#include "devices/cpu/threads.h"
#include "moorea/error.h"

namespace moorea {
namespace {

using kernels::TableEntry;

constexpr int max_threads = 4096;
constexpr std::int64_t largest_tile = 1 << 30;

}  // namespace

std::optional<Tiling> tiling_of(const TableEntry& entry, const Options& options) {
  const auto* const contract = std::get_if<kernels::BlockContract>(&entry.kernel->contract);
  const double default_share = contract != nullptr ? contract->wide_share : 0;
  if (options.wide_share && default_share == 0) {
    throw Error(fmt::format("kernel {} has no configurable share of wide threads; moorea kernels --json "
                            "lists it for those that have",
                            entry.name),
                ErrorKind::usage);
  }
  const kernels::TileShape usual = contract != nullptr ? contract->tile : kernels::TileShape();
  if (usual.width == 0) {
    if (!options.tile && !options.schedule && !options.placement) return std::nullopt;
    throw Error(
        fmt::format("kernel {} has no configurable {}; moorea kernels lists the tiles of those that have",
                    entry.name,
                    options.tile       ? "tile size"
                    : options.schedule ? "schedule"
                                       : "thread placement"),
        ErrorKind::usage);
  }
  Tiling tiling;
  tiling.tile = options.tile.value_or(TileSize{usual.width, usual.height});
  tiling.schedule = options.schedule ? *options.schedule : default_schedule();
  tiling.placement = options.placement.value_or(Placement::none);
  if (default_share != 0) tiling.wide_share = options.wide_share.value_or(default_share);
  if (tiling.placement != Placement::none && no_placement() != nullptr)
    throw Error(fmt::format("threads cannot be placed: {}", no_placement()), ErrorKind::unavailable);
  if (tiling.tile.width < 1 || tiling.tile.height < 1 || tiling.tile.width > largest_tile ||
      tiling.tile.height > largest_tile) {
    throw Error(fmt::format("tile {}x{}: expected 1x1 to {}x{}", tiling.tile.width, tiling.tile.height,
                            largest_tile, largest_tile),
                ErrorKind::usage);
  }
  if (entry.kernel->layout == kernels::Layout::bits && tiling.tile.width % 64 != 0) {
    throw Error(
        fmt::format("tile {}x{}: kernel {} keeps 64 cells to a word, so a tile's width is a multiple of 64",
                    tiling.tile.width, tiling.tile.height, entry.name),
        ErrorKind::usage);
  }
  return tiling;
}

kernels::MeshTable mesh_table_of(const kernels::Kernel& kernel) {
  if (const auto* const mesh = std::get_if<kernels::MeshContract>(&kernel.contract)) return mesh->table;
  if (const auto* const cuda = std::get_if<kernels::CudaContract>(&kernel.contract)) return cuda->mesh;
  if (const auto* const opencl = std::get_if<kernels::OpenClContract>(&kernel.contract)) return opencl->mesh;
  return kernels::MeshTable::none;
}

Numbering default_numbering(kernels::MeshTable table) {
  return table == kernels::MeshTable::words ? Numbering::strips : Numbering::given;
}

Numbering numbering_of(const TableEntry& entry, const Options& options) {
  const kernels::MeshTable table = mesh_table_of(*entry.kernel);
  if (options.numbering && table == kernels::MeshTable::none) {
    throw Error(
        fmt::format("kernel {} has no configurable numbering: choose a kernel of meshes, such as those "
                    "of cpu/mesh",
                    entry.name),
        ErrorKind::usage);
  }
  return options.numbering.value_or(default_numbering(table));
}

LaunchShape default_launch_shape(const kernels::Kernel& kernel) {
  LaunchShape shape;
  if (const auto* const cuda = std::get_if<kernels::CudaContract>(&kernel.contract)) {
    shape.block = {cuda->block.width, cuda->block.height};
    shape.bytes_a_thread = cuda->bytes_a_thread;
  } else if (const auto* const opencl = std::get_if<kernels::OpenClContract>(&kernel.contract)) {
    shape.block = {opencl->block.width, opencl->block.height};
  }
  return shape;
}

std::optional<LaunchShape> launch_shape_of(const TableEntry& entry, const Options& options) {
  const auto [usual, default_bytes] = default_launch_shape(*entry.kernel);
  const bool no_block = options.block && usual.width == 0;
  if (no_block || (options.bytes_a_thread && default_bytes == 0)) {
    throw Error(fmt::format("kernel {} has no configurable {}; moorea kernels lists those that have",
                            entry.name, no_block ? "thread block" : "number of bytes per thread"),
                ErrorKind::usage);
  }
  if (usual.width == 0 && default_bytes == 0) return std::nullopt;
  LaunchShape shape;
  shape.block = options.block.value_or(usual);
  shape.bytes_a_thread = options.bytes_a_thread.value_or(default_bytes);
  if (usual.height == 1 && shape.block.height != 1) {
    throw Error(fmt::format("thread block {}: kernel {} has its threads in one row, so a block's height is 1",
                            to_string(shape.block), entry.name),
                ErrorKind::usage);
  }
  return shape;
}

std::shared_ptr<const ShallowKernel> shallow_kernel(const TableEntry& entry, int generations) {
  if (!passes_chosen(entry)) {
    throw Error(
        fmt::format(
            "kernel {} has no configurable number of generations per pass; moorea kernels --json lists "
            "those that have",
            entry.name),
        ErrorKind::usage);
  }
  if (generations < 1 || generations > entry.kernel->max_steps) {
    throw Error(fmt::format("{} generations per pass: kernel {} computes 1 to {}", generations, entry.name,
                            entry.kernel->max_steps),
                ErrorKind::usage);
  }
  const auto shallow = std::make_shared<ShallowKernel>(ShallowKernel{*entry.kernel, entry});
  shallow->kernel.max_steps = generations;
  shallow->entry.kernel = &shallow->kernel;
  return shallow;
}

void require_valid(const Options& options) {
  if (options.threads < 0 || options.threads > max_threads) {
    throw Error(fmt::format("{} threads: expected 1 to {}, or 0 for all cores", options.threads, max_threads),
                ErrorKind::usage);
  }
  if (options.wide_share && !(*options.wide_share >= 0 && *options.wide_share <= 1)) {
    throw Error(fmt::format("share of wide threads {}: expected 0 to 1", *options.wide_share),
                ErrorKind::usage);
  }
  if (options.block) require_valid(*options.block);
  if (options.bytes_a_thread &&
      (*options.bytes_a_thread < 1 || *options.bytes_a_thread > max_bytes_a_thread)) {
    throw Error(
        fmt::format("{} bytes per thread: expected 1 to {}", *options.bytes_a_thread, max_bytes_a_thread),
        ErrorKind::usage);
  }
  if (options.generations_a_pass && options.kernel.empty()) {
    throw Error("generations per pass require a named kernel", ErrorKind::usage);
  }
}

}  // namespace moorea
