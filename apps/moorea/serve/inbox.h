// SPDX-License-Identifier: MIT
// Queue from the server's thread to the main thread: tasks in their order, and the latest view request of
// each client.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "cli/clock.h"
#include "moorea/grid.h"
#include "serve/messages.h"
#include "serve/web_server.h"

namespace app {

/// Data that a client requests. Requests of one client are merged: the last raster counts.
struct ViewRequest {
  std::optional<message::Look> look;  ///< squares to be seen from now on
  bool ready = false;                 ///< for the next update
  bool live = false;                  ///< for the box of the live cells
};

class Inbox {
 public:
  using Task = std::function<void()>;
  struct Batch {
    std::deque<Task> tasks;
    std::map<ClientId, ViewRequest> requests;
  };

  // Any thread

  void post(Task task);
  /// Adds a message for which is_view_request() holds.
  void request(ClientId client, const ClientMessage& message);
  /// Whether the main thread has been at one piece of work for more than half a second.
  bool is_busy() const;

  // Main thread

  /// Waits for `seconds` at most and returns all that has arrived.
  Batch wait(double seconds);

 private:
  std::atomic<Clock::rep> busy_since_ = 0;  // 0: waiting
  std::mutex mutex_;
  std::condition_variable arrived_;
  Batch batch_;
};

}  // namespace app
