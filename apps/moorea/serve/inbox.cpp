// SPDX-License-Identifier: MIT
#include "serve/inbox.h"

#include <chrono>
#include <utility>
#include <variant>

namespace app {

void Inbox::post(Task task) {
  {
    const std::lock_guard lock(mutex_);
    batch_.tasks.push_back(std::move(task));
  }
  arrived_.notify_one();
}

void Inbox::request(ClientId client, const ClientMessage& message) {
  {
    const std::lock_guard lock(mutex_);
    ViewRequest& request = batch_.requests[client];
    if (const auto* look = std::get_if<message::Look>(&message)) request.look = *look;
    request.ready = request.ready || std::holds_alternative<message::Ready>(message);
    request.live = request.live || std::holds_alternative<message::Live>(message);
  }
  arrived_.notify_one();
}

bool Inbox::is_busy() const {
  constexpr double busy_seconds = 0.5;
  const Clock::rep begin = busy_since_;
  return begin != 0 && since(Clock::time_point(Clock::duration(begin))) > busy_seconds;
}

Inbox::Batch Inbox::wait(double seconds) {
  Batch batch;
  std::unique_lock lock(mutex_);
  busy_since_ = 0;
  arrived_.wait_for(lock, std::chrono::duration<double>(seconds),
                    [&] { return !batch_.tasks.empty() || !batch_.requests.empty(); });
  busy_since_ = Clock::now().time_since_epoch().count();
  batch.tasks.swap(batch_.tasks);
  batch.requests.swap(batch_.requests);
  return batch;
}

}  // namespace app
