// SPDX-License-Identifier: MIT
#include "live_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/rule.h"
#include "moorea/start.h"

namespace app {
namespace {

constexpr double idle_seconds = 0.1;
constexpr double most_drawing_seconds = 0.1;  // at once
constexpr std::size_t coders = 2;
constexpr double moment_seconds = 1;            // between two moments that are kept, at least
constexpr double most_keeping = 0.01;           // of the time
constexpr std::size_t most_points = 800;        // of the population's curve
constexpr double most_cells_at_once = 1 << 28;  // drawn or copied
constexpr double most_file_bytes = 64e6;        // that a page is sent
constexpr double share_of_memory = 0.1, most_history_bytes = 2e9;

double since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::chrono::steady_clock::duration seconds(double number) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(number));
}

std::size_t history_bytes(const Json& devices) {
  const double available = devices.empty() ? 0 : devices[0]["memory"].get<double>();
  return static_cast<std::size_t>(std::clamp(share_of_memory * available, 1e7, most_history_bytes));
}

// All dead and all alive, again and again
bool strobes(const moorea::Rule& rule) { return rule.next(false, 0) && !rule.next(true, 8); }

Json patterns_json() {
  Json patterns = Json::array();
  for (const moorea::BundledPattern& bundled : moorea::bundled_patterns()) {
    const moorea::Pattern pattern = moorea::parse_pattern(bundled.text, std::string(bundled.name));
    std::string comment;
    for (const std::string& line : pattern.comments) comment += (comment.empty() ? "" : " ") + line;
    patterns.push_back({{"file", bundled.name},
                        {"name", pattern.name},
                        {"author", pattern.author},
                        {"comment", comment},
                        {"rule", pattern.rule},
                        {"width", pattern.cells.width()},
                        {"height", pattern.cells.height()}});
  }
  return patterns;
}

Json about() {
  Json rules = Json::array(), devices = Json::array(), formats = Json::array();
  for (const moorea::NamedRule& named : moorea::named_rules())
    rules.push_back({{"name", named.name}, {"rule", named.rule.str()}});
  for (const moorea::DeviceInfo& device : moorea::list_devices())
    devices.push_back(
        {{"name", device.name}, {"description", device.description}, {"memory", device.memory}});
  for (const moorea::FormatInfo& format : moorea::pattern_formats()) {
    if (format.writable) formats.push_back({{"name", format.name}, {"summary", format.summary}});
  }
  return {{"version", moorea::version()},
          {"rules", rules},
          {"devices", devices},
          {"formats", formats},
          {"patterns", patterns_json()}};
}

// The first that a file of this format can have.
std::string extension(const std::string& name) {
  for (const moorea::FormatInfo& format : moorea::pattern_formats()) {
    if (format.name == name) return std::string(format.extensions.substr(0, format.extensions.find(' ')));
  }
  return name;
}

std::string_view bundled_text(const std::string& name) {
  for (const moorea::BundledPattern& bundled : moorea::bundled_patterns()) {
    if (bundled.name == name) return bundled.text;
  }
  throw moorea::Error(fmt::format("there is no pattern \"{}\"", name));
}

void require_area(const moorea::Box& box) {
  if (static_cast<double>(box.width) * static_cast<double>(box.height) > most_cells_at_once)
    throw moorea::Error(fmt::format("{} x {} cells are too many at once here", box.width, box.height));
}

Json box_json(const moorea::Box& box) {
  return {{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}};
}

}  // namespace

LiveWorld::LiveWorld(const Settings& settings)
    : engine_(settings.engine),
      audience_token_(settings.audience_token),
      about_(about()),
      player_(settings.start(settings.engine), settings.exponent),
      history_(history_bytes(about_["devices"])),
      name_(settings.name) {
  history_.begin(simulation().generation(), {settings.start, 0, true});
  if (settings.plays) player_.play();
}

// --- clients

