// SPDX-License-Identifier: MIT
#include "serve/session.h"

#include <deque>
#include <exception>
#include <memory>
#include <utility>
#include <variant>

#include "cli/world.h"
#include "moorea/error.h"
#include "serve/replies.h"
#include "serve/state.h"
#include "serve/surface.h"

namespace app {
namespace {

constexpr double idle_seconds = 0.1;

Message mesh_message(const moorea::WorldSpec& world) {
  return world.is_surface() ? std::make_shared<const std::string>(packed_mesh(*world.mesh)) : nullptr;
}

// Tells the server when a message has been handled, however that ended.
struct Consumed {
  WebServer& server;
  ClientId client;
  ~Consumed() {
    try {
      server.consumed(client);
    } catch (const std::exception&) {
      // Out of memory: no further message of this client is handled
    }
  }
};

}  // namespace

Session::Session(const Settings& settings)
    : program_(program_json()),
      audience_token_(settings.audience_token),
      editor_(settings.world),
      player_(editor_, settings.exponent),
      controls_(editor_, player_),
      numbers_(editor_),
      mesh_(mesh_message(editor_.simulation().world())),
      audience_(
          {editor_, player_, numbers_, inbox_},
          [this](ClientId client, Message message) { server_->send(client, std::move(message), true); }),
      identifier_([this](ClientId client, Reply reply) {
        inbox_.post([this, client, found = std::move(reply)] {
          if (audience_.contains(client)) audience_.reply(client, found);
        });
      }) {
  if (settings.plays) player_.play();
}

// --- the server's thread

Message Session::open(ClientId client, Access access) {
  Json hello = program_;
  hello["event"] = "hello";
  hello["controls"] = access == Access::control;
  hello["busy"] = inbox_.is_busy();
  if (access == Access::control) hello["audience_token"] = audience_token_;
  hello["populations"] = numbers_.curve();
  inbox_.post([this, client, access] { audience_.add(client, access); });
  return std::make_shared<const std::string>(packed(hello));
}

Received Session::receive(ClientId client, const std::string& text, bool binary) {
  Received received;
  try {
    ClientMessage message = parse_message(text, binary);
    if (is_view_request(message)) {
      received.done = true;
      inbox_.request(client, message);
    } else if (std::holds_alternative<message::FetchMesh>(message)) {
      inbox_.post([this, client] {
        const Consumed consumed{*server_, client};
        send_mesh(client);
      });
    } else if (std::holds_alternative<message::WatchTiles>(message)) {
      inbox_.post([this, client] {
        const Consumed consumed{*server_, client};
        monitor_.watch(client);
      });
    } else {
      inbox_.post([this, client, known = std::move(message)] {
        const Consumed consumed{*server_, client};
        apply(client, known);
      });
    }
  } catch (const moorea::Error& error) {
    received.fault = error.what();
  } catch (const std::exception&) {
    received.fault = "out of memory for this message";
  }
  return received;
}

void Session::close(ClientId client) {
  inbox_.post([this, client] {
    identifier_.stop(client);
    monitor_.forget(client);
    audience_.remove(client);
  });
}

// --- the main thread

void Session::run(WebServer& server) {
  server_ = &server;
  while (!was_interrupted()) {
    try {
      run_once();
    } catch (const std::exception& error) {
      recover(error.what());
    }
  }
  audience_.stop();
  server_ = nullptr;
}

void Session::run_once() {
  handle_messages(audience_.seconds_until_update(player_.seconds_until_due(idle_seconds)));
  announce_edge();
  if (player_.busy() && player_.seconds_until_due(idle_seconds) <= 0) {
    audience_.state_changed();
    advance();
    audience_.watch();
    announce_edge();
  }
  audience_.update();
}

// Now and then a few generations are recorded for those who watch the tiles.
void Session::advance() {
  if (!monitor_.is_due()) return player_.run(frame_seconds, UINT64_MAX);
  const Reply record = monitor_.record(editor_, player_);
  for (const ClientId client : monitor_.take_clients())
    if (audience_.contains(client)) audience_.reply(client, record);
}

// Out of memory, or a device failed: the world stands where it is, and can still be saved.
void Session::recover(const std::string& error) {
  player_.stop();
  try {
    audience_.restart();
    audience_.broadcast_error(error);
  } catch (const std::exception&) {
    // Out of memory for this, too
  }
}

void Session::handle_messages(double max_seconds) {
  const Inbox::Batch batch = inbox_.wait(max_seconds);
  std::exception_ptr failure;
  for (const Inbox::Task& task : batch.tasks) {
    try {
      task();
    } catch (const std::exception&) {
      failure = std::current_exception();
    }
  }
  for (const auto& [client, request] : batch.requests) audience_.request(client, request);
  if (failure) std::rethrow_exception(failure);
}

void Session::send_mesh(ClientId client) const {
  if (mesh_) {
    server_->send(client, mesh_, true);
  } else {
    audience_.reply(client, error_reply("this world is flat: it has no mesh"));
  }
}

void Session::apply(ClientId client, const ClientMessage& message) {
  if (!audience_.contains(client)) return;
  if (!audience_.controls(client))
    return audience_.reply(client, error_reply("this link is for watching only"));
  const std::uint64_t edits = editor_.edits();
  try {
    if (identify(client, message)) return;
    if (const std::optional<Reply> answer = controls_.apply(message)) audience_.reply(client, *answer);
  } catch (const std::exception& error) {
    audience_.reply(client, error_reply(error.what()));
  }
  if (editor_.edits() != edits) numbers_.truncate();
  audience_.state_changed();
}

// Handles the messages of searches, which change nothing; returns false for others.
bool Session::identify(ClientId client, const ClientMessage& message) {
  if (const auto* const wanted = std::get_if<message::Identify>(&message)) {
    try {
      identifier_.identify(client, simulation(), wanted->box);
    } catch (const std::exception& error) {
      audience_.reply(client, Identifier::refusal(error));
    }
    return true;
  }
  if (!std::holds_alternative<message::StopIdentifying>(message)) return false;
  identifier_.stop(client);
  return true;
}

// Reports once that an unbounded plane met its edge, and again after an edit before that.
void Session::announce_edge() {
  const std::optional<std::uint64_t> met = editor_.edge_met();
  if (met == announced_edge_) return;
  announced_edge_ = met;
  if (met && simulation().edge_met()) audience_.broadcast_error(*edge_text(simulation()));
}

}  // namespace app
