// SPDX-License-Identifier: MIT
#include "objects/outlook.h"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "objects/evolution.h"
#include "objects/meetings.h"

namespace moorea {
namespace {

// Cells a generation.
struct Vector {
  double x = 0, y = 0;

  friend Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y}; }
  friend bool operator==(const Vector&, const Vector&) = default;
};

Vector velocity(const Position& displacement, std::uint64_t period) {
  const auto generations = static_cast<double>(period);
  return {static_cast<double>(displacement.x) / generations,
          static_cast<double>(displacement.y) / generations};
}

constexpr std::uint64_t crossing_work = 32;  // bitboards that are evolved in the time of cross()

constexpr double for_ever = std::numeric_limits<double>::infinity();

// All places of a box that moves from its place at time 0 for some time.
struct Path {
  Box box;
  Vector velocity;
  double duration = 0;
};

// The box as it is after so many generations.
Box later(const Box& box, const Vector& velocity, double generations) {
  const Position by = {std::llround(velocity.x * generations), std::llround(velocity.y * generations)};
  return box.translated(by).expanded(1);
}

// Whether two paths have a place in common, at whichever times. The box of `a` is there at most `delay` after
// that of `b`. A common place is a solution of linear inequalities in the two times; if there is
// one, there is one in which two of them are equations.
bool cross(const Path& a, const Path& b, double delay = for_ever) {
  struct Line {  // s x + t y <= limit, for times s and t
    double x, y, limit;
  };
  std::array<Line, 9> lines{};
  std::size_t count = 0;
  const auto add = [&](const Line& line) { lines[count++] = line; };
  const auto add_overlap = [&](std::int64_t a_low, std::int64_t a_high, std::int64_t b_low,
                               std::int64_t b_high, double a_velocity, double b_velocity) {
    add({a_velocity, -b_velocity, static_cast<double>(b_high - a_low + object_reach)});
    add({-a_velocity, b_velocity, static_cast<double>(a_high - b_low + object_reach)});
  };
  add_overlap(a.box.x, a.box.right(), b.box.x, b.box.right(), a.velocity.x, b.velocity.x);
  add_overlap(a.box.y, a.box.bottom(), b.box.y, b.box.bottom(), a.velocity.y, b.velocity.y);
  add({-1, 0, 0});
  add({0, -1, 0});
  if (a.duration != for_ever) add({1, 0, a.duration});
  if (b.duration != for_ever) add({0, 1, b.duration});
  if (delay != for_ever) add({1, -1, delay});
  const auto holds = [&](double s, double t) {
    for (std::size_t i = 0; i < count; ++i) {
      const double tolerance = 1e-6 * (1 + std::abs(lines[i].limit));
      if (s * lines[i].x + t * lines[i].y > lines[i].limit + tolerance) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const double determinant = lines[i].x * lines[k].y - lines[k].x * lines[i].y;
      if (std::abs(determinant) < 1e-12) continue;
      const double s = (lines[i].limit * lines[k].y - lines[k].limit * lines[i].y) / determinant,
                   t = (lines[i].x * lines[k].limit - lines[k].x * lines[i].limit) / determinant;
      if (holds(s, t)) return true;
    }
  }
  return false;
}

// The box of cells that evolve for a period, in a system of coordinates that moves by `by` in that time.
Box swept(SearchContext& context, const CellList& cells, const Position& by, std::uint64_t period) {
  Evolution evolution(context);
  evolution.add(cells);
  Box box;
  for (std::uint64_t g = 0; g <= period; ++g) {
    if (const auto now = evolution.bounding_box())
      box = unite(box, later(*now, velocity(by, period), -static_cast<double>(g)));
    evolution.step();
  }
  return box;
}

