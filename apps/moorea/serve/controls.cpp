// SPDX-License-Identifier: MIT
#include "serve/controls.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cli/trees.h"
#include "moorea/bundled.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/rule.h"
#include "moorea/support/file_names.h"
#include "moorea/transitions.h"

namespace app {
namespace {

constexpr const char* pasted = "the pasted text";

// A kernel file would be compiled and run: only the command line may name one.
void require_known_kernel(const std::string& name) {
  if (name == tree_kernel_name) return;
  const std::vector<moorea::KernelInfo> kernels = moorea::list_kernels();
  if (std::none_of(kernels.begin(), kernels.end(), [&](const auto& kernel) { return kernel.name == name; }))
    throw moorea::Error(fmt::format("there is no kernel \"{}\"", name));
}

bool is_rule_file(std::string_view name) { return moorea::has_ending(name, ".rule"); }

}  // namespace

// One overload per message; those that are questions return the answer.
struct Controls::Visitor {
  WorldEditor& editor;
  Player& player;
  const std::string& own_kernel;
  int first_exponent;

  void operator()(const message::Look&) const {}
  void operator()(const message::Ready&) const {}
  void operator()(const message::Live&) const {}
  void operator()(const message::FetchMesh&) const {}
  void operator()(const message::WatchTiles&) const {}
  void operator()(const message::Identify&) const {}
  void operator()(const message::StopIdentifying&) const {}

  void operator()(const message::Play&) const { player.play(); }
  void operator()(const message::Stop&) const { player.stop(); }
  void operator()(const message::Step& step) const { player.step(step.generations); }
  void operator()(const message::Stride& stride) const {
    stride.back ? player.step_back() : player.step_forward();
  }
  void operator()(const message::Speed& speed) const { player.set_exponent(speed.exponent); }
  void operator()(const message::Faster& faster) const { player.set_exponent(player.exponent() + faster.by); }
  void operator()(const message::Hyperspeed& hyperspeed) const { player.set_hyperspeed(hyperspeed.on); }
  void operator()(const message::Go& go) const { player.go_to(go.generation); }
  void operator()(const message::Reset&) const {
    editor.reset();
    player.stop();
  }
  void operator()(const message::Undo&) const {
    editor.undo();
    player.stop();
  }
  void operator()(const message::Redo&) const {
    editor.redo();
    player.stop();
  }

  void operator()(const message::Draw& draw) const { editor.draw({draw.cells, draw.state, !draw.first}); }
  void operator()(const message::Clear& clear) const { editor.clear(clear.box); }
  void operator()(const message::Paste& paste) const {
    const moorea::Pattern pattern = moorea::parse_pattern(paste.text, pasted, max_cells_at_once);
    if (pattern.cells.empty()) throw moorea::Error(fmt::format("{} has no cells", pasted));
    editor.paste(pattern, paste.at);
  }
  void operator()(const message::Fill& fill) const { editor.fill(fill.box, fill.density, fill.seed); }
  void operator()(const message::Resize& resize) const { editor.resize(resize.bounds); }
  void operator()(const message::SetRule& rule) const { editor.set_rule(rule.rule); }

  void operator()(const message::Make& make) const {
    editor.start_anew(make.bounds, make.density, make.seed);
    player.stop();
  }
  void open(moorea::Pattern pattern, const std::string& file,
            const std::optional<moorea::CellTree>& tree = {}) const {
    editor.open(std::move(pattern), file, tree);
    player.stop();
    player.set_exponent(first_exponent);  // the pace was for another pattern
  }
  Reply operator()(const message::Open& file) const {
    if (is_rule_file(file.name)) return open_rule(file);
    std::optional<moorea::CellTree> tree;
    const double min_cells_a_live_one = is_tree_file(file.name) ? 0 : 1024;  // as a file on the command line
    moorea::Pattern pattern = moorea::parse_pattern(file.bytes, file.name, tree, min_cells_a_live_one);
    open(std::move(pattern), file.name, tree);
    return opened(file.name);
  }
  Reply operator()(const message::Library& library) const {
    open(moorea::bundled_pattern(library.name), library.name);
    return opened(library.name);
  }
  // The world receives the rule of an @RULE file.
  Reply open_rule(const message::Open& file) const {
    moorea::Rule::define(file.bytes, file.name);
    editor.set_rule(moorea::Transitions::parse(file.bytes, file.name).name());
    Reply reply = opened(file.name);
    reply.json["rule"] = editor.simulation().rule().str();
    return reply;
  }
  static Reply opened(const std::string& name) { return {{{"event", "opened"}, {"name", name}}, {}}; }
  void operator()(const message::Engine& engine) const {
    if (!engine.kernel.empty() && engine.kernel != own_kernel) require_known_kernel(engine.kernel);
    moorea::Options options = editor.engine();
    options.device = engine.device;
    options.kernel = engine.kernel;
    editor.set_engine(options);
  }

  Reply operator()(const message::Copy& copy) const {
    Reply reply = copied_reply(editor, copy.box);
    if (copy.cut) editor.clear(copy.box);
    return reply;
  }
  Reply operator()(const message::CheckRule& rule) const {
    return rule_reply(rule.rule, editor.simulation());
  }
  Reply operator()(const message::Kernels&) const { return kernels_reply(editor.simulation().world()); }
  Reply operator()(const message::FetchPattern& pattern) const {
    return pattern_reply([&] { return moorea::bundled_pattern(pattern.name); }, editor.simulation().rule());
  }
  Reply operator()(const message::Read& read) const {
    return pattern_reply([&] { return moorea::parse_pattern(read.text, read.name, max_cells_at_once); },
                         editor.simulation().rule());
  }
  Reply operator()(const message::Save& save) const {
    Reply reply = file_reply(editor, save.format);
    reply.json["use"] = save.use;
    return reply;
  }
};

std::optional<Reply> Controls::apply(const ClientMessage& message) {
  const Visitor visitor{editor_, player_, own_kernel_, first_exponent_};
  return std::visit(
      [&](const auto& known) -> std::optional<Reply> {
        if constexpr (std::is_void_v<decltype(visitor(known))>) {
          visitor(known);
          return std::nullopt;
        } else {
          return visitor(known);
        }
      },
      message);
}

}  // namespace app
