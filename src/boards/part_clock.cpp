// SPDX-License-Identifier: MIT
#include "boards/part_clock.h"

#include <utility>

#include "boards/tile_trace.h"

namespace moorea {
namespace {

// Seconds since a time, which becomes the present one.
double seconds_until_now(std::chrono::steady_clock::time_point& begin) {
  const auto now = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(now - std::exchange(begin, now)).count();
}

}  // namespace

PartClock::PartClock(BoardQueue* queue, WaitForMark wait) : queue_(queue), wait_(std::move(wait)) {
  if (queue_ == nullptr) return;
  started_ = queue_->make_mark();
  for (Period& each : periods_) {
    each.begin = queue_->make_mark();
    each.end = queue_->make_mark();
  }
}

void PartClock::start(const PartTrace& trace) {
  trace_ = trace;
  work_ = {};
  present_.first_generation = 0;
  begun_ = measured_ = 0;
  last_end_ = 0;
  start_ = since_ = Clock::now();
  if (queue_ == nullptr) return;
  queue_->mark(*started_);
  resume();
}

void PartClock::pause(std::uint64_t passed) {
  Period& now = queue_ == nullptr ? present_ : period(begun_ - 1);
  now.last_generation = passed;
  if (queue_ == nullptr) {
    const double begin = std::chrono::duration<double>(since_ - start_).count(),
                 busy = seconds_until_now(since_);
    work_.busy_seconds += busy;
    record(begin, begin + busy, now);
  } else {
    queue_->mark(*now.end);
    paused_at_ = now.end.get();
  }
  present_.first_generation = passed;
}

void PartClock::resume() {
  if (queue_ == nullptr) {
    work_.idle_seconds += seconds_until_now(since_);
    return;
  }
  if (begun_ - measured_ == max_ahead) measure_oldest();
  Period& next = period(begun_++);
  next.first_generation = present_.first_generation;
  queue_->mark(*next.begin);
}

void PartClock::measure_oldest() {
  const Period& oldest = period(measured_++);
  wait_(*oldest.end);
  const double begin = oldest.begin->seconds_since(*started_), end = oldest.end->seconds_since(*started_);
  work_.busy_seconds += end - begin;
  work_.idle_seconds += begin - last_end_;
  last_end_ = end;
  record(begin, end, oldest);
}

void PartClock::record(double begin, double end, const Period& period) {
  if (trace_.trace == nullptr || period.last_generation == period.first_generation) return;
  const double start = trace_.trace->seconds(start_);
  trace_.trace->record(trace_.part, {trace_.rows, start + begin, start + end, period.first_generation});
}

void PartClock::finish(std::uint64_t passed) {
  pause(passed);
  if (queue_ == nullptr) return;
  wait_(*paused_at_);
  queue_->finish();
  while (measured_ < begun_) measure_oldest();
  since_ = Clock::now();
}

PartWork PartClock::end() {
  work_.idle_seconds += seconds_until_now(since_);
  return work_;
}

}  // namespace moorea
