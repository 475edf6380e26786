// SPDX-License-Identifier: MIT
// Records of which thread computed which tile, for the clients that watch them.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "cli/clock.h"
#include "live/player.h"
#include "live/world_editor.h"
#include "moorea/lab/instruments.h"
#include "serve/replies.h"
#include "serve/web_server.h"

namespace app {

class Monitor {
 public:
  /// A client wants the next record.
  void watch(ClientId client) { clients_.insert(client); }
  void forget(ClientId client) { clients_.erase(client); }

  /// Whether some client waits for a record, and the last one was some time ago.
  bool is_due() const;

  /// Runs the player for a few generations and returns their record, or the reason why there is none.
  Reply record(WorldEditor& editor, Player& player);

  /// The clients that wait for a record; they no longer do.
  std::set<ClientId> take_clients();

 private:
  std::set<ClientId> clients_;
  Clock::time_point next_{};
};

/// A tile, or a square with several ones.
struct MonitoredTile {
  moorea::Box box;
  int thread = 0;      ///< that was busy there for longest
  double seconds = 0;  ///< of all threads
  bool changed = false;
};

/// The tiles of some events; squares of 2^k cells instead if these are more than `maximum`.
std::vector<MonitoredTile> monitored_tiles(const std::vector<moorea::TileEvent>& events, std::size_t maximum);

}  // namespace app
