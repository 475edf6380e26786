// SPDX-License-Identifier: MIT
// Work that is done in the background, in its order, while a run goes on: frames that are written. What waits
// takes a bounded amount of memory; who adds more waits.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace app {

constexpr std::size_t max_bytes_waiting = 256 << 20;  // where nobody has a reason for another number

class FrameWriter {
 public:
  explicit FrameWriter(std::size_t max_bytes);
  /// What still waits is left undone.
  ~FrameWriter();
  FrameWriter(const FrameWriter&) = delete;
  FrameWriter& operator=(const FrameWriter&) = delete;

  /// Has `job` done, which holds so many bytes until then. Waits where others hold too many. Throws what an
  /// earlier job threw; none is done after that.
  void add(std::size_t bytes, std::function<void()> job);

  /// Throws as add().
  void check();

  /// Bytes that jobs hold which are not done.
  std::size_t held() const;

  /// Waits until all is done. Throws as add().
  void finish();

 private:
  struct Job {
    std::size_t bytes;
    std::function<void()> work;
  };

  void run();
  void rethrow();

  std::size_t max_bytes_, held_ = 0;
  std::deque<Job> jobs_;
  bool busy_ = false, ending_ = false;
  std::exception_ptr failure_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

}  // namespace app
