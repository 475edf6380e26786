// SPDX-License-Identifier: MIT
#include "serve/live_world.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "cli/world.h"
#include "moorea/bundled.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/rule.h"

namespace app {
namespace {

constexpr double idle_seconds = 0.1;
constexpr double busy_seconds = 0.5;           // of one piece of work, until who comes is told of it
constexpr double numbers_seconds = 1;          // between two updates, where pictures take longer
constexpr double max_drawing_seconds = 0.1;    // at once
constexpr double moment_seconds = 1;           // between two moments that are kept, at least
constexpr double max_checkpoint_share = 0.01;  // of the time
constexpr unsigned max_coders = 4;             // threads
constexpr std::size_t max_points = 800;        // of the population's curve
constexpr double share_of_memory = 0.1, max_history_bytes = 2e9;

Clock::duration seconds(double number) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(number));
}

std::size_t history_bytes() {
  const std::vector<moorea::DeviceInfo> devices = moorea::list_devices();  // the first is the host
  const double available = devices.empty() ? 0 : static_cast<double>(devices.front().memory);
  return static_cast<std::size_t>(std::clamp(share_of_memory * available, 1e7, max_history_bytes));
}

// Says that a message has been dealt with, whatever came of it.
struct Consumed {
  WebServer& server;
  ClientId client;
  ~Consumed() {
    try {
      server.consumed(client);
    } catch (const std::exception&) {
      // No memory: that client says nothing any more
    }
  }
};

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
  return {{"version", moorea::version()}, {"rules", rules},
          {"instance", random_token()},  // of this run of the program
          {"devices", devices},           {"formats", formats},
          {"patterns", patterns_json()}};
}

}  // namespace

bool strobes(const moorea::Rule& rule) { return rule.next(false, 0) && !rule.next(true, 8); }

Json box_json(const moorea::Box& box) {
  return {{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}};
}

LiveWorld::LiveWorld(const Settings& settings)
    : engine_(settings.engine),
      own_kernel_(settings.engine.kernel),
      audience_token_(settings.audience_token),
      about_(about()),
      first_exponent_(settings.exponent),
      player_(settings.start(settings.engine), settings.exponent),
      history_(history_bytes()),
      name_(settings.name) {
  history_.begin(simulation().generation(), {settings.start, nullptr});
  if (settings.plays) player_.play();
}

// --- clients

Message LiveWorld::open(ClientId client, Access access) {
  Json hello = about_;
  hello["event"] = "hello";
  hello["controls"] = access == Access::control;
  hello["busy"] = is_busy();
  if (access == Access::control) hello["audience_token"] = audience_token_;
  {
    const std::lock_guard lock(mutex_);
    hello["populations"] = populations_;
    queue_.push_back([this, client, access] {
      clients_[client].access = access;
      changed();
    });
  }
  arrived_.notify_one();
  return std::make_shared<const std::string>(packed(hello));
}

// Whether it is at a long pass, or at something else that takes its time.
bool LiveWorld::is_busy() const {
  const Clock::rep begin = at_work_since_;
  return begin != 0 && since(Clock::time_point(Clock::duration(begin))) > busy_seconds;
}

