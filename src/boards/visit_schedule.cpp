// SPDX-License-Identifier: MIT
#include "boards/visit_schedule.h"

#include <algorithm>
#include <utility>

namespace moorea {

VisitSchedule::VisitSchedule(std::size_t parts, bool is_ring, std::size_t shared)
    : parts_(parts), shared_(shared), is_ring_(is_ring), turns_done_(parts) {}

std::optional<std::size_t> VisitSchedule::above(std::size_t part) const {
  if (part > 0) return part - 1;
  return is_ring_ ? std::optional(parts_ - 1) : std::nullopt;
}

std::optional<std::size_t> VisitSchedule::below(std::size_t part) const {
  if (part + 1 < parts_) return part + 1;
  return is_ring_ ? std::optional<std::size_t>(0) : std::nullopt;
}

std::uint64_t VisitSchedule::begin(std::uint64_t turns) {
  const std::lock_guard lock(mutex_);
  // After a failure parts may be at different turns
  first_ = end_;
  end_ = first_ + turns;
  std::ranges::fill(turns_done_, first_);
  handed_out_ = 0;
  all_ = turns * shared_;
  error_ = nullptr;
  return first_;
}

bool VisitSchedule::is_ready(const Visit& visit) const {
  const auto has_been_here = [&](std::optional<std::size_t> part) {
    return !part || turns_done_[*part] >= visit.turn;
  };
  return has_been_here(visit.part) && has_been_here(above(visit.part)) && has_been_here(below(visit.part));
}

// Each turn begins one part further down than the one before: the part after the last one is the neighbour of
// parts that are still at work, the one after that is not.
std::optional<Visit> VisitSchedule::next() {
  Visit visit;
  {
    const std::lock_guard lock(mutex_);
    if (error_ || handed_out_ == all_) return std::nullopt;
    const std::uint64_t turn = first_ + handed_out_ / shared_, place = handed_out_ % shared_;
    visit = {static_cast<std::size_t>((turn + place) % shared_), turn};
    ++handed_out_;
  }
  return wait_for(visit) ? std::optional(visit) : std::nullopt;
}

// Visits are handed out turn by turn: the earliest one that is not finished is at work, or its neighbours are
// ready for it.
bool VisitSchedule::wait_for(const Visit& visit) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return error_ != nullptr || is_ready(visit); });
  return error_ == nullptr;
}

void VisitSchedule::finished(const Visit& visit) {
  {
    const std::lock_guard lock(mutex_);
    turns_done_[visit.part] = visit.turn + 1;
  }
  changed_.notify_all();
}

void VisitSchedule::failed(const std::exception_ptr& error) {
  {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
  }
  changed_.notify_all();
}

void VisitSchedule::rethrow() {
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

}  // namespace moorea
