// SPDX-License-Identifier: MIT
#include "live/player.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/app.h"

namespace app {
namespace {

constexpr double min_rate_seconds = 0.25;      // a shorter time says more about when it began
constexpr double checkpoint_seconds = 1;       // between two checkpoints, at least
constexpr double max_checkpoint_share = 0.01;  // of the time

}  // namespace

Player::Player(WorldEditor& editor, int exponent)
    : editor_(editor), exponent_(std::clamp(exponent, slowest, fastest)) {}

void Player::play() {
  playing_ = true;
  left_ = 0;
  restart_rate();
}

void Player::stop() {
  playing_ = false;
  left_ = 0;
  restart_rate();
}

void Player::restart_rate() { generation_rate_.restart(since(start_)); }

double Player::generations_per_second() const {
  return generation_rate_.covered() < min_rate_seconds ? 0 : generation_rate_.per_second();
}

std::uint64_t Player::step_length() const { return std::uint64_t{1} << std::max(exponent_, 0); }

void Player::set_exponent(int exponent) {
  exponent_ = std::clamp(exponent, slowest, fastest);
  if (playing_) left_ = std::min(left_, step_length());
}

void Player::step(std::uint64_t generations) {
  if (!busy()) restart_rate();
  left_ = playing_ ? generations : left_ + generations;
  playing_ = false;
}

void Player::step_back() {
  // From the target of a step back that is under way
  const std::uint64_t here = editor_.generation();
  const std::uint64_t from = playing_ ? here : std::min(here + left_, editor_.last_generation());
  go_to(std::max(editor_.first_generation(), from - std::min(from, step_length())));
}

void Player::go_to(std::uint64_t generation) {
  stop();
  if (generation < editor_.generation()) keep_checkpoint();  // which makes the return short
  const std::uint64_t left = editor_.seek(generation);
  if (left > 0) step(left);
}

void Player::keep_checkpoint() {
  const auto begin = Clock::now();
  editor_.keep_checkpoint();
  const double pause = std::max(checkpoint_seconds, since(begin) / max_checkpoint_share);
  next_checkpoint_ =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause));
}

std::uint64_t Player::generations_to_end() const {
  return last_generation - std::min(last_generation, editor_.generation());
}

double Player::seconds_until_due(double idle) const {
  if (left_ > 0) return 0;
  if (!playing_) return idle;
  return std::max(0.0, frame_seconds * std::ldexp(1.0, std::max(0, -exponent_)) - since(last_step_));
}

std::string step_text(const Player& player) {
  const int exponent = player.exponent();
  std::string text = fmt::format("step 2^{}", exponent);
  if (exponent < 20) text = fmt::format("step {}", std::uint64_t{1} << std::max(exponent, 0));
  if (exponent < 0) text = fmt::format("1 every {:.2g} s", frame_seconds * std::ldexp(1.0, -exponent));
  return player.hyperspeed() ? text + ", hyperspeed" : text;
}

void Player::run(double seconds, std::uint64_t maximum) {
  if (left_ == 0 && playing_) {
    left_ = step_length();
    slices_ = 0;
    last_step_ = Clock::now();
  }
  const std::uint64_t wanted = std::min({left_, maximum, generations_to_end()});
  if (wanted == 0) {
    if (generations_to_end() == 0) stop();
    return;
  }
  ++slices_;
  editor_.commit_edits();  // not part of the time that the generations take
  const auto begin = Clock::now();
  const double updates = editor_.cell_updates();
  const std::uint64_t done =
      editor_.advance(wanted, [&] { return since(begin) < seconds && !was_interrupted(); });
  left_ -= std::min(left_, done);
  const bool is_fast = playing_ && left_ == 0 && slices_ == 1 && since(begin) < seconds / 2;
  if (hyperspeed_ && is_fast) exponent_ = std::min(std::max(exponent_, 0) + 1, fastest);
  if (cell_rate_.covered() == 0) cell_rate_.restart(computing_seconds_);
  computing_seconds_ += since(begin);
  cell_rate_.add(computing_seconds_, editor_.cell_updates() - updates);
  generation_rate_.add(since(start_), static_cast<double>(done));
  if (Clock::now() >= next_checkpoint_) keep_checkpoint();
}

}  // namespace app
