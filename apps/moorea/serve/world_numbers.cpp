// SPDX-License-Identifier: MIT
#include "serve/world_numbers.h"

namespace app {
namespace {

constexpr std::size_t max_points = 800;  // of the curve

}  // namespace

const moorea::BigInteger& WorldNumbers::count() {
  if (population_.version == editor_.version()) return population_.value;
  population_ = {editor_.version(), editor_.simulation().far_population()};
  const std::uint64_t generation = editor_.generation();
  const std::lock_guard lock(mutex_);
  if (!curve_.empty() && curve_.back().first >= generation) return population_.value;
  curve_.emplace_back(generation, population_.value.approximate());
  if (curve_.size() <= max_points) return population_.value;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < curve_.size(); i += 2) curve_[kept++] = curve_[i];
  curve_.resize(kept);
  return population_.value;
}

std::optional<moorea::BigInteger> WorldNumbers::population() const {
  return population_.version == editor_.version() ? std::optional(population_.value) : std::nullopt;
}

const std::optional<moorea::Framing>& WorldNumbers::framing() {
  if (framing_.version != editor_.version())
    framing_ = {editor_.version(), moorea::frame_of(editor_.simulation())};
  return framing_.value;
}

void WorldNumbers::truncate() {
  const std::lock_guard lock(mutex_);
  // Points before the first generation are another world's
  std::erase_if(curve_, [&](const auto& point) {
    return point.first >= editor_.generation() || point.first < editor_.first_generation();
  });
}

WorldNumbers::Curve WorldNumbers::curve() const {
  const std::lock_guard lock(mutex_);
  return curve_;
}

}  // namespace app
