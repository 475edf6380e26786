// SPDX-License-Identifier: MIT
// Runs soups with the headers of lifelib (PyPI's python-lifelib) in the steps of apgsearch, for
// tools/race_census.py; a soup that does not settle by its number of live cells is not searched further.
// Usage: lifelib_soups ROOT SOUPS; prints soups per second, then count and apgcode of each kind of object.
#include <lifelib/classifier.h>
#include <lifelib/soup/hashsoup.h>
#include <lifelib/upattern.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace {

// Tiles of the size that apgsearch uses for each set of instructions
#ifdef __AVX512F__
using Plane = apg::upattern<apg::VTile44, 28, 44>;
using Ash = apg::incubator<56, 88>;
#else
using Plane = apg::upattern<apg::VTile28, 28, 28>;
using Ash = apg::incubator<56, 56>;
#endif
using Counts = std::map<std::string, std::int64_t>;

const char* const unsettled = "PATHOLOGICAL";
std::string without_name(apg::pattern) { return unsettled; }

// Advances until the number of live cells has been the same for long; returns generations that contain all
// periods of objects.
int settle(Plane& plane) {
  constexpr int max_steps = 1300, long_period = 1280;
  int equal = 0, before = 0;
  for (int step = 0; step < max_steps; ++step) {
    const int period = step < 500 ? 12 : step < 800 ? 30 : 24;
    const int sufficient = step < 40 ? 15 : step < 60 ? 20 : step < 80 ? 25 : 30;
    plane.advance(0, 0, period);
    if (plane.modified.empty()) return 2;
    const int now = plane.totalPopulation();
    equal = now == before ? equal + 1 : 0;
    before = now;
    if (equal == sufficient) return period;
  }
  return long_period;
}

class Census {
 public:
  Census() : tree_(400), classifier_(&tree_, "b3s23") {}

  void add(const std::string& soup) {
    Plane plane;
    auto cells = apg::hashsoup(soup, "C1");
    plane.insertPattern(cells);
    plane.extremal_mask = 15;  // gliders that fly away on any side are taken from the plane
    int duration = settle(plane);
    for (int attempt = 0, step = 120; plane.nonempty(); ++attempt) {
      const Counts found = objects(plane, duration, attempt);
      const bool is_certain = std::none_of(found.begin(), found.end(), [&](const auto& object) {
        return object.first == unsettled || (attempt < 3 && object.first[0] == 'z');
      });
      if (is_certain || attempt == 5) {
        for (const auto& [code, count] : found) counts_[code] += count;
        return;
      }
      plane.clearHistory();
      plane.decache();
      plane.advance(0, 0, step);
      step *= 4;
      duration = std::min(2 * step, 7680);
    }
  }

  const Counts& counts() const { return counts_; }

 private:
  Counts objects(Plane& plane, int duration, int attempt) {
    Counts found;
    classifier_.gmax = 1024 << (2 * attempt);
    plane.decache();
    plane.advance(0, 1, duration);
    Ash ash;
    apg::copycells(&plane, &ash);
    classifier_.deeppurge(found, ash, &without_name, true, true);
    apg::bitworld gliders;
    ash.to_bitworld(gliders, 0);
    found["xq4_153"] += gliders.population() / 5 + plane.glider_count;
    return found;
  }

  apg::lifetree<std::uint32_t, 1> tree_;
  apg::base_classifier<1> classifier_;
  Counts counts_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const long soups = std::atol(arguments[2]);
  Census census;
  const auto start = std::chrono::steady_clock::now();
  for (long soup = 0; soup < soups; ++soup) census.add(arguments[1] + std::to_string(soup));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%.1f\n", static_cast<double>(soups) / seconds.count());
  for (const auto& [code, objects] : census.counts()) {
    if (objects > 0 && code != "xs0_0")
      std::printf("%lld %s\n", static_cast<long long>(objects), code.c_str());
  }
}
