// SPDX-License-Identifier: MIT
#include "media/background_queue.h"

#include <utility>

namespace app {

BackgroundQueue::BackgroundQueue(std::size_t max_bytes) : max_bytes_(max_bytes), thread_([this] { run(); }) {}

BackgroundQueue::~BackgroundQueue() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  thread_.join();
}

void BackgroundQueue::add(std::size_t bytes, std::function<void()> job) {
  std::unique_lock lock(mutex_);
  // An empty queue accepts a job of any size
  changed_.wait(lock, [&] { return failure_ || queued_bytes_ == 0 || queued_bytes_ + bytes <= max_bytes_; });
  rethrow();
  queued_bytes_ += bytes;
  jobs_.push_back({bytes, std::move(job)});
  changed_.notify_all();
}

void BackgroundQueue::check() {
  const std::lock_guard lock(mutex_);
  rethrow();
}

std::size_t BackgroundQueue::queued_bytes() const {
  const std::lock_guard lock(mutex_);
  return queued_bytes_;
}

void BackgroundQueue::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failure_ || (jobs_.empty() && !busy_); });
  rethrow();
}

void BackgroundQueue::rethrow() {
  if (failure_) std::rethrow_exception(failure_);
}

void BackgroundQueue::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    busy_ = true;
    lock.unlock();
    std::exception_ptr failure;
    try {
      job.work();
    } catch (...) {
      failure = std::current_exception();
    }
    job.work = nullptr;  // frees its memory before other jobs may use as much
    lock.lock();
    busy_ = false;
    queued_bytes_ -= job.bytes;
    if (failure) {
      failure_ = failure;
      jobs_.clear();
      queued_bytes_ = 0;
    }
    changed_.notify_all();
    if (failure) return;
  }
}

}  // namespace app
