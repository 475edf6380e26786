// SPDX-License-Identifier: MIT
#include "live/player.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/app.h"

namespace app {
namespace {

// Until so much has passed a rate is more the chance of when it began.
constexpr double min_covered = 0.25;

}  // namespace

Player::Player(moorea::Simulation simulation, int exponent)
    : simulation_(std::move(simulation)), exponent_(std::clamp(exponent, slowest, fastest)) {}

void Player::replace(moorea::Simulation simulation) { simulation_ = std::move(simulation); }

void Player::play() {
  playing_ = true;
  left_ = 0;
  rest();
}

void Player::stop() {
  playing_ = false;
  left_ = 0;
  rest();
}

// What comes next begins anew, as far as its pace goes.
void Player::rest() { generation_rate_.restart(since(start_)); }

double Player::generations_per_second() const {
  return generation_rate_.covered() < min_covered ? 0 : generation_rate_.per_second();
}

void Player::set_exponent(int exponent) {
  exponent_ = std::clamp(exponent, slowest, fastest);
  if (playing_) left_ = std::min(left_, std::uint64_t{1} << std::max(exponent_, 0));
}

void Player::step(std::uint64_t generations) {
  if (!busy()) rest();
  left_ = playing_ ? generations : left_ + generations;
  playing_ = false;
}

double Player::waits(double idle) const {
  if (left_ > 0) return 0;
  if (!playing_) return idle;
  return std::max(0.0, frame_seconds * std::ldexp(1.0, std::max(0, -exponent_)) - since(last_step_));
}

void Player::run(double seconds, std::uint64_t maximum) {
  if (left_ == 0 && playing_) {
    left_ = exponent_ < 0 ? 1 : std::uint64_t{1} << exponent_;
    last_step_ = Clock::now();
  }
  const std::uint64_t now = std::min(left_, maximum);
  if (now == 0) return;
  const auto begin = Clock::now();
  const double before = simulation_.cell_updates();
  const std::uint64_t done =
      simulation_.step(now, [&] { return since(begin) < seconds && !was_interrupted(); });
  left_ -= std::min(left_, done);
  if (cell_rate_.covered() == 0) cell_rate_.restart(computing_seconds_);
  computing_seconds_ += since(begin);
  cell_rate_.add(computing_seconds_, simulation_.cell_updates() - before);
  generation_rate_.add(since(start_), static_cast<double>(done));
}

}  // namespace app
