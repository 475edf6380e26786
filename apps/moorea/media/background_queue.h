// SPDX-License-Identifier: MIT
// A work queue with one thread: jobs such as writing frames run in order while a simulation continues. The
// memory that queued jobs hold is bounded; add() blocks at the bound.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace app {

constexpr std::size_t max_queued_bytes = 256 << 20;  // default bound of a queue

class BackgroundQueue {
 public:
  explicit BackgroundQueue(std::size_t max_bytes);
  /// Waits for the running job and discards the queued ones.
  ~BackgroundQueue();
  BackgroundQueue(const BackgroundQueue&) = delete;
  BackgroundQueue& operator=(const BackgroundQueue&) = delete;

  /// Queues `job`, which holds `bytes` of memory until it has run. Blocks while the queued jobs hold too
  /// much. Throws the exception of an earlier job; after one, no further job runs.
  void add(std::size_t bytes, std::function<void()> job);

  /// Throws the exception of an earlier job, if there was one.
  void check();

  /// Bytes held by the running job and the queued ones.
  std::size_t queued_bytes() const;

  /// Waits until every job has run. Throws the exception of an earlier job.
  void finish();

 private:
  struct Job {
    std::size_t bytes;
    std::function<void()> work;
  };

  void run();
  void rethrow();

  std::size_t max_bytes_, queued_bytes_ = 0;
  std::deque<Job> jobs_;
  bool busy_ = false, ending_ = false;
  std::exception_ptr failure_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

}  // namespace app
