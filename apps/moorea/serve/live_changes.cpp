// SPDX-License-Identifier: MIT
// What becomes of a live world by those who control it.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "moorea/bundled.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/rule.h"
#include "serve/live_world.h"

namespace app {
namespace {

constexpr double max_cells_at_once = 1 << 28;  // drawn or copied
constexpr double max_file_bytes = 64e6;        // that a page is sent
constexpr const char* pasted = "the pasted text";

// The first that a file of this format can have.
std::string extension(const std::string& name) {
  for (const moorea::FormatInfo& format : moorea::pattern_formats()) {
    if (format.name == name) return std::string(format.extensions.substr(0, format.extensions.find(' ')));
  }
  return name;
}

void require_area(const moorea::Box& box) {
  if (static_cast<double>(box.width) * static_cast<double>(box.height) > max_cells_at_once)
    throw moorea::Error(fmt::format("{} x {} cells are too many at once here", box.width, box.height));
}

}  // namespace

void LiveWorld::cells_changed() {
  population_.reset();
  live_.reset();
  framing_.reset();
  changed();
}

// What was drawn becomes a moment before it goes on.
void LiveWorld::settle() {
  if (!drawn_) return;
  if (std::optional<Moment> now = moment()) {
    history_.change(simulation().generation(), std::move(*now));
  } else {
    history_.lose(simulation().generation());
  }
  drawn_ = false;
}

void LiveWorld::prepare_change() {
  if (std::optional<Moment> now = moment()) {
    history_.remember(std::move(*now), name_, drawn_);
  } else {
    history_.forget_changes();
  }
}

void LiveWorld::forget_populations() {
  const std::uint64_t generation = simulation().generation();
  const std::lock_guard lock(mutex_);
  while (!populations_.empty() && populations_.back().first >= generation) populations_.pop_back();
  if (edge_met_ && *edge_met_ >= generation) edge_met_.reset();
  ++edits_;
}

// The world is another one from this generation on.
void LiveWorld::become(moorea::Simulation simulation) {
  player_.replace(std::move(simulation));
  drawn_ = true;
  forget_populations();
  cells_changed();
}

void LiveWorld::begin_anew(const Moment& start, const std::string& name) {
  moorea::Simulation simulation = start.make(engine_);
  prepare_change();
  player_.stop();
  player_.replace(std::move(simulation));
  name_ = name;
  drawn_ = false;
  history_.begin(this->simulation().generation(), start);
  {
    const std::lock_guard lock(mutex_);
    populations_.clear();
  }
  edge_met_.reset();
  ++edits_;
  cells_changed();
}

// One that undo() takes back, or the next part of it.
void LiveWorld::paste(const moorea::Grid& cells, moorea::Position at, bool begins) {
  if (begins) prepare_change();
  try {
    player_.simulation().paste(cells, at);
  } catch (...) {
    if (begins && history_.last_change() != nullptr) history_.forget_last_change();
    throw;
  }
  drawn_ = true;
  forget_populations();
  cells_changed();
}

// The part of a box in which cells can live: the world, or the live cells' bounding box on an unbounded
// plane.
std::optional<moorea::Box> LiveWorld::inside(const moorea::Box& box) const {
  const moorea::Simulation& world = simulation();
  const moorea::Box limits = world.grows() ? world.bounding_box().value_or(moorea::Box()) : world.box();
  const moorea::Box part = intersect(box, limits);
  return part.empty() ? std::nullopt : std::optional(part);
}

void LiveWorld::go_to(std::uint64_t generation) {
  settle();
  player_.stop();
  const std::uint64_t now = simulation().generation();
  if (generation < now) keep_moment();  // the way forth again is short then
  const auto moment = history_.before(generation);
  if (generation < now || moment->first > now) {
    player_.replace(moment->second.make(engine_));
    cells_changed();
  }
  const std::uint64_t from = simulation().generation();
  if (generation > from) player_.step(generation - from);
}

// What those say who control

void LiveWorld::handle(ClientId, const message::Play&) { player_.play(); }
void LiveWorld::handle(ClientId, const message::Stop&) { player_.stop(); }
void LiveWorld::handle(ClientId, const message::Step& step) { player_.step(step.generations); }
void LiveWorld::handle(ClientId, const message::Stride& stride) {
  const std::uint64_t length = std::uint64_t{1} << std::max(player_.exponent(), 0);
  if (!stride.back) return player_.step(length);
  // From where a way back in time leads, if one is under way
  const std::uint64_t here = simulation().generation();
  const std::uint64_t now =
      player_.playing() ? here : std::min(here + player_.left(), std::max(here, history_.last()));
  go_to(std::max(history_.first(), now - std::min(now, length)));
}
void LiveWorld::handle(ClientId, const message::Faster& faster) {
  player_.set_exponent(player_.exponent() + faster.by);
}
void LiveWorld::handle(ClientId, const message::Speed& speed) { player_.set_exponent(speed.exponent); }
void LiveWorld::handle(ClientId, const message::Go& go) { go_to(go.generation); }

// From the beginning, and perhaps another way from there.
void LiveWorld::handle(ClientId, const message::Reset&) {
  settle();
  prepare_change();
  player_.stop();
  player_.replace(history_.before(0)->second.make(engine_));
  history_.forget_later(simulation().generation());
  forget_populations();
  cells_changed();
}

void LiveWorld::handle(ClientId, const message::Undo&) {
  const History::Change* change = history_.last_change();
  if (change == nullptr) throw moorea::Error("there is nothing to undo");
  moorea::Simulation before = change->now.make(engine_);
  name_ = change->name;
  const bool drawn = change->drawn;
  history_.undo();
  player_.stop();
  become(std::move(before));
  drawn_ = drawn;
}

void LiveWorld::handle(ClientId, const message::Draw& draw) {
  std::int64_t left = INT64_MAX, top = INT64_MAX, right = INT64_MIN, bottom = INT64_MIN;
  for (const moorea::Position& cell : draw.cells) {
    left = std::min(left, cell.x), right = std::max(right, cell.x + 1);
    top = std::min(top, cell.y), bottom = std::max(bottom, cell.y + 1);
  }
  require_area({left, top, right - left, bottom - top});
  moorea::Grid cells = simulation().window({left, top, right - left, bottom - top});
  for (const moorea::Position& cell : draw.cells) cells.set(cell.x - left, cell.y - top, draw.alive);
  paste(cells, {left, top}, draw.first);
}

void LiveWorld::handle(ClientId, const message::Clear& clear) {
  const std::optional<moorea::Box> box = inside(clear.box);
  if (!box) return;
  paste(moorea::Grid(box->width, box->height), {box->x, box->y}, true);
}

void LiveWorld::handle(ClientId, const message::Paste& given) {
  const moorea::Grid added = moorea::parse_pattern(given.text, pasted, max_cells_at_once).cells;
  if (added.empty()) throw moorea::Error(fmt::format("{} has no cells", pasted));
  require_area({given.at.x, given.at.y, added.width(), added.height()});
  moorea::Grid cells = simulation().window({given.at.x, given.at.y, added.width(), added.height()});
  for (std::int64_t y = 0; y < added.height(); ++y) {
    for (std::int64_t j = 0; j < added.words_per_row(); ++j) cells.row(y)[j] |= added.row(y)[j];
  }
  paste(cells, given.at, true);
}

void LiveWorld::handle(ClientId client, const message::Copy& copy) {
  require_area(copy.box);
  moorea::Pattern pattern;
  pattern.cells = simulation().window(copy.box);
  pattern.rule = simulation().rule().str();
  reply(client, {{"event", "copied"}, {"box", box_json(copy.box)}}, moorea::format_pattern(pattern));
}

void LiveWorld::handle(ClientId, const message::Fill& fill) {
  moorea::Box box = fill.box;
  if (!simulation().grows()) {
    const std::optional<moorea::Box> part = inside(box);
    if (!part) return;
    box = *part;
  }
  require_area(box);
  const moorea::Grid noise = moorea::Grid::random(box.width, box.height, fill.density, fill.seed);
  paste(noise, {box.x, box.y}, true);
}

void LiveWorld::handle(ClientId, const message::Make& make) {
  const moorea::Rule rule = simulation().rule();
  Moment start;
  start.make = [rule, make](const moorea::Options& options) {
    if (!make.bounds) return moorea::Simulation::unbounded(rule, moorea::Pattern(), options);
    const moorea::Bounds& bounds = *make.bounds;
    return moorea::Simulation(rule, bounds.topology,
                              moorea::Grid::random(bounds.width, bounds.height, make.density, make.seed),
                              options);
  };
  begin_anew(start, "");
}

// The same cells by another rule or in other bounds, whose middle stays; what falls outside is gone.
void LiveWorld::change_to(const moorea::Rule& rule, const std::optional<moorea::Bounds>& bounds) {
  moorea::Pattern pattern = simulation().snapshot();
  const std::uint64_t generation = simulation().generation();
  moorea::Simulation next = [&] {
    if (!bounds) return moorea::Simulation::unbounded(rule, pattern, engine_);
    moorea::Grid cells(bounds->width, bounds->height);
    const moorea::Position at = pattern.position.value_or(moorea::Position());
    cells.paste(pattern.cells, {bounds->width / 2 + at.x, bounds->height / 2 + at.y});
    return moorea::Simulation(rule, bounds->topology, std::move(cells), engine_);
  }();
  next.set_generation(generation);
  prepare_change();
  become(std::move(next));
}

std::optional<moorea::Bounds> LiveWorld::bounds() const {
  const moorea::Simulation& world = simulation();
  if (world.grows()) return std::nullopt;
  return moorea::Bounds{world.topology(), world.width(), world.height()};
}

void LiveWorld::handle(ClientId, const message::Resize& resize) {
  change_to(simulation().rule(), resize.bounds);
}

void LiveWorld::handle(ClientId, const message::SetRule& given) {
  const moorea::RuleSpec spec = moorea::RuleSpec::parse(given.rule);
  change_to(spec.rule, spec.bounds ? spec.bounds : bounds());
}

void LiveWorld::handle(ClientId client, const message::CheckRule& given) {
  Json json = {{"event", "rule"}, {"text", given.rule}};
  try {
    const moorea::RuleSpec spec = moorea::RuleSpec::parse(given.rule);
    json["rule"] = spec.rule.str() + (spec.bounds ? spec.bounds->suffix() : "");
    json["name"] = spec.rule.name();
    json["strobes"] = strobes(spec.rule);
    const bool endless = spec.bounds ? false : simulation().grows();
    if (endless && spec.rule.next(false, 0))
      json["error"] = "B0 would fill a plane without end; such a rule needs a world with a size";
  } catch (const moorea::Error& error) {
    json["error"] = error.what();
  }
  reply(client, json);
}

void LiveWorld::handle(ClientId client, const message::Kernels&) {
  Json kernels = Json::array();
  for (const moorea::KernelInfo& kernel : moorea::list_kernels(simulation().rule()))
    kernels.push_back({{"name", kernel.name},
                       {"backend", to_string(kernel.backend)},
                       {"summary", kernel.summary},
                       {"runs", kernel.runs},
                       {"reason", kernel.reason}});
  reply(client, {{"event", "kernels"}, {"kernels", kernels}});
}

void LiveWorld::handle(ClientId, const message::Engine& engine) {
  // A path would be compiled and run: only whoever started this may say that
  if (!engine.kernel.empty() && engine.kernel != own_kernel_) {
    const std::vector<moorea::KernelInfo> kernels = moorea::list_kernels();
    if (std::none_of(kernels.begin(), kernels.end(),
                     [&](const moorea::KernelInfo& kernel) { return kernel.name == engine.kernel; }))
      throw moorea::Error(fmt::format("there is no kernel \"{}\"", engine.kernel));
  }
  settle();
  moorea::Options options = engine_;
  options.device = engine.device;
  options.kernel = engine.kernel;
  moorea::Simulation next = moment_of(simulation()).make(options);
  engine_ = options;
  player_.replace(std::move(next));
}

void LiveWorld::open_pattern(moorea::Pattern pattern, const std::string& file) {
  if (pattern.rule.empty()) pattern.rule = simulation().rule().str();
  // What would fill a plane without end gets the bounds that are there
  moorea::RuleSpec spec = pattern.rule_spec();
  if (!spec.bounds && spec.rule.next(false, 0)) {
    spec.bounds = bounds();
    if (!spec.bounds)
      throw moorea::Error(fmt::format(
          "{} has B0 and needs a world with a size: make one first, and the pattern is put into its middle",
          spec.rule.str()));
    pattern.rule = spec.rule.str() + spec.bounds->suffix();
  }
  const std::string name = pattern.name.empty() ? file : pattern.name;
  begin_anew(moment_of(std::make_shared<const moorea::Pattern>(std::move(pattern))), name);
  player_.set_exponent(first_exponent_);  // the pace was for another pattern
}

void LiveWorld::handle(ClientId, const message::Open& open) {
  open_pattern(moorea::parse_pattern(open.bytes, open.name), open.name);
}

void LiveWorld::handle(ClientId, const message::Library& library) {
  open_pattern(moorea::bundled_pattern(library.name), library.name);
}

// As RLE with its size, whatever it was written in; with the rule where that is not the world's.
void LiveWorld::reply_pattern(ClientId client, const std::function<moorea::Pattern()>& get) {
  Json json = {{"event", "pattern"}};
  std::string text;
  try {
    const moorea::Pattern pattern = get();
    if (pattern.cells.empty()) throw moorea::Error("it has no cells");
    require_area({0, 0, pattern.cells.width(), pattern.cells.height()});
    json["name"] = pattern.name;
    json["width"] = pattern.cells.width();
    json["height"] = pattern.cells.height();
    json["population"] = pattern.cells.population();
    if (!pattern.rule.empty()) json["rule"] = pattern.rule;
    try {
      const moorea::RuleSpec spec = pattern.rule_spec();
      json["same_rule"] = pattern.rule.empty() || spec.rule == simulation().rule();
      if (!spec.rule.name().empty()) json["rule"] = spec.rule.name();
    } catch (const moorea::Error& error) {
      json["same_rule"] = false;
      json["rule_error"] = error.what();
    }
    // A page shows no more than a million cells, which are less
    text = moorea::format_pattern(pattern);
    if (static_cast<double>(text.size()) > max_file_bytes) text.clear();
  } catch (const std::exception& error) {
    json["error"] = error.what();
  }
  reply(client, json, text);
}

void LiveWorld::handle(ClientId client, const message::FetchPattern& pattern) {
  reply_pattern(client, [&] { return moorea::bundled_pattern(pattern.name); });
}

void LiveWorld::handle(ClientId client, const message::Read& given) {
  reply_pattern(client, [&] { return moorea::parse_pattern(given.text, given.name, max_cells_at_once); });
}

void LiveWorld::handle(ClientId client, const message::Save& save) {
  const moorea::Simulation& world = simulation();
  const bool whole = save.format.starts_with("pbm") && !world.grows();
  const moorea::Box live = world.bounding_box().value_or(moorea::Box());
  const double area = whole ? static_cast<double>(world.width()) * static_cast<double>(world.height())
                            : static_cast<double>(live.width) * static_cast<double>(live.height);
  const auto population = static_cast<double>(world.population());
  // What a cell takes as text, at most; of a bitmap an eighth of a byte
  const double bytes = save.format == "rle"       ? 4 * population
                       : save.format == "life106" ? 24 * population
                       : save.format == "pbm"     ? area / 8
                                                  : 2 * area;
  if (bytes > max_file_bytes)
    throw moorea::Error(
        "this world is too large for a page in that format; moorea run -o saves it where it runs");
  moorea::Pattern pattern = world.snapshot(whole);
  pattern.name = name_;
  reply(client,
        {{"event", "file"},
         {"name", fmt::format("{}-{}{}", name_.empty() ? "world" : name_, pattern.generation,
                              extension(save.format))}},
        moorea::format_pattern(pattern, save.format));
}

}  // namespace app