void LiveWorld::open(ClientId client, Access access) {
  const std::lock_guard lock(mutex_);
  queue_.push_back([this, client, access] {
    clients_[client].access = access;
    reply(client, hello(access));
    changed();
  });
  arrived_.notify_one();
}

std::string LiveWorld::receive(ClientId client, const std::string& text, bool binary) {
  try {
    const std::lock_guard lock(mutex_);
    queue_.push_back([this, client, message = parse_message(text, binary)] {
      act(client, message);
      server_->consumed(client);
    });
  } catch (const moorea::Error& error) {
    return error.what();
  }
  arrived_.notify_one();
  return "";
}

void LiveWorld::close(ClientId client) {
  const std::lock_guard lock(mutex_);
  queue_.push_back([this, client] {
    clients_.erase(client);
    changed();
  });
  arrived_.notify_one();
}

void LiveWorld::reply(ClientId client, const Json& json, std::string_view bytes) {
  server_->send(client, std::make_shared<const std::string>(packed(json, bytes)), true);
}

Json LiveWorld::hello(Access access) const {
  Json json = about_;
  json["event"] = "hello";
  json["controls"] = access == Access::control;
  json["populations"] = populations_;
  if (access == Access::control) json["audience_token"] = audience_token_;
  return json;
}

Json LiveWorld::state() const {
  const moorea::Simulation& world = simulation();
  Json json = {
      {"generation", world.generation()},
      {"population", *population_},
      {"rule", world.rule().str()},
      {"rule_name", world.rule().name()},
      {"strobes", strobes(world.rule())},
      {"topology", world.grows() ? "unbounded" : std::string(to_string(world.topology()))},
      {"width", world.width()},
      {"height", world.height()},
      {"name", name_},
      {"playing", player_.playing()},
      {"busy", player_.busy()},
      {"exponent", player_.exponent()},
      {"cells_per_second", player_.busy() ? player_.cells_per_second() : 0},
      {"generations_per_second", player_.busy() ? player_.generations_per_second() : 0},
      {"kernel", world.kernel()},
      {"device", world.device()},
      {"threads", world.threads()},
      {"asked_device", engine_.device},
      {"asked_kernel", engine_.kernel},
      {"clients", clients_.size()},
      {"first", history_.first()},
      {"last", std::max(history_.last(), world.generation())},
      {"undo", history_.can_undo()},
      {"edits", edits_},
  };
  if (world.edge_met()) json["edge_met"] = *world.edge_met();
  return json;
}

// --- the loop

void LiveWorld::run(WebServer& server) {
  server_ = &server;
  for (std::size_t i = 0; i < coders; ++i)
    coders_.push_back(std::make_unique<FrameWriter>(most_bytes_waiting));
  while (!was_interrupted()) {
    take_messages(patience());
    if (player_.busy() && player_.waits(idle_seconds) <= 0) go_on();
    if (Clock::now() >= next_draw_) draw();
  }
  for (const auto& coder : coders_) coder->finish();
  coders_.clear();
  server_ = nullptr;
}

double LiveWorld::patience() const {
  double wait = std::min(player_.waits(idle_seconds), idle_seconds);
  const bool any = std::any_of(clients_.begin(), clients_.end(),
                               [&](const auto& client) { return has_something_for(client.second); });
  if (any) wait = std::min(wait, std::max(0.0, -since(next_draw_)));
  return wait;
}

void LiveWorld::take_messages(double patience) {
  std::deque<std::function<void()>> now;
  {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, seconds(patience), [&] { return !queue_.empty(); });
    now.swap(queue_);
  }
  for (const std::function<void()>& deal_with : now) deal_with();
}

