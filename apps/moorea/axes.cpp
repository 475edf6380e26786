// SPDX-License-Identifier: MIT
#include "axes.h"

#include <optional>

#include "world.h"

namespace app {
namespace {

// The values of an axis; one that says nothing where none was given.
template <class Parse>
auto values_of(const std::vector<std::string>& texts, const Parse& parse) {
  std::vector<std::optional<decltype(parse(texts.front()))>> values;
  for (const std::string& text : texts) values.emplace_back(parse(text));
  if (values.empty()) values.emplace_back();
  return values;
}

}  // namespace

std::vector<moorea::Options> Axes::combinations() const {
  std::vector<moorea::Options> all;
  moorea::Options options;
  for (const auto& tile : values_of(tiles, parse_tile)) {
    options.tile = tile;
    for (const auto& schedule : values_of(schedules, moorea::parse_schedule)) {
      options.schedule = schedule;
      for (const auto& placement : values_of(placements, moorea::parse_placement)) {
        options.placement = placement;
        for (const auto& block : values_of(blocks, moorea::parse_thread_block)) {
          options.block = block;
          for (const auto& bytes : values_of(bytes_a_thread, parse_bytes_a_thread)) {
            options.bytes_a_thread = bytes;
            all.push_back(options);
          }
        }
      }
    }
  }
  return all;
}

void add_axes(Command& command, Axes& axes) {
  command
      .add_list("--tile", axes.tiles,
                "Tile sizes, for kernels that take tiles. Default: what suits the kernel")
      .type_name("WxH,...");
  command
      .add_repeated(
          "--schedule", axes.schedules,
          "How threads share tiles: static, dynamic or guided, with a chunk as in dynamic,4; may be "
          "given several times. Default: static")
      .type_name("KIND[,CHUNK]");
  command
      .add_list("--placement", axes.placements,
                "On which CPUs threads work on tiles: none, close, spread. Default: none")
      .type_name("NAME,...");
  command
      .add_list("--block", axes.blocks,
                "Thread blocks (OpenCL: work-groups), for kernels that let them be chosen; a number is a "
                "height of 1. "
                "Default: what suits the kernel")
      .type_name("N|WxH,...");
  command
      .add_list("--bytes-per-thread", axes.bytes_a_thread,
                "Bytes that a thread makes, for CUDA kernels that let them be chosen. Default: what suits "
                "the kernel")
      .type_name("N,...");
}

const char* not_taken(const moorea::KernelInfo& kernel, const moorea::Options& options) {
  if (kernel.tile.width == 0) {
    if (options.tile) return "tile size";
    if (options.schedule) return "schedule";
    if (options.placement) return "thread placement";
  }
  if (options.block && kernel.block.height == 0) return "thread block";
  if (options.block && kernel.block.height == 1 && options.block->height != 1)
    return "thread block of several rows";
  return options.bytes_a_thread && kernel.bytes_a_thread == 0 ? "number of bytes a thread" : nullptr;
}

bool takes(const moorea::KernelInfo& kernel, const moorea::Options& options) {
  return not_taken(kernel, options) == nullptr;
}

}  // namespace app
