// SPDX-License-Identifier: MIT
#include "media/frame_writer.h"

#include <utility>

namespace app {

FrameWriter::FrameWriter(std::size_t max_bytes) : max_bytes_(max_bytes), thread_([this] { run(); }) {}

FrameWriter::~FrameWriter() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  thread_.join();
}

void FrameWriter::add(std::size_t bytes, std::function<void()> job) {
  std::unique_lock lock(mutex_);
  // One is always taken, however large it is
  changed_.wait(lock, [&] { return failure_ || held_ == 0 || held_ + bytes <= max_bytes_; });
  rethrow();
  held_ += bytes;
  jobs_.push_back({bytes, std::move(job)});
  changed_.notify_all();
}

void FrameWriter::check() {
  const std::lock_guard lock(mutex_);
  rethrow();
}

std::size_t FrameWriter::held() const {
  const std::lock_guard lock(mutex_);
  return held_;
}

void FrameWriter::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failure_ || (jobs_.empty() && !busy_); });
  rethrow();
}

void FrameWriter::rethrow() {
  if (failure_) std::rethrow_exception(failure_);
}

void FrameWriter::run() {
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
    job.work = nullptr;  // its memory is free before others may take as much
    lock.lock();
    busy_ = false;
    held_ -= job.bytes;
    if (failure) {
      failure_ = failure;
      jobs_.clear();
      held_ = 0;
    }
    changed_.notify_all();
    if (failure) return;
  }
}

}  // namespace app