void LiveWorld::act(ClientId id, const ClientMessage& message) {
  const auto found = clients_.find(id);
  if (found == clients_.end()) return;
  Client& client = found->second;
  if (const auto* look = std::get_if<message::Look>(&message)) {
    client.raster = look->raster;
    client.looks_anew = true;
    if (!player_.busy()) next_draw_ = Clock::now();
    return;
  }
  if (std::holds_alternative<message::Ready>(message)) {
    client.ready = true;
    return;
  }
  if (std::holds_alternative<message::Live>(message)) {
    client.wants_live = true;
    return;
  }
  try {
    if (client.access != Access::control)
      throw moorea::Error("this link is for watching alone", moorea::ErrorKind::usage);
    std::visit([&](const auto& known) { handle(id, known); }, message);
  } catch (const moorea::Error& error) {
    reply(id, {{"event", "error"}, {"text", error.what()}});
  } catch (const std::bad_alloc&) {
    reply(id, {{"event", "error"}, {"text", "there is no memory for that"}});
  }
  changed();
}

bool LiveWorld::has_something_for(const Client& client) const {
  return client.wants_live || (client.ready && (client.looks_anew || client.seen != version_));
}

// Each client that is ready gets what is so now; while something runs, no longer than a frame may take, and
// whoever comes late then is the first the next time.
void LiveWorld::draw() {
  const auto begin = Clock::now();
  std::vector<ClientId> turn;
  for (auto client = clients_.upper_bound(last_drawn_for_); client != clients_.end(); ++client)
    turn.push_back(client->first);
  for (auto client = clients_.begin(); client != clients_.end() && client->first <= last_drawn_for_; ++client)
    turn.push_back(client->first);
  std::erase_if(turn, [&](ClientId id) { return !has_something_for(clients_[id]); });
  if (turn.empty()) return;
  count_population();
  const Json now = state();
  std::vector<moorea::Raster> rasters;
  for (const ClientId id : turn) {
    if (clients_[id].raster) rasters.push_back(clipped(*clients_[id].raster));
  }
  // Who has the same and sees the same is sent the same
  std::map<std::pair<FramePointer, FramePointer>, std::vector<ClientId>> alike;
  try {
    FrameMaker frames(simulation(), rasters);
    for (const ClientId id : turn) {
      Client& client = clients_[id];
      if (client.wants_live) tell_what_lives(id, client);
      if (!has_something_for(client)) continue;
      const FramePointer frame = client.raster ? frames.draw(clipped(*client.raster)) : nullptr;
      alike[{frame, client.base}].push_back(id);
      if (frame) client.base = frame;
      client.ready = client.looks_anew = false;
      client.seen = version_;
      last_drawn_for_ = id;
      if (player_.busy() && since(begin) > most_drawing_seconds) break;
    }
  } catch (const moorea::Error& error) {
    for (const ClientId id : turn) {
      reply(id, {{"event", "error"}, {"text", error.what()}});
      clients_[id].ready = clients_[id].wants_live = false;
    }
  }
  for (auto& [frames, clients] : alike) code(now, frames.first, frames.second, std::move(clients));
  // What is coded beside a run on the CPU takes its time, too
  const double coding = coded_seconds_.exchange(0);
  const double took = since(begin) + (simulation().device() == "cpu" ? coding : 0);
  next_draw_ = begin + seconds(player_.busy() ? std::max(frame_seconds, took / most_drawing) : frame_seconds);
}

void LiveWorld::code(const Json& state, const FramePointer& frame, const FramePointer& base,
                     std::vector<ClientId> clients) {
  FrameWriter& coder = *coders_[next_coder_++ % coders_.size()];
  coder.add(frame ? 3 * frame->squares.size() : 0, [this, state, frame, base, clients = std::move(clients)] {
    const auto begin = Clock::now();
    try {
      const auto message = std::make_shared<const std::string>(encode_update(state, frame, base));
      for (const ClientId client : clients) server_->send(client, message, true);
    } catch (const std::exception& error) {
      for (const ClientId client : clients) reply(client, {{"event", "error"}, {"text", error.what()}});
    }
    coded_seconds_ += since(begin);
  });
}

