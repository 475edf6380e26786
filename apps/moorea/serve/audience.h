// SPDX-License-Identifier: MIT
// The clients of a session and their updates. A client receives an update when it has shown the previous one,
// made from the present state: a slow client misses frames and delays nobody.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/clock.h"
#include "live/player.h"
#include "live/world_editor.h"
#include "media/background_queue.h"
#include "serve/coloured_view.h"
#include "serve/frames.h"
#include "serve/inbox.h"
#include "serve/replies.h"
#include "serve/world_numbers.h"

namespace app {

class Audience {
 public:
  struct World {
    const WorldEditor& editor;
    const Player& player;
    WorldNumbers& numbers;
    Inbox& inbox;  ///< for what fails in the background
  };
  /// Sends to a client, from any thread.
  using Send = std::function<void(ClientId, Message)>;

  Audience(const World& world, Send send) : world_(world), send_(std::move(send)) {}

  void add(ClientId client, Access access);
  void remove(ClientId client);
  bool contains(ClientId client) const { return clients_.contains(client); }
  bool controls(ClientId client) const;
  void request(ClientId client, const ViewRequest& request);

  /// Marks every client's last update as out of date.
  void state_changed() { ++version_; }

  void reply(ClientId client, const Reply& reply) const;
  /// Reports an error on standard error and to every client.
  void broadcast_error(const std::string& text);

  /// Looks at the squares whose colours depend on the past, if that is due while the world runs.
  void watch();

  /// Returns the seconds until an update is due, `maximum` at most.
  double seconds_until_update(double maximum) const;

  /// Sends the updates that are due: frames, or the numbers alone while frames are rare. Throws an exception
  /// of the encoding in the background.
  void update();

  /// Abandons the encoding after an error; all clients get a complete frame a second later.
  void restart();
  /// Waits for the encoding under way and sends nothing more.
  void stop() { encoders_.clear(); }

 private:
  struct Client {
    Access access;
    std::optional<moorea::Raster> raster;
    moorea::Colouring show = moorea::Colouring::cells;
    ColouredViewPointer view;    // of other colourings than cells
    FramePointer base;           // the frame that it has
    bool ready = false;          // for an update
    bool wants_live = false;     // the box of the live cells
    bool raster_is_new = false;  // since its last update
    std::uint64_t seen = 0;      // version of its last update
    // Its update is being encoded: a client has one at a time, as several threads encode
    std::shared_ptr<std::atomic<bool>> encoding = std::make_shared<std::atomic<bool>>(false);
  };
  // Clients that have the same frame and see the same squares are sent the same bytes
  struct Update {
    Json state;
    FramePointer frame, base;
    std::vector<ClientId> clients;
  };

  bool has_update(const Client& client) const;
  bool encoders_are_behind() const;
  Clock::time_point next_draw() const;
  Clock::time_point next_numbers() const;
  Json state() const;
  void draw();
  void send_numbers();
  std::vector<ClientId> clients_in_turn() const;
  std::vector<Update> draw_frames(const std::vector<ClientId>& turn, Clock::time_point begin);
  FramePointer draw_frame(ClientId id, Client& client, FrameMaker& frames);
  void choose_view(ClientId id, Client& client, const moorea::Raster& raster);
  void send_live_box(ClientId id, Client& client);
  void start_encoders();
  void encode(Update update);
  Message encoded(const Update& update);

  World world_;
  Send send_;
  std::map<ClientId, Client> clients_;
  ClientId last_drawn_for_ = 0;
  std::uint64_t version_ = 1;
  Clock::time_point last_draw_{};
  Clock::time_point next_draw_{};     // while the world runs: frames are as rare as they are expensive
  Clock::time_point next_numbers_{};  // while frames are rarer than these
  LookPace pace_;
  std::atomic<double> encoding_seconds_ = 0;  // since the last frame
  // The last member: its threads use the others
  std::vector<std::unique_ptr<BackgroundQueue>> encoders_;
};

}  // namespace app
