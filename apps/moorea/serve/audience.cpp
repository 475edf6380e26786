// SPDX-License-Identifier: MIT
#include "serve/audience.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <set>
#include <thread>
#include <utility>

#include "cli/app.h"
#include "cli/trees.h"
#include "moorea/error.h"
#include "moorea/picture.h"
#include "moorea/plan.h"
#include "serve/state.h"

namespace app {
namespace {

constexpr double numbers_seconds = 1;            // between two updates without frames
constexpr double max_turn_seconds = 0.1;         // of drawing at once
constexpr double max_watched_squares = 1 << 25;  // of different views coloured by their past, 4 bytes each
constexpr double restart_seconds = 1;            // after an error
constexpr unsigned max_encoders = 4;             // threads
constexpr unsigned threads_per_encoder = 4;

Clock::duration seconds(double number) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(number));
}

}  // namespace

// --- clients

void Audience::add(ClientId client, Access access) {
  clients_[client].access = access;
  state_changed();
}

void Audience::remove(ClientId client) {
  clients_.erase(client);
  state_changed();
}

bool Audience::controls(ClientId client) const {
  const auto found = clients_.find(client);
  return found != clients_.end() && found->second.access == Access::control;
}

void Audience::request(ClientId id, const ViewRequest& request) {
  const auto found = clients_.find(id);
  if (found == clients_.end()) return;
  Client& client = found->second;
  if (request.look) {
    client.raster = request.look->raster;
    client.show = request.look->show;
    if (client.show == moorea::Colouring::cells) client.view = nullptr;
  }
  client.raster_is_new = client.raster_is_new || request.look;
  client.ready = client.ready || request.ready;
  client.wants_live = client.wants_live || request.live;
}

void Audience::reply(ClientId client, const Reply& reply) const {
  send_(client, std::make_shared<const std::string>(packed(reply.json, reply.bytes)));
}

void Audience::broadcast_error(const std::string& text) {
  say_error(text);
  for (const auto& [id, client] : clients_) reply(id, error_reply(text));
  state_changed();
}

// --- when

bool Audience::has_update(const Client& client) const {
  return client.wants_live ||
         (client.ready && !*client.encoding && (client.raster_is_new || client.seen != version_));
}

Clock::time_point Audience::next_draw() const {
  return world_.player.busy() ? next_draw_ : std::min(next_draw_, last_draw_ + seconds(frame_seconds));
}

// Numbers wait for a frame that comes soon: a client that gets them first may not be ready for it in time.
Clock::time_point Audience::next_numbers() const {
  return next_draw() - next_numbers_ > seconds(numbers_seconds) ? next_numbers_ : next_draw();
}

double Audience::seconds_until_update(double maximum) const {
  const bool any = std::any_of(clients_.begin(), clients_.end(),
                               [&](const auto& client) { return has_update(client.second); });
  return any ? std::clamp(-since(next_numbers()), 0.0, maximum) : maximum;
}

void Audience::update() {
  if (encoders_.empty()) start_encoders();
  for (const auto& encoder : encoders_) encoder->check();
  const Clock::time_point now = Clock::now();
  if (now >= next_draw()) {
    draw();
  } else if (now >= next_numbers()) {
    send_numbers();
  }
}

void Audience::restart() {
  last_draw_ = next_draw_ = Clock::now() + seconds(restart_seconds);
  encoders_.clear();
  for (auto& [id, client] : clients_) {
    client.base = nullptr;
    client.ready = true;
    *client.encoding = false;
  }
  start_encoders();
}

// --- what

Json Audience::state() const {
  Json json = state_json(world_.editor, world_.player);
  const auto population = world_.numbers.population();
  json["population"] = population ? number_json(*population) : Json();  // null: not counted
  json["clients"] = clients_.size();
  return json;
}

// Round robin over the clients that have an update: those come first that had none in the last turn.
std::vector<ClientId> Audience::clients_in_turn() const {
  std::vector<ClientId> turn;
  const auto add = [&](auto begin, auto end) {
    for (auto client = begin; client != end; ++client) {
      if (has_update(client->second)) turn.push_back(client->first);
    }
  };
  const auto middle = clients_.upper_bound(last_drawn_for_);
  add(middle, clients_.end());
  add(clients_.begin(), middle);
  return turn;
}

bool Audience::encoders_are_behind() const {
  return std::all_of(encoders_.begin(), encoders_.end(),
                     [](const auto& encoder) { return encoder->queued_bytes() > max_queued_bytes / 4; });
}

void Audience::draw() {
  const auto begin = Clock::now();
  last_draw_ = begin;
  next_draw_ = begin + seconds(frame_seconds);
  next_numbers_ = begin + seconds(numbers_seconds);
  if (encoders_are_behind()) return;
  const std::vector<ClientId> turn = clients_in_turn();
  if (turn.empty()) return;
  for (Update& update : draw_frames(turn, begin)) encode(std::move(update));
  // On the CPU the world's run also waits for the encoding
  const double encoding = encoding_seconds_.exchange(0);
  const double took = since(begin) + (world_.editor.simulation().plan().uses_cpu() ? encoding : 0);
  next_draw_ = begin + seconds(std::max(frame_seconds, took / world_.player.drawing_share()));
  next_numbers_ = Clock::now() + seconds(numbers_seconds);
}