// The squares in which cells can lie: all who see the whole world at a scale see the same, whatever their
// screens.
moorea::Raster LiveWorld::clipped(moorea::Raster raster) const {
  const moorea::Simulation& world = simulation();
  if (world.grows()) return raster;
  const auto clip = [&](std::int64_t& first, std::int64_t& number, std::int64_t cells) {
    const std::int64_t begin = first < 0 ? std::min(-first / raster.scale, number - 1) : 0;
    const std::int64_t left = std::max<std::int64_t>(cells - first, 1);
    const std::int64_t end = std::clamp((left + raster.scale - 1) / raster.scale, begin + 1, number);
    first += begin * raster.scale;
    number = end - begin;
  };
  clip(raster.x, raster.columns, world.width());
  clip(raster.y, raster.rows, world.height());
  return raster;
}

void LiveWorld::tell_what_lives(ClientId id, Client& client) {
  client.wants_live = false;
  if (!live_) live_ = simulation().bounding_box();
  Json json = {{"event", "live"}};
  if (*live_) json["box"] = box_json(**live_);
  reply(id, json);
}

void LiveWorld::count_population() {
  if (population_) return;
  population_ = simulation().population();
  const std::uint64_t generation = simulation().generation();
  if (!populations_.empty() && populations_.back().first >= generation) return;
  populations_.emplace_back(generation, *population_);
  if (populations_.size() <= most_points) return;
  // Every second one, so that the whole of a long run is seen
  std::size_t kept = 0;
  for (std::size_t i = 0; i < populations_.size(); i += 2) populations_[kept++] = populations_[i];
  populations_.resize(kept);
}

void LiveWorld::go_on() {
  settle();
  const std::uint64_t generation = simulation().generation();
  const std::optional<std::uint64_t> drawn = history_.next_drawn(generation);
  player_.run(frame_seconds, drawn ? *drawn - generation : UINT64_MAX);
  // What was drawn there before the way back is there again
  if (drawn && simulation().generation() == *drawn)
    player_.replace(history_.before(*drawn)->second.make(engine_));
  if (Clock::now() >= next_moment_) keep_moment();
  cells_changed();
}

void LiveWorld::keep_moment() {
  const auto begin = Clock::now();
  const std::optional<moorea::Box> live = simulation().bounding_box();
  const double bytes = live ? static_cast<double>(live->width) / 8 * static_cast<double>(live->height) : 0;
  if (bytes < 1e18 && history_.has_room(static_cast<std::size_t>(bytes))) {
    try {
      history_.pass(simulation().generation(), moment_of(simulation()));
    } catch (const moorea::Error&) {
      // No memory for it: the way back will take longer
    }
  }
  next_moment_ = Clock::now() + seconds(std::max(moment_seconds, since(begin) / most_keeping));
}

// --- changes

void LiveWorld::cells_changed() {
  population_.reset();
  live_.reset();
  changed();
}

// What was drawn becomes a moment before it goes on.
void LiveWorld::settle() {
  if (!drawn_) return;
  drawn_ = false;
  history_.change(simulation().generation(), moment_of(simulation()));
}

void LiveWorld::prepare_change() {
  const std::optional<moorea::Box> live = simulation().bounding_box();
  const double bytes = live ? static_cast<double>(live->width) / 8 * static_cast<double>(live->height) : 0;
  if (bytes < 1e18 && history_.has_room(static_cast<std::size_t>(bytes))) {
    history_.remember(moment_of(simulation()));
  } else {
    history_.forget_changes();
  }
}

void LiveWorld::forget_populations() {
  const std::uint64_t generation = simulation().generation();
  while (!populations_.empty() && populations_.back().first >= generation) populations_.pop_back();
  ++edits_;
}

// The world is another one from this generation on.
void LiveWorld::become(moorea::Simulation simulation) {
  player_.replace(std::move(simulation));
  drawn_ = true;
  forget_populations();
  cells_changed();
}

