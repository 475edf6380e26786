// SPDX-License-Identifier: MIT
// The run of moorea serve: a world that clients watch and that clients with control change. The server's
// thread posts into an inbox, which the main thread empties between two slices of computation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cli/app.h"
#include "live/player.h"
#include "live/world_editor.h"
#include "serve/audience.h"
#include "serve/controls.h"
#include "serve/identifier.h"
#include "serve/inbox.h"
#include "serve/messages.h"
#include "serve/monitor.h"
#include "serve/web_server.h"
#include "serve/world_numbers.h"

namespace app {

class Session {
 public:
  struct Settings {
    WorldEditor::Settings world;
    int exponent = 0;  ///< of the generations per step
    bool plays = false;
    std::string audience_token;  ///< for clients that control, which pass it on
  };
  /// Creates the world. Throws moorea::Error, also for a surface with too many faces for a page.
  explicit Session(const Settings& settings);

  // The server's thread

  /// Returns the first message to the client, also while a long step is under way.
  Message open(ClientId client, Access access);
  Received receive(ClientId client, const std::string& text, bool binary);
  void close(ClientId client);

  // The main thread

  /// Runs until the program is interrupted.
  void run(WebServer& server);

  const moorea::Simulation& simulation() const { return editor_.simulation(); }
  /// Name, author and comments of the pattern.
  const moorea::Pattern& about() const { return editor_.about(); }

 private:
  void run_once();
  void handle_messages(double max_seconds);
  void apply(ClientId client, const ClientMessage& message);
  bool identify(ClientId client, const ClientMessage& message);
  void send_mesh(ClientId client) const;
  void advance();
  void announce_edge();
  void recover(const std::string& error);

  const Json program_;
  const std::string audience_token_;
  WorldEditor editor_;
  Player player_;
  Controls controls_;
  WorldNumbers numbers_;
  Monitor monitor_;
  Inbox inbox_;
  WebServer* server_ = nullptr;  // while it runs
  std::optional<std::uint64_t> announced_edge_;
  const Message mesh_;  // the geometry of a surface, otherwise null
  // The last members: their threads use the others
  Audience audience_;
  Identifier identifier_;
};

}  // namespace app
