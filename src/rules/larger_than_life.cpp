// SPDX-License-Identifier: MIT
#include "moorea/larger_than_life.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <list>
#include <mutex>
#include <utility>

#include "moorea/error.h"
#include "moorea/rule.h"
#include "rules/wide_notation.h"

namespace moorea {
namespace {

using Interval = LargerThanLife::Interval;
using Run = LargerThanLife::Run;
using Shape = LargerThanLife::Shape;

bool is_neighbour(Shape shape, int r, int dx, int dy) {
  const int x = std::abs(dx), y = std::abs(dy);
  switch (shape) {
    case Shape::moore:
      return true;
    case Shape::von_neumann:
      return x + y <= r;
    case Shape::circular:
      return x * x + y * y <= r * r + r;
    case Shape::euclidean:
      return x * x + y * y <= r * r;
    case Shape::hexagonal:
      return std::abs(dx - dy) <= r;
    case Shape::cross:
      return x == 0 || y == 0;
    case Shape::saltire:
      return x == y;
    case Shape::star:
      return x == 0 || y == 0 || x == y;
    case Shape::hash:
      return x == 1 || y == 1;
    case Shape::checkerboard:
      return (x + y) % 2 == 1;
    case Shape::aligned_checkerboard:
      return (x + y) % 2 == 0;
    case Shape::custom:
      break;
  }
  return false;
}

// The neighbours for which contains(dx, dy), and the centre.
template <class Contains>
std::vector<Run> runs_of(int radius, const Contains& contains) {
  std::vector<Run> runs;
  for (int dy = -radius; dy <= radius; ++dy) {
    bool is_open = false;
    for (int dx = -radius; dx <= radius; ++dx) {
      const bool inside = (dx == 0 && dy == 0) || contains(dx, dy);
      if (inside && is_open) ++runs.back().last;
      if (inside && !is_open) runs.push_back({dy, dx, dx});
      is_open = inside;
    }
  }
  return runs;
}

// Sorted, without overlaps and gaps of no count, and of possible counts only.
std::vector<Interval> united(std::vector<Interval> intervals, int largest) {
  std::erase_if(intervals, [&](const Interval& each) { return each.first > std::min(each.last, largest); });
  std::ranges::sort(intervals, {}, &Interval::first);
  std::vector<Interval> result;
  for (const Interval& next : intervals) {
    const int last = std::min(next.last, largest);
    if (!result.empty() && next.first <= result.back().last + 1)
      result.back().last = std::max(result.back().last, last);
    else
      result.push_back({next.first, last});
  }
  return result;
}

bool contains(std::span<const Interval> intervals, int count) {
  return std::ranges::any_of(intervals,
                             [&](const Interval& each) { return each.first <= count && count <= each.last; });
}

std::string text_of(std::span<const Interval> intervals) {
  std::string text;
  for (const Interval& each : intervals) {
    if (!text.empty()) text += ',';
    text += std::to_string(each.first);
    if (each.last != each.first) text += '-' + std::to_string(each.last);
  }
  return text;
}

void require_radius(int radius) {
  if (radius < 1 || radius > LargerThanLife::max_radius)
    throw Error(
        fmt::format("a neighbourhood of radius {}: expected 1 to {}", radius, LargerThanLife::max_radius),
        ErrorKind::usage);
}

// The same rule as a function of nine cells.
Rule nine_cell_rule(const LargerThanLife& counts) {
  Rule::Table table{};
  for (unsigned n = 0; n < 512; ++n) {
    int live = 0;
    for (const Run& run : counts.runs()) {
      for (int dx = run.first; dx <= run.last; ++dx) live += static_cast<int>(n >> (4 - 3 * run.dy - dx) & 1);
    }
    const bool alive = (n >> 4 & 1) != 0;
    table[n / 64] |= static_cast<std::uint64_t>(counts.next(alive, live - (alive ? 1 : 0))) << n % 64;
  }
  return Rule(table);
}

}  // namespace

LargerThanLife::LargerThanLife(int radius, Shape shape, const std::vector<Interval>& birth,
                               const std::vector<Interval>& survival)
    : radius_(radius), shape_(shape) {
  require_radius(radius);
  if (shape == Shape::custom)
    throw Error("a neighbourhood of any cells needs their digits", ErrorKind::usage);
  runs_ = runs_of(radius, [&](int dx, int dy) { return is_neighbour(shape, radius, dx, dy); });
  complete(birth, survival);
}

LargerThanLife::LargerThanLife(int radius, const std::string& digits, const std::vector<Interval>& birth,
                               const std::vector<Interval>& survival)
    : radius_(radius), shape_(Shape::custom), digits_(digits) {
  require_radius(radius);
  for (char& c : digits_) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto needed = static_cast<std::size_t>(radius) * static_cast<std::size_t>(radius + 1);
  if (digits_.size() != needed || digits_.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw Error(fmt::format("expected {} hexadecimal digits for the cells of a neighbourhood of radius {}",
                            needed, radius),
                ErrorKind::usage);
  runs_ = runs_of(radius, [&](int dx, int dy) {
    const int place = (dy + radius) * (2 * radius + 1) + dx + radius;
    const int bit = place - (dy > 0 || (dy == 0 && dx > 0) ? 1 : 0);
    const char c = digits_[static_cast<std::size_t>(bit / 4)];
    const int value = c <= '9' ? c - '0' : c - 'a' + 10;
    return (value >> (3 - bit % 4) & 1) != 0;
  });
  complete(birth, survival);
}

void LargerThanLife::complete(const std::vector<Interval>& birth, const std::vector<Interval>& survival) {
  for (const std::vector<Interval>* intervals : {&birth, &survival})
    for (const Interval& each : *intervals)
      if (each.first < 0 || each.last < each.first)
        throw Error(
            fmt::format("live neighbours from {} to {}: expected counts from 0 on, the larger one last",
                        each.first, each.last),
            ErrorKind::usage);
  for (const Run& run : runs_) neighbours_ += run.last - run.first + 1;
  neighbours_ -= 1;
  birth_ = united(birth, neighbours_);
  survival_ = united(survival, neighbours_);
  const auto add = [&](int count, bool is_birth) {
    const auto at = std::ranges::lower_bound(limits_, count, {}, &Limit::count);
    const auto limit =
        at != limits_.end() && at->count == count ? at : limits_.insert(at, {count, false, false});
    (is_birth ? limit->birth : limit->survival) = true;
  };
  for (const Interval& each : birth_) {
    add(each.first, true);
    add(each.last + 1, true);
  }
  for (const Interval& each : survival_) {
    add(each.first + 1, false);
    add(each.last + 2, false);
  }
}

bool LargerThanLife::next(bool alive, int live_neighbours) const {
  return contains(alive ? survival_ : birth_, live_neighbours);
}

std::string LargerThanLife::str(int states) const {
  // This form is known to all programs
  const bool has_old_form =
      shape_ == Shape::moore || shape_ == Shape::von_neumann || shape_ == Shape::circular;
  if (has_old_form && birth_.size() == 1 && survival_.size() == 1) {
    return fmt::format("R{},C{},M0,S{}..{},B{}..{}{}", radius_, states > 2 ? states : 0, survival_[0].first,
                       survival_[0].last, birth_[0].first, birth_[0].last, suffix_of(shape_));
  }
  return fmt::format("R{},C{},S{},B{}{}", radius_, states, text_of(survival_), text_of(birth_),
                     suffix_of(shape_) + (shape_ == Shape::custom ? digits_ : ""));
}

Rule Rule::by(const LargerThanLife& counts, int states) {
  if (states < 2 || states > max_states) refuse_states(states);
  if (counts.radius() == 1) return nine_cell_rule(counts).with_states(states);
  static std::mutex mutex;
  static std::list<LargerThanLife> all;
  const std::lock_guard lock(mutex);
  auto kept = std::ranges::find(all, counts);
  if (kept == all.end()) kept = all.insert(all.end(), counts);
  Rule rule(kept->next(false, 0) ? 1 : 0, kept->next(true, kept->neighbours()) ? 1u << 8 : 0);
  rule.states_ = static_cast<std::uint16_t>(states);
  rule.larger_ = &*kept;
  return rule;
}

int Rule::reach() const { return larger_ != nullptr ? larger_->radius() : 1; }

}  // namespace moorea