void LiveWorld::begin_anew(const Moment& start) {
  moorea::Simulation simulation = start.make(engine_);
  prepare_change();
  player_.stop();
  player_.replace(std::move(simulation));
  drawn_ = false;
  history_.begin(this->simulation().generation(), start);
  populations_.clear();
  ++edits_;
  cells_changed();
}

void LiveWorld::paste(const moorea::Grid& cells, moorea::Position at) {
  player_.simulation().paste(cells, at);
  drawn_ = true;
  forget_populations();
  cells_changed();
}

// The part of a box in which cells can live, or do so where the world has no end.
std::optional<moorea::Box> LiveWorld::inside(moorea::Box box) const {
  const moorea::Simulation& world = simulation();
  const std::optional<moorea::Box> most =
      world.grows() ? world.bounding_box() : moorea::Box{0, 0, world.width(), world.height()};
  if (!most) return std::nullopt;
  const std::int64_t right = std::min(box.x + box.width, most->x + most->width),
                     bottom = std::min(box.y + box.height, most->y + most->height);
  box.x = std::max(box.x, most->x);
  box.y = std::max(box.y, most->y);
  box.width = right - box.x;
  box.height = bottom - box.y;
  if (box.width <= 0 || box.height <= 0) return std::nullopt;
  return box;
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

// --- what those say who control

void LiveWorld::handle(ClientId, const message::Play&) { player_.play(); }
void LiveWorld::handle(ClientId, const message::Stop&) { player_.stop(); }
void LiveWorld::handle(ClientId, const message::Step& step) { player_.step(step.generations); }
void LiveWorld::handle(ClientId, const message::Stride& stride) {
  const std::uint64_t length = std::uint64_t{1} << std::max(player_.exponent(), 0);
  if (!stride.back) return player_.step(length);
  const std::uint64_t now = simulation().generation();
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
  if (!history_.can_undo()) throw moorea::Error("there is nothing to undo");
  moorea::Simulation before = history_.undo().make(engine_);
  player_.stop();
  become(std::move(before));
}

void LiveWorld::handle(ClientId, const message::Draw& draw) {
  std::int64_t left = INT64_MAX, top = INT64_MAX, right = INT64_MIN, bottom = INT64_MIN;
  for (const moorea::Position& cell : draw.cells) {
    left = std::min(left, cell.x), right = std::max(right, cell.x + 1);
    top = std::min(top, cell.y), bottom = std::max(bottom, cell.y + 1);
  }
  require_area({left, top, right - left, bottom - top});
  if (draw.first) prepare_change();
  moorea::Grid cells = simulation().window({left, top, right - left, bottom - top});
  for (const moorea::Position& cell : draw.cells) cells.set(cell.x - left, cell.y - top, draw.alive);
  paste(cells, {left, top});
}

void LiveWorld::handle(ClientId, const message::Clear& clear) {
  const std::optional<moorea::Box> box = inside(clear.box);
  if (!box) return;
  prepare_change();
  paste(moorea::Grid(box->width, box->height), {box->x, box->y});
}

void LiveWorld::handle(ClientId, const message::Paste& given) {
  const moorea::Grid added = moorea::parse_pattern(given.text, "what was pasted").cells;
  if (added.empty()) throw moorea::Error("what was pasted has no cells");
  moorea::Grid cells = simulation().window({given.at.x, given.at.y, added.width(), added.height()});
  for (std::int64_t y = 0; y < added.height(); ++y) {
    for (std::int64_t j = 0; j < added.words_per_row(); ++j) cells.row(y)[j] |= added.row(y)[j];
  }
  prepare_change();
  paste(cells, given.at);
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
  prepare_change();
  paste(noise, {box.x, box.y});
}

void LiveWorld::handle(ClientId, const message::Make& make) {
  const moorea::Rule rule = simulation().rule();
  name_.clear();
  if (!make.bounds) {
    begin_anew({[rule](const moorea::Options& options) {
                  return moorea::Simulation::unbounded(rule, moorea::Pattern(), options);
                },
                0});
    return;
  }
  begin_anew({[rule, make](const moorea::Options& options) {
                const moorea::Bounds& bounds = *make.bounds;
                return moorea::Simulation(
                    rule, bounds.topology,
                    moorea::Grid::random(bounds.width, bounds.height, make.density, make.seed), options);
              },
              0});
}

// The same cells by another rule or in other bounds, whose middle stays; what falls outside is gone.
void LiveWorld::change_to(const moorea::Rule& rule, const std::optional<moorea::Bounds>& bounds) {
  moorea::Pattern pattern = simulation().snapshot();
  const std::uint64_t generation = simulation().generation();
  moorea::Simulation next = [&] {
    if (!bounds) return moorea::Simulation::unbounded(rule, pattern, engine_);
    moorea::Grid cells(bounds->width, bounds->height);
    const moorea::Position at = pattern.position.value_or(moorea::Position());
    cells.paste(pattern.cells, bounds->width / 2 + at.x, bounds->height / 2 + at.y);
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
      json["error"] = "B0 would fill a plane without end; give the world a size first";
  } catch (const moorea::Error& error) {
    json["error"] = error.what();
  }
  reply(client, json);
}

void LiveWorld::handle(ClientId client, const message::Kernels&) {
  Json kernels = Json::array();
  for (const moorea::KernelInfo& kernel : moorea::list_kernels(simulation().rule()))
    kernels.push_back({{"name", kernel.name},
                       {"backend", kernel.backend},
                       {"summary", kernel.summary},
                       {"runs", kernel.runs},
                       {"reason", kernel.reason}});
  reply(client, {{"event", "kernels"}, {"kernels", kernels}});
}

void LiveWorld::handle(ClientId, const message::Engine& engine) {
  settle();
  moorea::Options options = engine_;
  options.device = engine.device;
  options.kernel = engine.kernel;
  const std::uint64_t generation = simulation().generation();
  moorea::Simulation next = moment_of(simulation()).make(options);
  next.set_generation(generation);
  engine_ = options;
  player_.replace(std::move(next));
}

void LiveWorld::open_pattern(moorea::Pattern pattern, const std::string& file) {
  if (pattern.rule.empty()) pattern.rule = simulation().rule().str();
  const auto shared = std::make_shared<const moorea::Pattern>(std::move(pattern));
  const auto bytes = static_cast<std::size_t>(shared->cells.words_per_row() * shared->cells.height() * 8);
  begin_anew(
      {[shared](const moorea::Options& options) { return moorea::Simulation::of(*shared, options); }, bytes});
  name_ = shared->name.empty() ? file : shared->name;
}

void LiveWorld::handle(ClientId, const message::Open& open) {
  open_pattern(moorea::parse_pattern(open.bytes, open.name), open.name);
}

void LiveWorld::handle(ClientId, const message::Library& library) {
  open_pattern(moorea::parse_pattern(bundled_text(library.name), library.name), library.name);
}

void LiveWorld::handle(ClientId client, const message::FetchPattern& pattern) {
  reply(client, {{"event", "pattern"}, {"name", pattern.name}}, bundled_text(pattern.name));
}

void LiveWorld::handle(ClientId client, const message::Save& save) {
  moorea::Pattern pattern = simulation().snapshot(save.format.starts_with("pbm"));
  pattern.name = name_;
  const bool bitmap = save.format == "pbm";
  if ((bitmap ? static_cast<double>(pattern.cells.words_per_row()) * 8.0 *
                    static_cast<double>(pattern.cells.height())
              : 4.0 * static_cast<double>(pattern.cells.population())) > most_file_bytes)
    throw moorea::Error("this world is too large for a page; moorea run -o saves it where it runs");
  reply(client,
        {{"event", "file"},
         {"name", fmt::format("{}-{}{}", name_.empty() ? "world" : name_, pattern.generation,
                              extension(save.format))}},
        moorea::format_pattern(pattern, save.format));
}

}  // namespace app
