// SPDX-License-Identifier: MIT
#include "player.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app.h"

namespace app {
namespace {

// Follows what comes, most of it after some frames.
double smoothed(double before, double now) { return before == 0 ? now : 0.8 * before + 0.2 * now; }

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
void Player::rest() {
  last_end_.reset();
  generation_rate_ = 0;
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

void Player::run(double seconds, std::uint64_t most) {
  if (left_ == 0 && playing_) {
    left_ = exponent_ < 0 ? 1 : std::uint64_t{1} << exponent_;
    last_step_ = Clock::now();
  }
  const std::uint64_t now = std::min(left_, most);
  if (now == 0) return;
  const auto begin = Clock::now();
  const double before = simulation_.cell_updates();
  const std::uint64_t done =
      simulation_.step(now, [&] { return since(begin) < seconds && !was_interrupted(); });
  left_ -= std::min(left_, done);
  const double took = since(begin);
  if (took <= 0) return;
  cell_rate_ = smoothed(cell_rate_, (simulation_.cell_updates() - before) / took);
  // With all that went between this and the last time; of a short first one nobody knows how long that takes
  const double passed = last_end_ ? since(*last_end_) : took;
  if (last_end_ || took >= frame_seconds / 2)
    generation_rate_ = smoothed(generation_rate_, static_cast<double>(done) / passed);
  last_end_ = Clock::now();
}

}  // namespace app