Received LiveWorld::receive(ClientId client, const std::string& text, bool binary) {
  Received received;
  try {
    ClientMessage message = parse_message(text, binary);
    const std::lock_guard lock(mutex_);
    if (is_for_all(message)) {
      received.done = true;
      Wish& wish = wishes_[client];
      if (const auto* look = std::get_if<message::Look>(&message)) wish.raster = look->raster;
      wish.ready = wish.ready || std::holds_alternative<message::Ready>(message);
      wish.live = wish.live || std::holds_alternative<message::Live>(message);
    } else {
      queue_.push_back([this, client, known = std::move(message)] {
        const Consumed at_the_end{*server_, client};
        act(client, known);
      });
    }
  } catch (const moorea::Error& error) {
    received.fault = error.what();
  } catch (const std::exception&) {
    received.fault = "there is no memory for that message";
  }
  arrived_.notify_one();
  return received;
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

Json LiveWorld::state() const {
  const moorea::Simulation& world = simulation();
  Json json = {
      {"generation", world.generation()},
      {"population", population_ ? Json(*population_) : Json()},  // null: it was not counted
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
      {"undo", history_.last_change() != nullptr},
      {"edits", edits_},
  };
  if (edge_met_ && world.generation() >= *edge_met_) json["edge_met"] = *edge_met_;
  return json;
}

// --- the loop

void LiveWorld::run(WebServer& server) {
  server_ = &server;
  while (!was_interrupted()) {
    try {
      turn();
    } catch (const std::exception& error) {
      recover(error.what());
    }
  }
  coders_.clear();
  server_ = nullptr;
}

// No memory, or a device that is gone: the world is as far as it is, and somebody may save it. Nobody knows
// what was drawn for whom, so that all get a whole picture.
void LiveWorld::recover(const std::string& error) {
  player_.stop();
  last_draw_ = next_draw_ = Clock::now() + seconds(1);
  coders_.clear();  // what they were at is sent or will never be
  for (auto& [id, client] : clients_) {
    client.base = nullptr;
    client.ready = true;
    *client.coding = false;
  }
  try {
    make_coders();
    tell_all(error);
  } catch (const std::exception&) {
    // Not even for that
  }
}

void LiveWorld::turn() {
  take_messages(patience());
  if (player_.busy() && player_.waits(idle_seconds) <= 0) go_on();
  look_at_edge();
  if (coders_.empty()) make_coders();
  for (const auto& coder : coders_) coder->check();
  const Clock::time_point now = Clock::now();
  if (now >= next_draw()) {
    draw();
  } else if (now >= next_numbers()) {
    tell_numbers();
  }
}

Clock::time_point LiveWorld::next_draw() const {
  return player_.busy() ? next_draw_ : std::min(next_draw_, last_draw_ + seconds(frame_seconds));
}

// Where a picture comes soon, with it: who is given numbers before may not be ready for it in time.
Clock::time_point LiveWorld::next_numbers() const {
  return next_draw() - next_numbers_ > seconds(numbers_seconds) ? next_numbers_ : next_draw();
}

void LiveWorld::tell_all(const std::string& error) {
  say(error);
  for (const auto& [id, client] : clients_) reply(id, {{"event", "error"}, {"text", error}});
  changed();
}

double LiveWorld::patience() const {
  double wait = std::min(player_.waits(idle_seconds), idle_seconds);
  const bool any = std::any_of(clients_.begin(), clients_.end(),
                               [&](const auto& client) { return has_something_for(client.second); });
  if (any) wait = std::min(wait, std::max(0.0, -since(next_numbers())));
  return wait;
}

void LiveWorld::take_messages(double patience) {
  std::deque<std::function<void()>> now;
  std::map<ClientId, Wish> wishes;
  {
    std::unique_lock lock(mutex_);
    at_work_since_ = 0;
    arrived_.wait_for(lock, seconds(patience), [&] { return !queue_.empty() || !wishes_.empty(); });
    at_work_since_ = Clock::now().time_since_epoch().count();
    now.swap(queue_);
    wishes.swap(wishes_);
  }
  std::exception_ptr failure;
  for (const std::function<void()>& deal_with : now) {
    try {
      deal_with();
    } catch (const std::exception&) {
      failure = std::current_exception();
    }
  }
  for (const auto& [id, wish] : wishes) {
    const auto found = clients_.find(id);
    if (found == clients_.end()) continue;
    Client& client = found->second;
    if (wish.raster) client.raster = wish.raster;
    client.looks_anew = client.looks_anew || wish.raster;
    client.ready = client.ready || wish.ready;
    client.wants_live = client.wants_live || wish.live;
  }
  if (failure) std::rethrow_exception(failure);
}

void LiveWorld::act(ClientId id, const ClientMessage& message) {
  const auto found = clients_.find(id);
  if (found == clients_.end()) return;
  if (found->second.access != Access::control)
    return reply(id, {{"event", "error"}, {"text", "this link is for watching alone"}});
  try {
    std::visit([&](const auto& known) { handle(id, known); }, message);
  } catch (const std::exception& error) {
    cells_changed();  // nobody knows how far it came
    reply(id, {{"event", "error"}, {"text", error.what()}});
  }
  changed();
}

bool LiveWorld::has_something_for(const Client& client) const {
  return client.wants_live ||
         (client.ready && !*client.coding && (client.looks_anew || client.seen != version_));
}

// Each client that is ready gets what is so now, as far as a tenth of a second goes; whoever comes late then
// is the first the next time.
void LiveWorld::draw() {
  const auto begin = Clock::now();
  last_draw_ = begin;
  next_draw_ = begin + seconds(frame_seconds);
  next_numbers_ = begin + seconds(numbers_seconds);
  if (std::all_of(coders_.begin(), coders_.end(),
                  [](const auto& coder) { return coder->queued_bytes() > max_queued_bytes / 4; }))
    return;  // they are behind
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
  FrameMaker frames(simulation(), rasters);
  // Who has the same and sees the same is sent the same
  std::map<std::pair<FramePointer, FramePointer>, std::vector<ClientId>> alike;
  for (const ClientId id : turn) {
    Client& client = clients_[id];
    if (client.wants_live) tell_what_lives(id, client);
    if (!has_something_for(client)) continue;
    client.ready = client.looks_anew = false;
    client.seen = version_;
    last_drawn_for_ = id;
    FramePointer frame;
    try {
      if (client.raster) frame = frames.draw(clipped(*client.raster));
    } catch (const std::exception& error) {
      reply(id, {{"event", "error"}, {"text", error.what()}});  // and the numbers without the cells
    }
    alike[{frame, client.base}].push_back(id);
    if (frame) client.base = frame;
    if (since(begin) > max_drawing_seconds) break;
  }
  for (auto& [pair, clients] : alike) code(now, pair.first, pair.second, std::move(clients));
  // What is coded beside a run on the CPU takes its time, too
  const double coding = coded_seconds_.exchange(0);
  const double took = since(begin) + (simulation().device() == "cpu" ? coding : 0);
  next_draw_ = begin + seconds(std::max(frame_seconds, took / max_drawing_share));
  next_numbers_ = Clock::now() + seconds(numbers_seconds);
}

// What is so without its picture, which stays wanted.
void LiveWorld::tell_numbers() {
  next_numbers_ = Clock::now() + seconds(numbers_seconds);
  std::vector<ClientId> all;
  for (auto& [id, client] : clients_) {
    if (!client.ready || *client.coding || !has_something_for(client)) continue;
    client.ready = false;
    all.push_back(id);
  }
  if (!all.empty()) code(state(), nullptr, nullptr, std::move(all));
}

// A world that was made again from later cells knows nothing of that.
void LiveWorld::look_at_edge() {
  const std::optional<std::uint64_t> met = simulation().edge_met();
  if (!met || (edge_met_ && *edge_met_ <= *met)) return;
  edge_met_ = met;
  tell_all(*edge_text(simulation()));
}

void LiveWorld::make_coders() {
  coders_.clear();
  const unsigned number = std::clamp(std::thread::hardware_concurrency() / 4, 1u, max_coders);
  for (unsigned i = 0; i < number; ++i)
    coders_.push_back(std::make_unique<BackgroundQueue>(max_queued_bytes));
}

// What is coded and sent beside the run.
void LiveWorld::code(const Json& state, const FramePointer& frame, const FramePointer& base,
                     std::vector<ClientId> clients) {
  std::vector<std::shared_ptr<std::atomic<bool>>> coding;
  for (const ClientId client : clients) coding.push_back(clients_.at(client).coding);
  BackgroundQueue& coder =
      **std::min_element(coders_.begin(), coders_.end(),
                         [](const auto& a, const auto& b) { return a->queued_bytes() < b->queued_bytes(); });
  for (const auto& each : coding) *each = true;
  coder.add(frame ? 3 * frame->squares.size() : 0,
            [this, state, frame, base, clients = std::move(clients), coding = std::move(coding)] {
              const auto begin = Clock::now();
              Message message;
              try {
                message = std::make_shared<const std::string>(encode_update(state, frame, base));
              } catch (const std::exception&) {
                // No memory: the numbers alone, and the next frame as a whole
                message = std::make_shared<const std::string>(encode_update(state, nullptr, nullptr));
                const std::lock_guard lock(mutex_);
                queue_.push_back([this, clients] {
                  for (const ClientId client : clients) {
                    if (clients_.contains(client)) clients_[client].base = nullptr;
                  }
                });
              }
              for (const ClientId client : clients) server_->send(client, message, true);
              for (const auto& each : coding) *each = false;
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
  if (!framing_) framing_ = moorea::frame_of(simulation());
  Json json = {{"event", "live"}};
  if (const std::optional<moorea::Framing>& framing = *framing_) {
    json["box"] = box_json(framing->all);
    json["most"] = box_json(framing->box);
    json["left_out"] = framing->left_out;
  }
  reply(id, json);
}

void LiveWorld::count_population() {
  if (population_) return;
  population_ = simulation().population();
  const std::uint64_t generation = simulation().generation();
  const std::lock_guard lock(mutex_);
  if (!populations_.empty() && populations_.back().first >= generation) return;
  populations_.emplace_back(generation, *population_);
  if (populations_.size() <= max_points) return;
  // Every second one, so that the whole of a long run is seen
  std::size_t kept = 0;
  for (std::size_t i = 0; i < populations_.size(); i += 2) populations_[kept++] = populations_[i];
  populations_.resize(kept);
}

void LiveWorld::go_on() {
  settle();
  const std::uint64_t generation = simulation().generation();
  const std::optional<std::uint64_t> drawn = history_.next_drawn(generation);
  cells_changed();
  player_.run(frame_seconds, drawn ? *drawn - generation : UINT64_MAX);
  // What was drawn there before the way back is there again
  if (drawn && simulation().generation() == *drawn) {
    try {
      player_.replace(history_.before(*drawn)->second.make(engine_));
    } catch (...) {
      history_.forget_later(*drawn - 1);  // it goes on without
      throw;
    }
  }
  if (Clock::now() >= next_moment_) keep_moment();
}

// A moment of what is so now, where it can be kept.
std::optional<Moment> LiveWorld::moment() const {
  const moorea::Simulation& world = simulation();
  const auto fits = [&](std::int64_t width, std::int64_t height) {
    return history_.has_room(static_cast<double>(width) / 8 * static_cast<double>(height));
  };
  try {
    // Where the whole world fits nobody has to look for what lives in it
    if (world.grows() || !fits(world.width(), world.height())) {
      if (!live_) live_ = world.bounding_box();
      if (*live_ && !fits((*live_)->width, (*live_)->height)) return std::nullopt;
    }
    return moment_of(world);
  } catch (const std::exception&) {
    return std::nullopt;  // no memory: the way back will take longer
  }
}

void LiveWorld::keep_moment() {
  const auto begin = Clock::now();
  if (std::optional<Moment> now = moment()) history_.pass(simulation().generation(), std::move(*now));
  next_moment_ = Clock::now() + seconds(std::max(moment_seconds, since(begin) / max_checkpoint_share));
}

}  // namespace app
