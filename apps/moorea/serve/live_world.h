// SPDX-License-Identifier: MIT
// A world that runs while many watch and some change it: what moorea serve does on its main thread. Messages
// come from the server's thread into a queue and are dealt with between two steps; whoever watches gets an
// update when the last one was shown, so nothing ever waits for a slow client.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/app.h"
#include "cli/clock.h"
#include "live/history.h"
#include "live/player.h"
#include "media/background_queue.h"
#include "moorea/picture.h"
#include "serve/frames.h"
#include "serve/messages.h"
#include "serve/web_server.h"

namespace app {

/// Whether a rule makes all cells dead and all alive, again and again.
bool strobes(const moorea::Rule& rule);

Json box_json(const moorea::Box& box);

class LiveWorld {
 public:
  struct Settings {
    Recipe start;
    std::string name;  ///< of the pattern, where it has one
    moorea::Options engine;
    int exponent = 0;
    bool plays = false;
    std::string audience_token;  ///< told to those who control
  };
  /// Makes the world. Throws moorea::Error.
  explicit LiveWorld(const Settings& settings);

  // From the server's thread

  /// Returns what the client is sent first, whatever the world is at just now.
  Message open(ClientId client, Access access);
  Received receive(ClientId client, const std::string& text, bool binary);
  void close(ClientId client);

  /// Until the program is interrupted.
  void run(WebServer& server);

  const moorea::Simulation& simulation() const { return player_.simulation(); }

 private:
  struct Client {
    Access access;
    std::optional<moorea::Raster> raster;
    FramePointer base;        // what it has
    bool ready = false;       // for an update
    bool wants_live = false;  // the box of what lives
    std::uint64_t seen = 0;   // the version of its last update
    bool looks_anew = false;  // at other squares since
    // An update is being coded: the next one waits, as several threads code and none may overtake another
    std::shared_ptr<std::atomic<bool>> coding = std::make_shared<std::atomic<bool>>(false);
  };

  void turn();
  void recover(const std::string& error);
  void take_messages(double patience);
  void act(ClientId id, const ClientMessage& message);
  void tell_all(const std::string& error);
  double patience() const;
  bool has_something_for(const Client& client) const;
  Clock::time_point next_draw() const;
  Clock::time_point next_numbers() const;
  void draw();
  void tell_numbers();
  void look_at_edge();
  void make_coders();
  void code(const Json& state, const FramePointer& frame, const FramePointer& base,
            std::vector<ClientId> clients);
  moorea::Raster clipped(moorea::Raster raster) const;
  void count_population();
  void tell_what_lives(ClientId id, Client& client);
  void forget_populations();
  void go_on();
  void keep_moment();
  std::optional<Moment> moment() const;
  bool is_busy() const;
  Json state() const;
  void reply(ClientId client, const Json& json, std::string_view bytes = {});
  void changed() { ++version_; }

  // Changes of the world
  void prepare_change();
  void become(moorea::Simulation simulation);
  void cells_changed();
  void begin_anew(const Moment& start, const std::string& name);
  void settle();
  void go_to(std::uint64_t generation);
  void paste(const moorea::Grid& cells, moorea::Position at, bool begins);
  void change_to(const moorea::Rule& rule, const std::optional<moorea::Bounds>& bounds);
  void open_pattern(moorea::Pattern pattern, const std::string& file);
  void reply_pattern(ClientId client, const std::function<moorea::Pattern()>& get);
  std::optional<moorea::Bounds> bounds() const;
  std::optional<moorea::Box> inside(const moorea::Box& box) const;

  // Those are wishes
  void handle(ClientId, const message::Look&) {}
  void handle(ClientId, const message::Ready&) {}
  void handle(ClientId, const message::Live&) {}
  void handle(ClientId client, const message::Play&);
  void handle(ClientId client, const message::Stop&);
  void handle(ClientId client, const message::Step& step);
  void handle(ClientId client, const message::Stride& stride);
  void handle(ClientId client, const message::Speed& speed);
  void handle(ClientId client, const message::Faster& faster);
  void handle(ClientId client, const message::Go& go);
  void handle(ClientId client, const message::Reset&);
  void handle(ClientId client, const message::Undo&);
  void handle(ClientId client, const message::Draw& draw);
  void handle(ClientId client, const message::Clear& clear);
  void handle(ClientId client, const message::Paste& paste);
  void handle(ClientId client, const message::Copy& copy);
  void handle(ClientId client, const message::Fill& fill);
  void handle(ClientId client, const message::Make& make);
  void handle(ClientId client, const message::Resize& resize);
  void handle(ClientId client, const message::SetRule& rule);
  void handle(ClientId client, const message::CheckRule& rule);
  void handle(ClientId client, const message::Kernels&);
  void handle(ClientId client, const message::Engine& engine);
  void handle(ClientId client, const message::Open& open);
  void handle(ClientId client, const message::Library& library);
  void handle(ClientId client, const message::FetchPattern& pattern);
  void handle(ClientId client, const message::Read& given);
  void handle(ClientId client, const message::Save& save);

  moorea::Options engine_;
  std::string own_kernel_;  // that the command line named
  std::string audience_token_;
  const Json about_;          // what every page is told at first
  const int first_exponent_;  // of what is opened
  Player player_;
  History history_;
  bool drawn_ = false;  // changed since the last moment was kept
  Clock::time_point next_moment_{};
  std::string name_;  // of the pattern, where it has one
  WebServer* server_ = nullptr;
  std::map<ClientId, Client> clients_;
  std::atomic<double> coded_seconds_ = 0;  // since they were looked at
  ClientId last_drawn_for_ = 0;
  std::uint64_t version_ = 1;
  // While it runs, pictures come as rarely as they are dear; else a frame after the last
  Clock::time_point last_draw_{}, next_draw_{};
  Clock::time_point next_numbers_{};         // where pictures are rarer than that
  std::optional<std::uint64_t> edge_met_;    // the first generation, of the worlds since the last change
  std::optional<std::uint64_t> population_;  // nothing where the cells have changed since it was counted
  mutable std::optional<std::optional<moorea::Box>> live_;  // the box of what lives, the same
  std::optional<std::optional<moorea::Framing>> framing_;   // the same
  std::uint64_t edits_ = 0;

  std::mutex mutex_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> populations_;  // by generation; others read them
  std::atomic<Clock::rep> at_work_since_ = 0;                         // 0: it waits for something to do
  std::condition_variable arrived_;
  std::deque<std::function<void()>> queue_;
  // What somebody wants to see is dealt with at once: the last is what counts
  struct Wish {
    std::optional<moorea::Raster> raster;
    bool ready = false, live = false;
  };
  std::map<ClientId, Wish> wishes_;

  // The last member, so that nothing that they use goes before them: what is sent is coded there
  std::vector<std::unique_ptr<BackgroundQueue>> coders_;
};

}  // namespace app
