// SPDX-License-Identifier: MIT
// Runs soups of C1 with the headers of lifelib (PyPI's python-lifelib) on one thread, for
// tools/race_census.py. A soup counts as settled when its population, looked at every STEP generations, has
// been the same for FIRST generations and PERCENT of its age. Usage: lifelib_soups ROOT SOUPS STEP FIRST
// PERCENT; prints count and apgcode of each kind.
#include <lifelib/classifier.h>
#include <lifelib/soup/hashsoup.h>
#include <lifelib/upattern.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace {

#ifdef __AVX512F__
constexpr int tile_rows = 44;  // the larger tiles of lifelib
#else
constexpr int tile_rows = 28;
#endif
using Plane = apg::upattern<apg::VTile<tile_rows>, 28, tile_rows>;
using Ash = apg::incubator<56, 2 * tile_rows>;
using Counts = std::map<std::string, std::int64_t>;

constexpr int life = 0, without_history = 0, with_history = 1;  // as arguments of advance()
constexpr int max_generations = 30000, all_sides = 15, max_searches = 4;
constexpr int common_period = 30;  // a multiple of the periods of frequent oscillators, 2, 3 and 15
const char* const unknown = "PATHOLOGICAL";

std::string without_name(apg::pattern) { return unknown; }

class Census {
 public:
  Census(int step, int first, int percent)
      : step_(step), first_(first), percent_(percent), tree_(400), classifier_(&tree_, "b3s23") {}

  void add(const std::string& soup) {
    Plane plane;
    auto cells = apg::hashsoup(soup, "C1");
    plane.insertPattern(cells);
    plane.extremal_mask = all_sides;  // on which gliders that fly away are counted and removed
    settle(plane);
    Counts found;
    for (int search = 0; search < max_searches && plane.nonempty(); ++search) {
      classifier_.gmax = 128 << 3 * search;  // longest period; it is slow to say that there is none
      found = objects(plane);
      if (!has_unknown(found)) break;
      plane.clearHistory();
      plane.decache();
      plane.advance(life, without_history, 1200);
    }
    for (const auto& [code, count] : found) counts_[code] += count;
    counts_["xq4_153"] += plane.glider_count;
  }

  const Counts& counts() const { return counts_; }

 private:
  void settle(Plane& plane) const {
    int population = -1, equal = 0;
    for (int generation = 0; generation < max_generations && equal < first_ + generation * percent_ / 100;
         generation += step_) {
      plane.advance(life, without_history, step_);
      if (plane.modified.empty()) return;  // all of it has a period of one or two
      const int now = plane.totalPopulation();
      equal = now == population ? equal + step_ : 0;
      population = now;
    }
  }

  Counts objects(Plane& plane) {
    const int generations = plane.modified.empty() ? 2 : common_period;
    plane.decache();
    plane.advance(life, with_history, generations);
    Ash ash;
    apg::copycells(&plane, &ash);
    Counts found;
    classifier_.deeppurge(found, ash, &without_name, true, false);
    return found;
  }

  static bool has_unknown(const Counts& found) {
    for (const auto& [code, count] : found) {
      if (code == unknown || code[0] == 'z') return true;
    }
    return false;
  }

  int step_, first_, percent_;
  apg::lifetree<std::uint32_t, 1> tree_;
  apg::classifier classifier_;
  Counts counts_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 6) {
    std::fprintf(stderr, "usage: lifelib_soups ROOT SOUPS STEP FIRST PERCENT\n");
    return 2;
  }
  const std::string root = arguments[1];
  const long soups = std::atol(arguments[2]);
  Census census(std::atoi(arguments[3]), std::atoi(arguments[4]), std::atoi(arguments[5]));
  for (long soup = 0; soup < soups; ++soup) census.add(root + std::to_string(soup));
  for (const auto& [objects, number] : census.counts())
    std::printf("%lld %s\n", static_cast<long long>(number), objects.c_str());
}
