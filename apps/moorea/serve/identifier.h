// SPDX-License-Identifier: MIT
// Searches for what a pattern is, on copies of cells and a thread of their own, while the world runs.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "moorea/box.h"
#include "moorea/cell_tree.h"
#include "moorea/identify.h"
#include "moorea/rule.h"
#include "moorea/simulation.h"
#include "serve/replies.h"
#include "serve/web_server.h"

namespace app {

class Identifier {
 public:
  /// Sends an answer; called on the thread of the searches.
  using Answer = std::function<void(ClientId, Reply)>;
  explicit Identifier(Answer answer) : answer_(std::move(answer)) {}
  /// Ends all searches.
  ~Identifier();
  Identifier(const Identifier&) = delete;
  Identifier& operator=(const Identifier&) = delete;

  /// Searches for what the cells in a box are, or all cells, on an unbounded plane; earlier searches of the
  /// client end. Those of several clients run one after the other. Throws moorea::Error if there is nothing
  /// to search.
  void identify(ClientId client, const moorea::Simulation& world, const std::optional<moorea::Box>& box);

  /// The answer to a client whose search ends, or does not begin, with an error.
  static Reply refusal(const std::exception& error);

  /// Ends the searches of a client, without an answer.
  void stop(ClientId client);

 private:
  struct Job {
    ClientId client = 0;
    moorea::Rule rule;
    moorea::CellTree cells;
  };

  void run();
  Reply search(const Job& job);
  bool is_wanted();

  Answer answer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::optional<ClientId> searching_;  // for this client; empty if it no longer wants it
  bool ending_ = false;
  std::thread thread_;  // from the first search on
};

}  // namespace app