// Whether two that move differently come near each other after so many generations in which they did not.
// Boxes that overlap and move apart have been as near before.
bool meet(const MovingBox& a, const MovingBox& b, std::uint64_t generations) {
  const double ends = end_of_nearness(a, b);
  if (ends == 0) return false;
  const Vector by = velocity(a.displacement, a.period) - velocity(b.displacement, b.period);
  const Vector apart = {static_cast<double>(a.box.x + a.box.width / 2 - b.box.x - b.box.width / 2),
                        static_cast<double>(a.box.y + a.box.height / 2 - b.box.y - b.box.height / 2)};
  const bool overlap = distance(a.box, b.box) < object_reach;
  if (overlap && apart.x * by.x + apart.y * by.y > 0) return false;
  return ends > static_cast<double>(generations);
}

MovingBox moving_box(const Cycle& object) { return {object.swept(), object.displacement, object.period()}; }

}  // namespace

bool grows_for_ever(SearchContext& context, const WholePattern& pattern, const Growth& growth,
                    std::uint64_t generations) {
  const auto period = static_cast<double>(growth.period);
  const Vector of_core = velocity(growth.displacement, growth.period);
  const auto seen_from_core = [&](const Cycle& object) {
    return velocity(object.displacement, object.period()) - of_core;
  };
  std::vector<Path> core, emitted;
  for (const CellList& part : pattern.others)
    core.push_back({swept(context, part, growth.displacement, growth.period), {}, 0});
  for (const Cycle* object : pattern.recurring) {
    context.add_work(object->period());
    core.push_back({object->swept(), seen_from_core(*object), period});
  }
  for (const Cycle& object : growth.emitted)
    emitted.push_back(
        {object.swept().translated(Position{} - growth.displacement), seen_from_core(object), for_ever});
  // Objects of one velocity stay as they are to each other
  for (std::size_t i = 0; i < emitted.size(); ++i) {
    if (emitted[i].velocity == Vector()) return false;
    for (const Path& part : core) {
      if (part.velocity == emitted[i].velocity) continue;
      context.add_work(crossing_work);
      if (cross(emitted[i], part)) return false;
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (emitted[k].velocity != emitted[i].velocity && cross(emitted[i], emitted[k])) return false;
    }
  }
  for (const Cycle* object : pattern.leaving) {
    context.add_work(object->period());
    const Vector by = seen_from_core(*object);
    // An oscillator of another period that keeps its place has been beside the core in all their phases
    const bool stays = by == Vector() && std::lcm(object->period(), growth.period) <= generations;
    const Path path = {later(object->swept(), by, static_cast<double>(generations)), by, for_ever};
    for (const Path& part : core) {
      if (stays || (part.velocity == by && part.duration > 0)) continue;
      context.add_work(crossing_work);
      if (cross(path, part)) return false;
    }
    // What is emitted has gone on for all but the first period of those generations
    for (const Path& each : emitted) {
      context.add_work(crossing_work);
      if (each.velocity != by && cross(each, path, static_cast<double>(generations) - period)) return false;
    }
  }
  return true;
}

bool grow_for_ever(SearchContext& context, const SettledWorld& world, std::span<const CellList> cores,
                   std::span<const Growth> parts, std::uint64_t generations) {
  std::vector<MovingBox> boxes, objects;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    boxes.push_back({swept(context, cores[i], parts[i].displacement, parts[i].period), parts[i].displacement,
                     parts[i].period});
    for (std::size_t k = 0; k < i; ++k) {
      if (meet(boxes[i], boxes[k], generations)) return false;
    }
  }
  for (const Cycle& object : world.objects) objects.push_back(moving_box(object));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const MovingBox& object : objects) {
      context.add_work(1);
      if (meet(boxes[i], object, generations)) return false;
    }
    for (const Cycle& each : parts[i].emitted) {
      if (!each.moves()) continue;
      // Where it would be now, as the others are: it is listed as it is at the end of a period
      const MovingBox box = {later(each.swept(), velocity(each.displacement, each.period()),
                                   -static_cast<double>(parts[i].period)),
                             each.displacement, each.period()};
      for (const MovingBox& object : objects) {
        context.add_work(1);
        if (relation(box, object) == Relation::meeting) return false;
      }
      for (std::size_t k = 0; k < parts.size(); ++k) {
        if (k != i && relation(box, boxes[k]) == Relation::meeting) return false;
      }
    }
  }
  return true;
}

}  // namespace moorea
