// SPDX-License-Identifier: MIT
#include "cli/engine_options.h"

#include <fmt/core.h>

#include <sstream>

#include "cli/input_files.h"
#include "cli/out_of_core.h"
#include "moorea/error.h"
#include "moorea/support/bytes.h"

namespace app {
namespace {

// The name of no kernel, which leaves the choice to Moorea.
bool is_automatic(const std::string& kernel) { return kernel == "auto"; }

constexpr int max_generations_a_pass = 4096;

}  // namespace

void add_kernel_option(Command& command, EngineOptions& options) {
  command
      .add_option(
          "--kernel", options.kernel,
          "Kernel to run, see moorea kernels; hashlife is the world as a tree of equal squares; auto is "
          "Moorea's own choice, which is faster than a portable kernel such as cpu/strided. Default: auto")
      .type_name("NAME");
}

void add_engine_options(Command& command, EngineOptions& options) {
  command
      .add_option("--kernel-file", options.kernel_file,
                  "Run a kernel of your own, in C++, CUDA or OpenCL: see docs/your-own-kernel.md")
      .type_name("FILE.cpp|.cu|.cl");
  command
      .add_option("--device", options.device,
                  "Device to run on, see moorea kernels; cuda, opencl or opencl:PART-OF-A-NAME selects "
                  "the first match, with quotes around a name that has a comma or a plus sign. Several, as "
                  "in cpu,cuda:0 or cuda:all, divide the world by rows; all is "
                  "the CPU and all GPUs, as far as they are faster together. Default: auto")
      .type_name("NAME,...");
  command
      .add_option("--shares", options.shares,
                  "Rows of each of several devices, relative to each other, which stay. Default: by speeds, "
                  "which are measured before and during the run")
      .type_name("N,...");
  command.add_option("--threads", options.threads, "CPU threads. Default: all cores; 1 for HashLife")
      .type_name("N");
  command
      .add_option(
          "--memory", options.memory,
          "Memory up to which an unbounded plane grows, or that the nodes of HashLife may use, such as "
          "4G. Default: the available memory, of which HashLife uses three quarters")
      .type_name("BYTES");
  command.add_option("--tile", options.tile, "Tile size, for kernels with tiles. Default: the kernel's own")
      .type_name("WxH");
  command
      .add_option(
          "--schedule", options.schedule,
          "Distribution of tiles to threads: static, dynamic or guided, with a chunk as in dynamic,4. "
          "Default: OMP_SCHEDULE, else static")
      .type_name("KIND[,CHUNK]");
  command
      .add_option("--placement", options.placement,
                  "Binding of threads to CPUs: none, close or spread. Default: none")
      .type_name("NAME");
  command
      .add_option("--wide-share", options.wide_share,
                  "Share of the threads that use wide vectors, 0 to 1, for kernels with two widths. Default: "
                  "the kernel's own")
      .type_name("P");
  command
      .add_option("--block", options.block,
                  "Thread block (OpenCL: work-group), for kernels where it is configurable; a number is the "
                  "width of a block of height 1. Default: the kernel's own")
      .type_name("N|WxH");
  command
      .add_option("--bytes-per-thread", options.bytes_a_thread,
                  "Bytes that a thread computes, for CUDA kernels where they are configurable. Default: the "
                  "kernel's own")
      .type_name("N");
  command
      .add_option("--generations-per-pass", options.generations_a_pass,
                  "Maximum number of generations in one pass over the world, for kernels that compute "
                  "several. Default: the kernel's maximum")
      .type_name("N");
  command
      .add_option("--numbering", options.numbering,
                  "Order of the faces in memory, for kernels of meshes. Default: the kernel's own")
      .type_name("given|strips|cuthill-mckee|shuffled");
  add_out_of_core_options(command, options);
  command.add_flag("--no-tuning", options.no_tuning,
                   "Choose kernel and device without the measurements of moorea tune");
  command.add_flag(
      "--explain", options.explain,
      "Print how the world is run and why; after moorea tune with the predicted time of each plan");
}

moorea::TileSize parse_tile(const std::string& text) {
  try {
    const moorea::Size size = parse_size(text);
    return {size.width, size.height};
  } catch (const moorea::Error&) {
    usage(fmt::format("tile \"{}\": expected WIDTHxHEIGHT in cells, such as 256x64", text));
  }
}

double parse_wide_share(const std::string& text) {
  char* end = nullptr;
  const double share = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(share >= 0 && share <= 1))
    usage(fmt::format("--wide-share \"{}\": expected a number from 0 to 1", text));
  return share;
}

std::vector<double> parse_shares(const std::string& text, char between, const char* option,
                                 const char* each) {
  std::vector<double> shares;
  const char* at = text.c_str();
  for (;;) {
    char* end = nullptr;
    const double share = std::strtod(at, &end);
    if (end == at || (*end != '\0' && *end != between) || !(share > 0 && share <= 1e9))
      usage(fmt::format("{} \"{}\": expected numbers above 0, one for each {}, as in 1{}20", option, text,
                        each, between));
    shares.push_back(share);
    if (*end == '\0') return shares;
    at = end + 1;
  }
}

int parse_bytes_a_thread(const std::string& text) {
  return static_cast<int>(parse_from_one(text, "--bytes-per-thread", moorea::max_bytes_a_thread));
}

int parse_generations_a_pass(const std::string& text) {
  return static_cast<int>(parse_from_one(text, "--generations-per-pass", max_generations_a_pass));
}

moorea::Options EngineOptions::options(std::optional<std::uint64_t> generations) const {
  moorea::Options result;
  result.generations = generations;
  result.use_tuning = !no_tuning;
  if (!kernel.empty() && !kernel_file.empty())
    usage("--kernel and --kernel-file name a kernel each: leave one of them out");
  result.kernel = !kernel_file.empty() ? parse_kernel_file(kernel_file) : is_automatic(kernel) ? "" : kernel;
  result.device = device;
  result.threads = static_cast<int>(parse_whole(threads, "--threads", 4096));
  if (!memory.empty()) result.memory = moorea::parse_bytes(memory, "memory");
  if (!tile.empty()) result.tile = parse_tile(tile);
  if (!schedule.empty()) result.schedule = moorea::parse_schedule(schedule);
  if (!placement.empty()) result.placement = moorea::parse_placement(placement);
  if (!wide_share.empty()) result.wide_share = parse_wide_share(wide_share);
  if (!shares.empty()) result.shares = parse_shares(shares, ',');
  if (!block.empty()) result.block = moorea::parse_thread_block(block);
  if (!bytes_a_thread.empty()) result.bytes_a_thread = parse_bytes_a_thread(bytes_a_thread);
  if (!generations_a_pass.empty()) result.generations_a_pass = parse_generations_a_pass(generations_a_pass);
  if (!numbering.empty()) result.numbering = moorea::parse_numbering(numbering);
  result.out_of_core = out_of_core_options();
  return result;
}

bool EngineOptions::may_become_tree() const {
  return (kernel.empty() || is_automatic(kernel)) && kernel_file.empty() && !out_of_core &&
         (device == "auto" || device == "cpu");
}

void EngineOptions::say_plan(const moorea::RunPlan& plan) const {
  if (explain) app::explain(plan);
}

void explain(const moorea::RunPlan& plan) {
  std::istringstream text(plan.explanation());
  for (std::string line; std::getline(text, line);) say(line);
}

}  // namespace app
