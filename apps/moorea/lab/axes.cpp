// SPDX-License-Identifier: MIT
#include "lab/axes.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/ranges.h"
#include "cli/world.h"
#include "moorea/error.h"

namespace app {
namespace {

// The values of an axis; one empty value if none was given.
template <class Parse>
auto values_of(const std::vector<std::string>& texts, const Parse& parse) {
  std::vector<std::optional<decltype(parse(texts.front()))>> values;
  for (const std::string& text : texts) values.emplace_back(parse(text));
  if (values.empty()) values.emplace_back();
  return values;
}

// A thread block, or two numbers that are no valid one, and the reason.
struct Block {
  moorea::ThreadBlock block;
  std::string problem;
};

Block parse_block(const std::string& text) {
  try {
    return {moorea::parse_thread_block(text), ""};
  } catch (const moorea::Error& error) {
    constexpr std::int64_t maximum = 1 << 20;  // of a side
    const std::size_t x = text.find_first_of("xX");
    int width = 0, height = 1;
    try {
      width = static_cast<int>(parse_from_one(text.substr(0, x), "--block", maximum));
      if (x != std::string::npos)
        height = static_cast<int>(parse_from_one(text.substr(x + 1), "--block", maximum));
    } catch (const moorea::Error&) {
      throw error;  // the text contains no numbers
    }
    return {{width, height}, error.what()};
  }
}

// The chunk as it is written in a schedule.
std::int64_t parse_chunk(const std::string& text) {
  try {
    return moorea::parse_schedule("static," + text).chunk;
  } catch (const moorea::Error&) {
    throw moorea::Error(fmt::format("--chunk \"{}\": expected a number of tiles", text),
                        moorea::ErrorKind::usage);
  }
}

}  // namespace

std::vector<Engine> Axes::combinations() const {
  std::vector<Engine> all{Engine()};
  // Extends all combinations so far by each value of one axis
  const auto vary = [&all](const auto& values, const auto& set) {
    std::vector<Engine> varied;
    for (const Engine& engine : all) {
      for (const auto& value : values) {
        varied.push_back(engine);
        if (value) set(varied.back(), *value);
      }
    }
    all = std::move(varied);
  };
  vary(values_of(expand_sizes(tiles, "--tile"), parse_tile),
       [](Engine& engine, moorea::TileSize tile) { engine.options.tile = tile; });
  vary(values_of(schedules, moorea::parse_schedule),
       [](Engine& engine, moorea::TileSchedule schedule) { engine.options.schedule = schedule; });
  vary(values_of(expand_numbers(chunks, "--chunk"), parse_chunk), [](Engine& engine, std::int64_t chunk) {
    std::optional<moorea::TileSchedule>& schedule = engine.options.schedule;
    if (!schedule) schedule.emplace();
    if (schedule->chunk == 0) schedule->chunk = chunk;
  });
  vary(values_of(placements, moorea::parse_placement),
       [](Engine& engine, moorea::Placement placement) { engine.options.placement = placement; });
  vary(values_of(wide_shares, parse_wide_share),
       [](Engine& engine, double share) { engine.options.wide_share = share; });
  const auto shapes = values_of(expand_sizes(blocks, "--block"), parse_block);
  // Invalid blocks are reported and left out; if all are invalid, that is an error
  const auto is_wrong = [](const std::optional<Block>& block) { return block && !block->problem.empty(); };
  if (std::all_of(shapes.begin(), shapes.end(), is_wrong))
    throw moorea::Error(shapes.front()->problem, moorea::ErrorKind::usage);
  vary(shapes, [](Engine& engine, const Block& block) {
    engine.options.block = block.block;
    if (!block.problem.empty()) engine.problem = block.problem;
  });
  vary(values_of(expand_numbers(bytes_a_thread, "--bytes-per-thread"), parse_bytes_a_thread),
       [](Engine& engine, int bytes) { engine.options.bytes_a_thread = bytes; });
  vary(values_of(numberings, moorea::parse_numbering),
       [](Engine& engine, moorea::Numbering numbering) { engine.options.numbering = numbering; });
  vary(values_of(expand_numbers(generations_a_pass, "--generations-per-pass"), parse_generations_a_pass),
       [](Engine& engine, int generations) { engine.options.generations_a_pass = generations; });
  vary(values_of(shares, [](const std::string& text) { return parse_shares(text, '+'); }),
       [](Engine& engine, const std::vector<double>& parts) { engine.options.shares = parts; });
  return all;
}

void add_axes(Command& command, Axes& axes) {
  command.add_list("--tile", axes.tiles, "Tile sizes, for kernels with tiles. Default: the kernel's own")
      .type_name("WxH|RANGE,...");
  command
      .add_repeated(
          "--schedule", axes.schedules,
          "Distribution of tiles to threads: static, dynamic or guided, with a chunk as in dynamic,4; may be "
          "given several times. Default: static")
      .type_name("KIND[,CHUNK]");
  command
      .add_list("--chunk", axes.chunks,
                "Tiles that a thread takes at a time, for schedules without a chunk of their own. Default: "
                "as in OpenMP")
      .type_name("N|RANGE,...");
  command
      .add_list("--placement", axes.placements,
                "Binding of threads to CPUs: none, close, spread. Default: none")
      .type_name("NAME,...");
  command
      .add_list("--wide-share", axes.wide_shares,
                "Shares of the threads that use wide vectors, 0 to 1, for kernels with two widths. Default: "
                "the kernel's own")
      .type_name("P,...");
  command
      .add_list(
          "--block", axes.blocks,
          "Thread blocks (OpenCL: work-groups), for kernels where they are configurable; a number is the "
          "width of a block of height 1. Default: the kernel's own")
      .type_name("N|WxH|RANGE,...");
  command
      .add_list("--bytes-per-thread", axes.bytes_a_thread,
                "Bytes that a thread computes, for CUDA kernels where they are configurable. Default: the "
                "kernel's own")
      .type_name("N|RANGE,...");
  command
      .add_list(
          "--numbering", axes.numberings,
          "Orders of the faces in memory, for kernels of meshes: given, strips, cuthill-mckee, shuffled. "
          "Default: the kernel's own")
      .type_name("NAME,...");
  command
      .add_list(
          "--generations-per-pass", axes.generations_a_pass,
          "Maximum number of generations in one pass over the world, for CPU kernels that compute several. "
          "Default: the kernel's maximum")
      .type_name("N|RANGE,...");
  command
      .add_list("--shares", axes.shares,
                "Rows of each of several devices, relative to each other: 1+9,1+1. Default: by speeds, which "
                "are measured before and during the run")
      .type_name("N+N,...");
}

std::vector<std::string> remove_unsupported(const moorea::KernelInfo& kernel, moorea::Options& options) {
  std::vector<std::string> names;
  const auto remove = [&](auto& option, bool supported, const char* name) {
    if (!option || supported) return;
    option.reset();
    names.emplace_back(name);
  };
  const bool has_tiles = kernel.tile.width != 0;
  remove(options.tile, has_tiles, "tile size");
  remove(options.schedule, has_tiles, "schedule");
  remove(options.placement, has_tiles, "thread placement");
  remove(options.wide_share, kernel.wide_share > 0, "share of wide threads");
  remove(options.block, kernel.block.height != 0, "thread block");
  remove(options.bytes_a_thread, kernel.bytes_a_thread != 0, "number of bytes per thread");
  remove(options.numbering, !kernel.numbering.empty(), "numbering");
  remove(options.generations_a_pass, kernel.passes_chosen, "number of generations per pass");
  return names;
}

}  // namespace app
