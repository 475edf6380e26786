// SPDX-License-Identifier: MIT
#include "choose/choose.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "boards/plane_board.h"
#include "boards/tree_board.h"
#include "choose/backend.h"
#include "choose/kernel_table.h"
#include "choose/out_of_core.h"
#include "choose/parts.h"
#include "choose/plan.h"
#include "choose/window_steps.h"
#include "devices/cpu/threads.h"
#include "meshes/layout.h"
#include "model/memory.h"
#include "moorea/device_list.h"
#include "moorea/error.h"
#include "moorea/support/nine_cells.h"

namespace moorea {
namespace {

std::string device_names() {
  std::string names = "auto";
  for (const DeviceInfo& device : list_devices()) names += ", " + device.name;
  return names;
}

std::string joined(const std::vector<std::string>& texts, std::string_view separator) {
  std::string all;
  for (const std::string& text : texts) {
    if (!all.empty()) all += separator;
    all += text;
  }
  return all;
}

[[noreturn]] void refuse_device(std::string_view device, const std::string& reason) {
  throw Error(fmt::format("device \"{}\" is not available: {}", device, reason), ErrorKind::unavailable);
}

// The device that the options name; "auto" is the first of the backend.
DeviceRef device_of(Backend backend, const Options& options) {
  const BackendDriver& driver = driver_of(backend);
  const bool any = options.device == "auto";
  const std::string name = any ? std::string(to_string(backend)) : options.device;
  if (const char* reason = driver.unavailable()) refuse_device(name, reason);
  const std::optional<int> index = driver.find(name);
  if (!index) refuse_device(name, "expected one of " + device_names());
  return {backend, *index};
}

void bind_quiet(Choice& choice, const kernels::TableEntry& quiet, const WorldSpec& world, RuleCode& code) {
  choice.quiet_bound = bind_kernel(*quiet.kernel, world.topology, code);
  choice.quiet = &quiet;
}

std::unique_ptr<TreeBoard> make_tree_board(const WorldSpec& world, std::string_view kernel,
                                           const EngineOptions& engine) {
  return std::make_unique<TreeBoard>(world, base_steps_by(std::string(kernel)), engine);
}

// The kernel or kernel pair that the options name.
void choose_named(Choice& choice, const WorldSpec& world, const Options& options, RuleCode& code) {
  const KernelPair names = KernelPair::parse(options.kernel);
  choice.entry = &named_kernel(names.busy);
  const Backend backend = backend_of(*choice.entry->kernel);
  if (options.generations_a_pass) {
    choice.shallow = shallow_kernel(*choice.entry, *options.generations_a_pass);
    choice.entry = &choice.shallow->entry;
  }
  choice.bound = bind_kernel(*choice.entry->kernel, world.topology, code);
  if (const char* refusal = choice.bound.refusal()) {
    throw Error(fmt::format("kernel {} cannot run {} here: {}", options.kernel, world.rule.str(), refusal),
                ErrorKind::unavailable);
  }
  if (const auto asked = backend_of_device(options.device); asked && *asked != backend) {
    throw Error(fmt::format("kernel {} does not run on device {}", options.kernel, options.device),
                ErrorKind::usage);
  }
  const BackendDriver& driver = driver_of(backend);
  if (!names.quiet.empty()) {
    bind_quiet(choice, named_kernel(names.quiet), world, code);
    if (const char* refusal = choice.quiet_bound.refusal())
      throw Error(fmt::format("kernel {} cannot run here: {}", names.quiet, refusal), ErrorKind::unavailable);
    if (!driver.can_switch(*choice.entry->kernel, *choice.quiet->kernel)) {
      throw Error(
          fmt::format(
              "kernel {} cannot be the quiet kernel of {}: on the CPU a kernel of tiles can, with any "
              "other, and cpu/wide/sums with cpu/wide/planes; on GPUs one that skips can, with one of the "
              "same layout and generations per pass",
              names.quiet, choice.entry->name),
          ErrorKind::usage);
    }
  }
  choice.device = device_of(backend, options);
  if (world.width != 0) return;
  if (const char* refusal = driver.refusal(world, choice)) {
    throw Error(fmt::format("kernel {} cannot have a plane that grows: {}", options.kernel, refusal),
                ErrorKind::unavailable);
  }
}

// HashLife: the base case is computed by the fastest kernel of windows.
void choose_tree(Choice& choice, const WorldSpec& world, const Options& options, RuleCode& code) {
  if (const auto asked = backend_of_device(options.device); asked && *asked != Backend::cpu) {
    throw Error(fmt::format("kernel {} does not run on device {}", options.kernel, options.device),
                ErrorKind::usage);
  }
  if (options.out_of_core || options.generations_a_pass)
    throw Error("kernel hashlife has neither bands nor passes: leave both out", ErrorKind::usage);
  choice.is_tree = true;
  choice.max_bytes = options.memory;
  choice.threads = std::max(options.threads, 1);
  choice.entry = &named_kernel(window_kernels().front());
  choice.bound = bind_kernel(*choice.entry->kernel, Topology::plane, code);
  choice.device = device_of(Backend::cpu, options);
  if (const char* refusal = TreeWorld::refusal(world))
    throw Error(fmt::format("kernel hashlife cannot have this world: {}", refusal), ErrorKind::unavailable);
}

// A world for which no kernel for small worlds is chosen: bands and the whole have different sizes.
WorldSpec large(const WorldSpec& world) {
  constexpr std::int64_t side = 1 << 20;
  WorldSpec result = world;
  if (!world.is_surface() && world.width != 0) result.width = result.height = side;
  return result;
}

// The first candidate of the device's backend that can run the rule; false if there is none.
bool choose_candidate(Choice& choice, const WorldSpec& world, RuleCode& code) {
  for (const Candidate& candidate : driver_of(choice.device.backend).candidates(world, choice.device.index)) {
    choice.entry = find_kernel(candidate.busy);
    if (choice.entry == nullptr) continue;
    choice.bound = bind_kernel(*choice.entry->kernel, world.topology, code);
    if (choice.bound.refusal() != nullptr) continue;
    choice.quiet = nullptr;
    const kernels::TableEntry* const quiet = find_kernel(candidate.quiet);
    if (quiet == nullptr) return true;
    bind_quiet(choice, *quiet, world, code);
    if (choice.quiet_bound.refusal() != nullptr) choice.quiet = nullptr;
    return true;
  }
  return false;
}

std::string no_kernel_text(const Choice& choice, const WorldSpec& world) {
  const bool on_cpu = choice.device.backend == Backend::cpu;
  std::string text = fmt::format("no kernel {} can run {}",
                                 on_cpu ? "here" : "on device " + choice.device.str(), world.rule.str());
  if (world.rule.states() > 2)
    return text + ", which has more than two states: " +
           (world.is_surface() ? "worlds on a mesh need a rule of two" : "choose the device cpu");
  if (!world.rule.has_nine_cells())
    return text + ", whose cells have other neighbours than the eight around them: " +
           (world.is_surface() ? "choose a torus or a plane"
            : world.rule.blocks() == nullptr
                ? "choose the device cpu"
                : "choose the device cpu, or for CUDA a width that is a multiple of 64");
  if (world.rule.is_life_like()) return text;
  text += ", which does not count the eight neighbours";
  if (world.is_surface()) return text + ": worlds on a mesh need a rule that does";
  return on_cpu ? text : text + ": choose the device cpu";
}

}  // namespace

KernelPair Choice::kernels() const {
  if (is_tree) return {std::string(tree_kernel), {}};
  return {entry->name, quiet != nullptr ? std::string(quiet->name) : std::string()};
}

std::string Choice::kernel_names() const {
  if (parts.empty()) return kernels().str();
  std::vector<std::string> names;
  for (const Choice& part : parts) {
    const std::string name = part.kernels().str();
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return joined(names, ", ");
}

std::string Choice::device_names() const {
  if (parts.empty()) return device.str();
  std::vector<std::string> names;
  for (const Choice& part : parts) names.push_back(part.device.str());
  return joined(names, ",");
}

Choice choose(const WorldSpec& world, const Options& asked) {
  if (asked.out_of_core) require_nine_cells(world.rule, "a world that is out of core");
  if (is_device_list(asked.device)) {
    if (!asked.out_of_core) return choose_parts(world, asked);
    throw Error("a world that is out of core has one device: name one, or leave out of core out",
                ErrorKind::usage);
  }
  if (!asked.shares.empty())
    throw Error("shares are those of several devices, as in cpu,cuda:0: one device has all rows",
                ErrorKind::usage);
  if (!backend_of_device(asked.device) && asked.device != "auto") refuse_device(asked.device, device_names());
  require_valid(asked);
  const Options options = with_preferred_device(world, asked);
  Choice choice;
  choice.threads = options.threads != 0 ? options.threads : usable_threads();
  RuleCode code(world.rule);
  if (options.kernel == tree_kernel) {
    choose_tree(choice, world, options, code);
  } else if (!options.kernel.empty()) {
    choose_named(choice, world, options, code);
  } else {
    choice.device = device_of(backend_of_device(options.device).value_or(Backend::cpu), options);
    if (!choose_candidate(choice, asked.out_of_core ? large(world) : world, code))
      throw Error(no_kernel_text(choice, world), ErrorKind::unavailable);
    choice.may_be_tree = world.is_unbounded() && has_sparse_plane(choice) &&
                         TreeWorld::refusal(world) == nullptr && !world.rule.births_from_nothing() &&
                         !window_kernels().empty();
    // A visit is over before a kernel for quiet worlds knows which regions are inactive
    if (asked.out_of_core) choice.quiet = nullptr;
  }
  const kernels::TableEntry* const counting = find_kernel(driver_of(choice.device.backend).counting_kernel());
  if (counting != nullptr && choice.entry->kernel->layout == counting->kernel->layout) {
    choice.counting = bind_kernel(*counting->kernel, world.topology, code);
    if (choice.counting.refusal() != nullptr) choice.counting.kernel = nullptr;
  }
  choice.tiling = tiling_of(*choice.entry, options);
  choice.launch_shape = launch_shape_of(*choice.entry, options);
  choice.numbering = numbering_of(*choice.entry, options);
  if (asked.out_of_core) choice.out_of_core = plan_out_of_core(world, choice, *asked.out_of_core);
  return choice;
}

void require_board(const WorldSpec& world, const Choice& choice) {
  if (!choice.parts.empty()) {
    for (const PartPlan& part : divide(world, choice).parts) require_board(part.with_halo, *part.choice);
    return;
  }
  if (choice.is_tree) return;
  if (choice.out_of_core) return require_streamed_board(world, choice);
  const char* refusal = mesh_refusal(world, mesh_table_of(*choice.entry->kernel));
  if (refusal == nullptr) refusal = driver_of(choice.device.backend).refusal(world, choice);
  if (refusal != nullptr) {
    throw Error(fmt::format("kernel {} cannot have a {} of {} x {} cells: {}", choice.entry->name,
                            to_string(world.topology), world.width, world.height, refusal),
                ErrorKind::unavailable);
  }
}

std::unique_ptr<Board> make_board(const WorldSpec& world, const Choice& choice) {
  require_board(world, choice);
  if (choice.is_tree)
    return make_tree_board(world, choice.entry->name, engine_options(choice.max_bytes, choice.threads));
  if (!choice.parts.empty()) return make_split_board(world, choice);
  if (choice.out_of_core) return make_streamed_board(world, choice);
  // Devices with memory of their own say themselves what they lack
  if (in_main_memory(choice)) {
    require_memory(board_bytes(world, choice),
                   fmt::format("a world of {} x {} cells with kernel {}", world.width, world.height,
                               choice.kernels().str()));
  }
  return driver_of(choice.device.backend).make_board(world, choice);
}

bool has_sparse_plane(const Choice& choice) {
  if (choice.is_tree) return false;
  const kernels::TableEntry& entry = choice.quiet != nullptr ? *choice.quiet : *choice.entry;
  return choice.parts.empty() && std::holds_alternative<kernels::TileContract>(entry.kernel->contract);
}

std::unique_ptr<PlaneBoard> make_plane_board(const Rule& rule, const Choice& choice,
                                             std::uint64_t max_bytes) {
  const WorldSpec plane = {rule, Topology::unbounded, 0, 0};
  const BackendDriver& driver = driver_of(choice.device.backend);
  PlaneForms forms;
  forms.make_cells = [=, &driver] { return driver.make_unbounded_board(rule, choice, max_bytes); };
  forms.make_tree = [=] {
    return make_tree_board(plane, window_kernels().front(), engine_options(max_bytes));
  };
  forms.max_bytes = max_bytes;
  return std::make_unique<PlaneBoard>(rule, std::move(forms));
}

std::unique_ptr<Board> make_unbounded_board(const Rule& rule, const Choice& choice, std::uint64_t max_bytes) {
  if (choice.is_tree)
    return make_tree_board({rule, Topology::unbounded, 0, 0}, choice.entry->name,
                           engine_options(max_bytes, choice.threads));
  if (choice.may_be_tree) return make_plane_board(rule, choice, max_bytes);
  if (!choice.parts.empty()) return make_growing_board(rule, choice, max_bytes);
  return driver_of(choice.device.backend).make_unbounded_board(rule, choice, max_bytes);
}

namespace {

// A plane of a GPU is rather larger than needed than moved often; a CPU moves cells as fast as it computes
// them some hundred times.
std::int64_t sides_a_margin(const Choice& choice) {
  return choice.parts.empty() && choice.device.backend == Backend::cpu ? 8 : 2;
}

}  // namespace

std::unique_ptr<GrowingBoard> make_growing_board(const Rule& rule, const Choice& choice,
                                                 std::uint64_t max_bytes) {
  return std::make_unique<GrowingBoard>(
      rule, PlaneFactory{[choice](const WorldSpec& world) { return make_board(world, choice); },
                         [choice](const WorldSpec& world) { return board_bytes(world, choice); },
                         in_main_memory(choice), max_bytes, sides_a_margin(choice)});
}

bool in_main_memory(const Choice& choice) {
  if (choice.is_tree) return true;
  if (!choice.parts.empty()) return std::ranges::any_of(choice.parts, in_main_memory);
  return driver_of(choice.device.backend).in_main_memory(choice.device.index);
}

double board_bytes(const WorldSpec& world, const Choice& choice) {
  if (!choice.parts.empty()) {
    double bytes = 0;
    for (const PartPlan& part : divide(world, choice).parts)
      bytes += board_bytes(part.with_halo, *part.choice);
    return bytes;
  }
  if (choice.is_tree) return 0;  // by its contents
  return driver_of(choice.device.backend).board_bytes(world, choice);
}

}  // namespace moorea