// Draws for one client after the other, until the turn has taken its time.
std::vector<Audience::Update> Audience::draw_frames(const std::vector<ClientId>& turn,
                                                    Clock::time_point begin) {
  world_.numbers.count();
  const moorea::Simulation& simulation = world_.editor.simulation();
  const Json now = state();
  std::vector<moorea::Raster> rasters;
  for (const ClientId id : turn) {
    const Client& client = clients_[id];
    if (client.raster && client.show == moorea::Colouring::cells)
      rasters.push_back(clipped(*client.raster, simulation));
  }
  FrameMaker frames(simulation, rasters);
  std::map<std::pair<FramePointer, FramePointer>, std::vector<ClientId>> alike;
  for (const ClientId id : turn) {
    Client& client = clients_[id];
    if (client.wants_live) send_live_box(id, client);
    if (!has_update(client)) continue;
    client.ready = client.raster_is_new = false;
    client.seen = version_;
    last_drawn_for_ = id;
    FramePointer frame;
    try {
      if (client.raster) frame = draw_frame(id, client, frames);
    } catch (const std::exception& error) {
      reply(id, error_reply(error.what()));  // and the numbers without a frame
    }
    alike[{frame, client.base}].push_back(id);
    if (frame) client.base = frame;
    if (since(begin) > max_turn_seconds) break;
  }
  std::vector<Update> updates;
  for (auto& [frames_of, clients] : alike)
    updates.push_back({now, frames_of.first, frames_of.second, std::move(clients)});
  return updates;
}

FramePointer Audience::draw_frame(ClientId id, Client& client, FrameMaker& frames) {
  const moorea::Raster raster = clipped(*client.raster, world_.editor.simulation());
  if (client.show != moorea::Colouring::cells) choose_view(id, client, raster);
  return client.view ? client.view->draw(world_.editor, client.show) : frames.draw(raster);
}

// Shares the history of another client that sees the same squares, or continues its own with other squares.
void Audience::choose_view(ClientId id, Client& client, const moorea::Raster& raster) {
  const RasterKey key = key_of(raster);
  if (client.view && key_of(client.view->raster()) == key) return;
  std::set<ColouredViewPointer> others;
  for (const auto& [other, each] : clients_) {
    if (other != id && each.view) others.insert(each.view);
  }
  double squares = static_cast<double>(raster.columns) * static_cast<double>(raster.rows);
  for (const ColouredViewPointer& view : others) {
    if (key_of(view->raster()) == key) {
      client.view = view;
      return;
    }
    squares += static_cast<double>(view->raster().columns) * static_cast<double>(view->raster().rows);
  }
  if (squares > max_watched_squares) {
    client.view = nullptr;
    client.show = moorea::Colouring::cells;
    reply(id, error_reply("too many different views are coloured by their past: this one shows the cells"));
  } else if (!client.view) {
    client.view = std::make_shared<ColouredView>(raster);
  } else {
    if (others.contains(client.view)) client.view = std::make_shared<ColouredView>(*client.view);
    client.view->move_to(raster);
  }
}

void Audience::watch() {
  if (!pace_.is_due(world_.player)) return;
  const auto begin = Clock::now();
  bool any = false;
  for (auto& [id, client] : clients_) {
    if (!client.view) continue;
    any = true;
    try {
      client.view->look(world_.editor);
    } catch (const std::exception&) {
      client.view = nullptr;  // the next frame has another one, or reports the error
    }
  }
  if (any) pace_.looked(begin);
}

// Sends the state without a frame, which remains due.
void Audience::send_numbers() {
  next_numbers_ = Clock::now() + seconds(numbers_seconds);
  std::vector<ClientId> all;
  for (auto& [id, client] : clients_) {
    if (!client.ready || *client.encoding || !has_update(client)) continue;
    client.ready = false;
    all.push_back(id);
  }
  if (!all.empty()) encode({state(), nullptr, nullptr, std::move(all)});
}

void Audience::send_live_box(ClientId id, Client& client) {
  client.wants_live = false;
  Json json = {{"event", "live"}};
  if (const std::optional<moorea::Framing>& framing = world_.numbers.framing()) {
    json["box"] = box_json(framing->all);
    json["most"] = box_json(framing->box);
    json["left_out"] = framing->left_out;
  }
  reply(id, {json, {}});
}

// --- encoding

void Audience::start_encoders() {
  encoders_.clear();
  const unsigned number =
      std::clamp(std::thread::hardware_concurrency() / threads_per_encoder, 1u, max_encoders);
  for (unsigned i = 0; i < number; ++i)
    encoders_.push_back(std::make_unique<BackgroundQueue>(max_queued_bytes));
}

// Encodes and sends in the background.
void Audience::encode(Update update) {
  std::vector<std::shared_ptr<std::atomic<bool>>> encoding;
  for (const ClientId client : update.clients) encoding.push_back(clients_.at(client).encoding);
  BackgroundQueue& encoder =
      **std::min_element(encoders_.begin(), encoders_.end(),
                         [](const auto& a, const auto& b) { return a->queued_bytes() < b->queued_bytes(); });
  for (const auto& each : encoding) *each = true;
  const std::size_t bytes = update.frame ? 3 * update.frame->squares.size() : 0;
  encoder.add(bytes, [this, update = std::move(update), encoding = std::move(encoding)] {
    const auto begin = Clock::now();
    const Message message = encoded(update);
    for (const ClientId client : update.clients) send_(client, message);
    for (const auto& each : encoding) *each = false;
    encoding_seconds_ += since(begin);
  });
}

Message Audience::encoded(const Update& update) {
  try {
    return std::make_shared<const std::string>(encode_update(update.state, update.frame, update.base));
  } catch (const std::exception&) {
    // Out of memory: the numbers alone, and a complete frame the next time
    world_.inbox.post([this, clients = update.clients] {
      for (const ClientId client : clients) {
        const auto found = clients_.find(client);
        if (found != clients_.end()) found->second.base = nullptr;
      }
    });
    return std::make_shared<const std::string>(encode_update(update.state, nullptr, nullptr));
  }
}

}  // namespace app
