// SPDX-License-Identifier: MIT
#include "choose/choose.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "boards/adaptive_board.h"
#include "boards/block_board.h"
#include "boards/strided_board.h"
#include "boards/tile_board.h"
#include "choose/kernel_file.h"
#include "devices/cpu/placement.h"
#include "devices/cpu/threads.h"
#include "devices/cuda.h"
#include "devices/opencl.h"
#include "devices/traits.h"
#include "model/memory.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/nearest.h"

namespace moorea {
namespace {

using kernels::TableEntry;

// Fastest first: a kernel for busy worlds and one for those where little happens. Kernels that are not here
// run only when they are named; those of another processor are not in the table.
constexpr std::pair<std::string_view, std::string_view> preference[] = {
    {"cpu/strided_avx512", "cpu/tiles_avx512"},
    {"cpu/strided_avx2", "cpu/tiles_avx2"},
    {"cpu/strided", "cpu/tiles"},
};

// As above; the second is missing where the first is fast enough for quiet worlds, or only remains.
constexpr std::pair<std::string_view, std::string_view> gpu_preference[] = {
    {"cuda/chip", ""}, {"cuda/strided", "cuda/strided_lazy"}, {"cuda/bits", ""}};
// A plane that grows may have any size; this one is no power of two.
constexpr std::int64_t default_plane = 192;
constexpr std::string_view opencl_preference = "opencl/strided",
                           opencl_preference_of_cpus = "opencl/strided_vector";
constexpr std::string_view gpu_counting = "cuda/strided_counting";  // for boards of its layout

// Worlds of fewer cells are done by a CPU before a GPU is awake.
constexpr double min_cells_for_gpu = 1 << 24;

constexpr double shifts_a_word = 2;  // of the tiles' rows

constexpr int max_threads = 4096;
constexpr std::int64_t largest_tile = 1 << 30;

// Between the names of two kernels, one for busy and one for quiet times.
constexpr std::string_view joint = " + ";

// Null where there is none of this name.
const TableEntry* find_kernel(std::string_view name) {
  if (is_kernel_file(name)) return &kernel_from_file(std::string(name));
  for (const TableEntry* entry = kernels::table; entry->name != nullptr; ++entry) {
    if (entry->name == name) return entry;
  }
  return nullptr;
}

const TableEntry& named_kernel(const std::string& name) {
  if (const TableEntry* entry = find_kernel(name)) return *entry;
  std::vector<std::string> names;
  for (const TableEntry* entry = kernels::table; entry->name != nullptr; ++entry)
    names.emplace_back(entry->name);
  for (const auto& [backend, title] : {std::pair("cuda/", "CUDA"), std::pair("opencl/", "OpenCL")}) {
    if (!name.starts_with(backend)) continue;
    if (std::any_of(names.begin(), names.end(),
                    [&prefix = backend](const auto& each) { return each.starts_with(prefix); }))
      continue;
    throw Error(fmt::format("kernel {} cannot run here: this build has no {} (MOOREA_{})", name, title,
                            name.starts_with("cuda") ? "CUDA" : "OPENCL"),
                ErrorKind::unavailable);
  }
  throw Error(fmt::format("there is no kernel \"{}\"{} moorea kernels lists all of them", name,
                          nearest_name(name, names).empty() ? ";" : did_you_mean(name, names)),
              ErrorKind::usage);
}

std::string device_names() {
  std::string names = "auto";
  for (const DeviceInfo& device : list_devices()) names += ", " + device.name;
  return names;
}

const char* layout_name(kernels::Layout layout) {
  switch (layout) {
    case kernels::Layout::bytes:
      return "bytes";
    case kernels::Layout::bits:
      return "bits";
    case kernels::Layout::ints:
      return "ints";
    case kernels::Layout::patches:
      return "patches";
    case kernels::Layout::strided:
      return "strided";
    case kernels::Layout::tiles:
      return "tiles";
  }
  return "";
}

// What the options say about tiles, with the kernel's own tile where they say nothing.
std::optional<Tiling> tiling_of(const TableEntry& entry, const Options& options) {
  const kernels::TileShape usual = entry.kernel->tile;
  if (usual.width == 0) {
    if (!options.tile && !options.schedule && !options.placement) return std::nullopt;
    throw Error(
        fmt::format("kernel {} does not let a {} be chosen; moorea kernels shows for which tiles can be",
                    entry.name,
                    options.tile       ? "tile size"
                    : options.schedule ? "schedule"
                                       : "thread placement"),
        ErrorKind::usage);
  }
  Tiling tiling;
  tiling.tile = options.tile.value_or(TileSize{usual.width, usual.height});
  tiling.schedule = options.schedule.value_or(default_schedule());
  tiling.placement = options.placement.value_or(Placement::none);
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

// What the options say about the launch, with what is usual where they say nothing.
std::optional<LaunchShape> launch_shape_of(const TableEntry& entry, const Options& options) {
  const kernels::BlockShape usual = entry.kernel->block;
  const int default_bytes = entry.kernel->bytes_a_thread;
  const bool no_block = options.block && usual.width == 0;
  if (no_block || (options.bytes_a_thread && default_bytes == 0)) {
    throw Error(fmt::format("kernel {} does not let a {} be chosen; moorea kernels shows for which it can be",
                            entry.name, no_block ? "thread block" : "number of bytes a thread"),
                ErrorKind::usage);
  }
  if (usual.width == 0 && default_bytes == 0) return std::nullopt;
  LaunchShape shape;
  shape.block = options.block.value_or(ThreadBlock{usual.width, usual.height});
  shape.bytes_a_thread = options.bytes_a_thread.value_or(default_bytes);
  if (usual.height == 1 && shape.block.height != 1) {
    throw Error(fmt::format("thread block {}: kernel {} has its threads in one row, so a block's height is 1",
                            to_string(shape.block), entry.name),
                ErrorKind::usage);
  }
  return shape;
}

[[noreturn]] void refuse_device(std::string_view device, const std::string& reason) {
  throw Error(fmt::format("device \"{}\" is not available: {}", device, reason), ErrorKind::unavailable);
}

// The GPU for a world, or nothing if another backend is asked for. By default large worlds go to the first
// GPU.
std::optional<DeviceRef> choose_gpu(const Options& options, bool cuda_kernel, const WorldSpec& world) {
  const std::string_view device = options.device;
  const bool any = device == "auto";
  if (!any && backend_of_device(device) != Backend::cuda) return std::nullopt;
  if (any && !cuda_kernel && (!options.kernel.empty() || world.box().area() < min_cells_for_gpu))
    return std::nullopt;
  if (const char* reason = no_cuda()) {
    if (any) return std::nullopt;
    refuse_device(device, reason);
  }
  const std::optional<DeviceRef> gpu = any ? DeviceRef{Backend::cuda, 0} : DeviceRef::parse(device);
  if (!gpu || gpu->index >= std::ssize(list_gpus())) refuse_device(device, device_names());
  return gpu;
}

// The OpenCL device that the options ask for, or nothing if another backend is asked for.
std::optional<DeviceRef> choose_opencl(const Options& options, bool opencl_kernel) {
  const std::string_view device = options.device;
  const bool named = backend_of_device(device) == Backend::opencl;
  if (!named && (!opencl_kernel || device != "auto")) return std::nullopt;
  const std::string_view wanted = named ? device : to_string(Backend::opencl);
  if (const char* reason = no_opencl()) refuse_device(wanted, reason);
  const int index = find_opencl(wanted);
  if (index < 0) refuse_device(device, device_names());
  return DeviceRef{Backend::opencl, index};
}

kernels::Launch opencl_launch(const Choice& choice) {
  kernels::Launch launch;
  if (choice.launch_shape)
    launch.block = {choice.launch_shape->block.width, choice.launch_shape->block.height};
  return launch;
}

Backend backend_of(const TableEntry& entry) {
  const std::string_view name = entry.name;
  if (is_kernel_file(name)) return backend_of_file(name);
  return backend_of_device(name.substr(0, name.find('/'))).value_or(Backend::cpu);
}

// A kernel takes any number up to its own, but those that keep a world on the chip through many passes, and
// those that skip what rests, which count in whole passes.
bool passes_chosen(const TableEntry& entry) {
  const kernels::Kernel& kernel = *entry.kernel;
  return kernel.max_steps > 1 && kernel.longest_call == 0 && kernel.layout != kernels::Layout::tiles &&
         kernel.activity != kernels::Activity::skipped;
}

// The kernel that the options ask for when they ask for fewer generations a pass than it can do.
std::shared_ptr<const ShallowKernel> shallow_kernel(const TableEntry& entry, int generations) {
  if (!passes_chosen(entry)) {
    throw Error(
        fmt::format(
            "kernel {} does not let the generations a pass be chosen; moorea kernels --json shows for "
            "which they can be",
            entry.name),
        ErrorKind::usage);
  }
  if (generations < 1 || generations > entry.kernel->max_steps) {
    throw Error(fmt::format("{} generations a pass: kernel {} does 1 to {}", generations, entry.name,
                            entry.kernel->max_steps),
                ErrorKind::usage);
  }
  const auto shallow = std::make_shared<ShallowKernel>(ShallowKernel{*entry.kernel, entry});
  shallow->kernel.max_steps = generations;
  shallow->entry.kernel = &shallow->kernel;
  return shallow;
}

Backend backend_of(const kernels::Binding& binding) {
  if (binding.launch != nullptr) return Backend::cuda;
  return binding.opencl.text != nullptr ? Backend::opencl : Backend::cpu;
}

// Where the second of two names begins with what joins them; a file may have that in its own.
std::size_t place_of_joint(const std::string& name) {
  return is_kernel_file(name) ? std::string::npos : name.rfind(joint);
}

// The second of two kernels that were named together, which has the world while it is quiet.
void name_quiet(Choice& choice, const Options& options, RuleCode& code) {
  const std::string name = options.kernel.substr(place_of_joint(options.kernel) + joint.size());
  const TableEntry& quiet = named_kernel(name);
  const kernels::Kernel &busy = *choice.entry->kernel, &other = *quiet.kernel;
  choice.quiet_bound = bind_kernel(other, code);
  if (const char* refusal = choice.quiet_bound.binding.refusal) {
    throw Error(fmt::format("kernel {} cannot run here: {}", quiet.name, refusal), ErrorKind::unavailable);
  }
  const Backend backend = backend_of(choice.bound.binding);
  const bool on_cpu = backend == Backend::cpu && busy.layout != kernels::Layout::tiles &&
                      other.layout == kernels::Layout::tiles,
             on_gpu = backend == Backend::cuda && busy.layout == other.layout &&
                      busy.max_steps == other.max_steps && busy.activity == kernels::Activity::none &&
                      other.activity == kernels::Activity::skipped;
  if (!on_cpu && !on_gpu) {
    throw Error(fmt::format("kernel {} cannot take quiet times over from {}: on the CPU those of tiles can, "
                            "from any other; on GPUs those that skip can, from one of the same layout and "
                            "generations a pass",
                            quiet.name, choice.entry->name),
                ErrorKind::usage);
  }
  choice.quiet = &quiet;
}

}  // namespace

std::string Choice::kernel() const {
  return quiet != nullptr ? std::string(entry->name) + std::string(joint) + quiet->name
                          : std::string(entry->name);
}

Choice choose(const WorldSpec& world, const Options& options) {
  const Rule& rule = world.rule;
  Choice choice;
  const std::string_view device = options.device;
  const std::optional<Backend> asked = backend_of_device(device);
  if (!asked && device != "auto") refuse_device(device, device_names());
  if (options.threads < 0 || options.threads > max_threads) {
    throw Error(fmt::format("{} threads: expected 1 to {}, or 0 for all cores", options.threads, max_threads),
                ErrorKind::usage);
  }
  if (options.block) require_valid(*options.block);
  if (options.bytes_a_thread &&
      (*options.bytes_a_thread < 1 || *options.bytes_a_thread > max_bytes_a_thread)) {
    throw Error(
        fmt::format("{} bytes a thread: expected 1 to {}", *options.bytes_a_thread, max_bytes_a_thread),
        ErrorKind::usage);
  }
  if (options.generations_a_pass && options.kernel.empty()) {
    throw Error("the generations a pass can be chosen for a kernel that is named", ErrorKind::usage);
  }
  choice.threads = options.threads != 0 ? options.threads : usable_threads();
  RuleCode code(mask_of(rule));
  if (!options.kernel.empty()) {
    const std::size_t plus = place_of_joint(options.kernel);
    choice.entry = &named_kernel(options.kernel.substr(0, plus));
    if (options.generations_a_pass) {
      choice.shallow = shallow_kernel(*choice.entry, *options.generations_a_pass);
      choice.entry = &choice.shallow->entry;
    }
    choice.bound = bind_kernel(*choice.entry->kernel, code);
    if (choice.bound.binding.refusal != nullptr) {
      throw Error(fmt::format("kernel {} cannot run {} here: {}", options.kernel, rule.str(),
                              choice.bound.binding.refusal),
                  ErrorKind::unavailable);
    }
    const Backend backend = backend_of(choice.bound.binding);
    if (asked && *asked != backend) {
      throw Error(fmt::format("kernel {} does not run on device {}", options.kernel, device),
                  ErrorKind::usage);
    }
    if (plus != std::string::npos) name_quiet(choice, options, code);
    if (backend == Backend::cuda) choice.device = choose_gpu(options, true, world).value_or(DeviceRef());
    if (backend == Backend::opencl) choice.device = choose_opencl(options, true).value_or(DeviceRef());
    if (const auto refuses = choice.entry->kernel->refuses;
        backend == Backend::opencl && world.width == 0 && refuses != nullptr) {
      throw Error(fmt::format("kernel {} cannot have a plane that grows: {}", options.kernel,
                              refuses({default_plane, default_plane, false}, 1)),
                  ErrorKind::unavailable);
    }
  } else if (const std::optional<DeviceRef> opencl = choose_opencl(options, false)) {
    choice.device = *opencl;
    choice.entry = find_kernel(opencl_is_cpu(opencl->index) ? opencl_preference_of_cpus : opencl_preference);
    choice.bound = bind_kernel(*choice.entry->kernel, code);
  } else if (const std::optional<DeviceRef> gpu = choose_gpu(options, false, world)) {
    choice.device = *gpu;
    for (const auto& [busy, quiet] : gpu_preference) {
      choice.entry = find_kernel(busy);
      // A world that grows may outgrow a kernel that is for small ones
      const kernels::World large = {1 << 20, 1 << 20, world.is_torus()};
      if (choice.entry == nullptr || gpu_refusal(gpu->index, *choice.entry->kernel,
                                                 world.width != 0 ? kernel_world(world) : large) != nullptr)
        continue;
      choice.bound = bind_kernel(*choice.entry->kernel, code);
      if (choice.bound.binding.refusal != nullptr) continue;
      choice.quiet = find_kernel(quiet);
      if (choice.quiet != nullptr) choice.quiet_bound = bind_kernel(*choice.quiet->kernel, code);
      if (choice.quiet_bound.binding.refusal != nullptr) choice.quiet = nullptr;
      break;
    }
  } else {
    for (const auto& [busy, quiet] : preference) {
      choice.entry = find_kernel(busy);
      choice.quiet = find_kernel(quiet);
      if (choice.entry == nullptr || choice.quiet == nullptr) continue;
      choice.bound = bind_kernel(*choice.entry->kernel, code);
      choice.quiet_bound = bind_kernel(*choice.quiet->kernel, code);
      if (choice.quiet_bound.binding.refusal != nullptr)
        choice.bound.binding.refusal = choice.quiet_bound.binding.refusal;
      if (choice.bound.binding.refusal == nullptr) break;
    }
  }
  if (choice.bound.binding.refusal != nullptr) {
    throw Error(fmt::format("no kernel can run {} here", rule.str()), ErrorKind::unavailable);
  }
  if (const TableEntry* counting = find_kernel(gpu_counting);
      choice.device.backend == Backend::cuda && counting != nullptr &&
      choice.entry->kernel->layout == counting->kernel->layout) {
    choice.counting = bind_kernel(*counting->kernel, code);
    if (choice.counting.binding.refusal != nullptr) choice.counting.kernel = nullptr;
  }
  choice.tiling = tiling_of(*choice.entry, options);
  choice.launch_shape = launch_shape_of(*choice.entry, options);
  return choice;
}

namespace {

void require_taken(const WorldSpec& world, const Choice& choice, const char* refusal) {
  if (refusal == nullptr) return;
  throw Error(fmt::format("kernel {} cannot have a {} of {} x {} cells: {}", choice.entry->name,
                          to_string(world.topology), world.width, world.height, refusal),
              ErrorKind::unavailable);
}

// Before a board is made that would lie in main memory; devices with their own say themselves what they lack.
void require_room(const WorldSpec& world, const Choice& choice) {
  if (!in_main_memory(choice)) return;
  require_memory(board_bytes(world, choice), fmt::format("a world of {} x {} cells with kernel {}",
                                                         world.width, world.height, choice.kernel()));
}

}  // namespace

std::unique_ptr<Board> make_board(const WorldSpec& world, const Choice& choice) {
  if (choice.device.backend == Backend::cuda) {
    require_taken(world, choice,
                  gpu_refusal(choice.device.index, *choice.entry->kernel, kernel_world(world)));
    GpuKernels kernels{choice.entry->kernel, choice.bound.binding, nullptr, {}, nullptr, {}};
    if (choice.quiet != nullptr) {
      kernels.quiet = choice.quiet->kernel;
      kernels.quiet_binding = choice.quiet_bound.binding;
    }
    kernels.counting = choice.counting.kernel;
    kernels.counting_binding = choice.counting.binding;
    kernels::Launch launch;
    if (choice.launch_shape) {
      launch.block = {choice.launch_shape->block.width, choice.launch_shape->block.height};
      launch.bytes_a_thread = choice.launch_shape->bytes_a_thread;
    }
    require_room(world, choice);
    return make_gpu_board(world, choice.device.index, kernels, launch);
  }
  if (choice.device.backend == Backend::opencl) {
    const auto refuses = choice.entry->kernel->refuses;
    require_taken(world, choice, refuses == nullptr ? nullptr : refuses(kernel_world(world), 1));
    require_room(world, choice);
    return make_opencl_board(world, choice.device.index, *choice.entry->kernel, choice.bound.binding,
                             opencl_launch(choice));
  }
  require_room(world, choice);
  const kernels::Kernel& kernel = *choice.entry->kernel;
  if (choice.quiet != nullptr) {
    Choice busy = choice;
    busy.quiet = nullptr;
    const double cost = kernel.layout == kernels::Layout::strided
                            ? AdaptiveBoard::strided_cost(kernel, world.box().size())
                            : world.box().area();
    BusyBoard kind{[=] { return make_board(world, busy); }, cost};
    return std::make_unique<AdaptiveBoard>(world, std::move(kind), choice.quiet_bound, choice.threads);
  }
  if (kernel.layout == kernels::Layout::strided) {
    return std::make_unique<StridedBoard>(world, choice.bound, choice.threads);
  }
  if (kernel.layout == kernels::Layout::tiles) {
    return std::make_unique<TileBoard>(world, choice.bound, choice.threads);
  }
  return std::make_unique<BlockBoard>(world, kernel, choice.bound.binding, choice.threads,
                                      choice.tiling.value_or(Tiling()));
}

std::unique_ptr<GrowingBoard> make_growing_board(const Rule& rule, const Choice& choice,
                                                 std::uint64_t max_bytes) {
  return std::make_unique<GrowingBoard>(
      rule, PlaneFactory{[choice](const WorldSpec& world) { return make_board(world, choice); },
                         [choice](const WorldSpec& world) { return board_bytes(world, choice); },
                         in_main_memory(choice), max_bytes});
}

bool in_main_memory(const Choice& choice) {
  switch (choice.device.backend) {
    case Backend::cpu:
      return true;
    case Backend::cuda:
      return gpu_in_main_memory(choice.device.index);
    case Backend::opencl:
      return opencl_in_main_memory(choice.device.index);
  }
  return true;
}

double board_bytes(const WorldSpec& world, const Choice& choice) {
  const kernels::Kernel& kernel = *choice.entry->kernel;
  if (choice.device.backend == Backend::cuda) return gpu_board_bytes(world, kernel);
  if (choice.device.backend == Backend::opencl) {
    return opencl_board_bytes(world, choice.device.index, kernel, choice.bound.binding,
                              opencl_launch(choice));
  }
  if (choice.quiet != nullptr) {
    // The larger of the two; while it moves it takes more if there is more
    Choice busy = choice;
    busy.quiet = nullptr;
    return std::max(board_bytes(world, busy), TileBoard::bytes(world));
  }
  if (kernel.layout == kernels::Layout::strided) {
    return StridedBoard::bytes(kernel, world.box().size(), choice.threads);
  }
  if (kernel.layout == kernels::Layout::tiles) return TileBoard::bytes(world);
  double flags = 0;
  if (kernel.activity == kernels::Activity::skipped) {
    const TileSize tile = choice.tiling->tile;
    flags = 2 * (static_cast<double>(world.width / tile.width) + 3) *
            (static_cast<double>(world.height / tile.height) + 3);
  }
  return 2 * field_bytes(kernel.layout, world.width, world.height, kernel.max_steps) + flags;
}

namespace {

KernelInfo info_of(const TableEntry& entry, RuleCode& code, const RuleCost& cost) {
  const kernels::Kernel& kernel = *entry.kernel;
  const BoundKernel bound = bind_kernel(kernel, code);
  const kernels::Binding& binding = bound.binding;
  KernelInfo info;
  info.name = entry.name;
  info.backend = backend_of(entry);
  info.summary = kernel.summary;
  info.layout = layout_name(kernel.layout);
  info.max_steps = kernel.max_steps;
  info.passes_chosen = passes_chosen(entry);
  info.tile = {kernel.tile.width, kernel.tile.height};
  info.block = {kernel.block.width, kernel.block.height};
  info.bytes_a_thread = kernel.bytes_a_thread;
  info.bits_moved_per_cell = kernel.layout == kernels::Layout::bytes  ? 16
                             : kernel.layout == kernels::Layout::ints ? 64
                                                                      : 2;
  info.operations_per_word = binding.operations_per_word;
  info.skips = kernel.layout == kernels::Layout::tiles || kernel.activity == kernels::Activity::skipped;
  info.runs = binding.refusal == nullptr;
  if (!info.runs) info.reason = binding.refusal;
  if (info.runs && kernel.lanes != 0) {
    info.logic = bound.code                 ? "machine code"
                 : bound.no_code != nullptr ? fmt::format("masks: {}", bound.no_code)
                                            : "network";
    const bool gates = kernel.lanes == 512 || info.backend == Backend::cuda;
    info.operations_per_word = gates ? cost.gates_per_word : cost.operations_per_word;
    // What an OpenCL device's compiler makes of them is its own
    if (info.backend == Backend::opencl) info.operations_per_word = 0;
    if (kernel.layout == kernels::Layout::tiles) info.operations_per_word += shifts_a_word;
  }
  return info;
}

}  // namespace

std::vector<KernelInfo> list_kernels(const Rule& rule) {
  std::vector<KernelInfo> infos;
  const RuleCost cost = rule_cost(rule);
  RuleCode code(mask_of(rule));
  for (const TableEntry* entry = kernels::table; entry->name != nullptr; ++entry)
    infos.push_back(info_of(*entry, code, cost));
  return infos;
}

KernelInfo kernel_info(const std::string& name, const Rule& rule) {
  RuleCode code(mask_of(rule));
  const std::size_t plus = place_of_joint(name);
  const std::string first = name.substr(0, plus);
  KernelInfo info = info_of(named_kernel(first), code, rule_cost(rule));
  if (is_kernel_file(first)) info.fingerprint = fingerprint_of_file(first);
  if (plus != std::string::npos) {
    named_kernel(name.substr(plus + joint.size()));
    info.name = name;
    info.skips = true;
  }
  return info;
}

std::vector<DeviceInfo> list_devices() {
  const kernels::DeviceTraits traits = machine_traits();
  const char* vectors = traits.avx512 ? "AVX-512" : traits.avx2 ? "AVX2" : "no AVX2";
  std::vector<DeviceInfo> devices = {
      {"cpu", fmt::format("{}, {}", cpu_name(), vectors), usable_threads(), available_memory(), true}};
  for (DeviceInfo& gpu : list_gpus()) devices.push_back(std::move(gpu));
  for (DeviceInfo& device : list_opencl()) devices.push_back(std::move(device));
  return devices;
}

}  // namespace moorea
