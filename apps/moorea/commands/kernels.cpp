// SPDX-License-Identifier: MIT
// moorea kernels: the kernels of this build, why one cannot run, and the devices.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "cli/app.h"
#include "cli/trees.h"
#include "moorea/inventory.h"

namespace app {
namespace {

struct KernelsOptions {
  std::string rule;
  bool json = false;
};

moorea::KernelInfo tree_kernel(const moorea::Rule& rule) {
  moorea::KernelInfo tree;
  tree.name = tree_kernel_name;
  tree.summary = tree_kernel_summary;
  tree.layout = "tree";
  tree.max_steps = 0;  // any number
  tree.runs = rule.has_nine_cells();
  if (!tree.runs)
    tree.reason = rule.states() > 2 ? "squares of a tree have cells of two states, and the rule has more"
                                    : "squares of a tree need rules of a cell and its eight neighbours";
  return tree;
}

int list(const KernelsOptions& options) {
  const moorea::Rule rule = options.rule.empty() ? moorea::Rule() : moorea::Rule::parse(options.rule);
  std::vector<moorea::KernelInfo> kernels = moorea::list_kernels(rule);
  kernels.push_back(tree_kernel(rule));
  if (options.json) {
    Json json = {{"rule", rule.str()}, {"kernels", Json::array()}};
    for (const moorea::KernelInfo& kernel : kernels) {
      Json row = {
          {"name", kernel.name},
          {"backend", to_string(kernel.backend)},
          {"summary", kernel.summary},
          {"layout", kernel.layout},
          {"max_steps", kernel.max_steps},
          {"generations_per_pass_chosen", kernel.passes_chosen},
          {"operations_per_word", kernel.operations_per_word > 0 ? Json(kernel.operations_per_word) : Json()},
          {"runs", kernel.runs}};
      if (kernel.tile.width > 0) row["tile"] = {{"width", kernel.tile.width}, {"height", kernel.tile.height}};
      if (kernel.wide_share > 0) row["wide_share"] = kernel.wide_share;
      add_launch_shape(row, {kernel.block, kernel.bytes_a_thread});
      if (!kernel.logic.empty()) row["logic"] = kernel.logic;
      if (!kernel.runs) row["reason"] = kernel.reason;
      json["kernels"].push_back(row);
    }
    for (const moorea::DeviceInfo& device : moorea::list_devices())
      json["devices"].push_back({{"name", device.name}, {"description", device.description}});
    print_json(json);
    return ok;
  }
  std::size_t width = 4;
  for (const moorea::KernelInfo& kernel : kernels) width = std::max(width, kernel.name.size());
  std::string text = fmt::format("{:{}}  {:7}  {:5}  {:9}  {:14}  {}\n", "name", width, "backend", "runs",
                                 "tiles", "block", "what it does");
  for (const moorea::KernelInfo& kernel : kernels) {
    const std::string tile =
        kernel.tile.width > 0 ? fmt::format("{}x{}", kernel.tile.width, kernel.tile.height) : "-";
    const std::string block = launch_shape_text({kernel.block, kernel.bytes_a_thread});
    text += fmt::format("{:{}}  {:7}  {:5}  {:9}  {:14}  {}\n", kernel.name, width, to_string(kernel.backend),
                        kernel.runs ? "yes" : "no", tile, block, kernel.summary);
    if (kernel.runs && kernel.logic.starts_with("masks"))
      text += fmt::format("{:{}}  slower for this rule: {}\n", "", width + 43, kernel.logic);
    if (!kernel.runs) text += fmt::format("{:{}}  {}\n", "", width + 43, kernel.reason);
  }
  text += "\ndevices\n";
  for (const moorea::DeviceInfo& device : moorea::list_devices())
    text += fmt::format("{:{}}  {}\n", device.name, width, device.description);
  print(text);
  return ok;
}

}  // namespace

Action add_kernels(CommandLine& line) {
  Command command =
      line.add_command("kernels", "List the kernels, why one cannot run here, and the devices", false);
  const auto options = std::make_shared<KernelsOptions>();
  command.add_option("-r,--rule", options->rule, "Rule to be run. Default: Life").type_name("RULE");
  command.add_flag("--json", options->json, "Print JSON");
  command.footer(
      "moorea run --kernel NAME --device NAME selects a kernel and a device; moorea bench and moorea verify\n"
      "compare kernels. --tile, --schedule and --placement change the tile that is shown, --block the "
      "thread\n"
      "block, and --bytes-per-thread the bytes that a thread computes.");
  return [options] { return list(*options); };
}

}  // namespace app
