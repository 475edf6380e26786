// SPDX-License-Identifier: MIT
// Censuses: soups run until they settle, and their objects are counted by apgcode.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "moorea/pattern.h"
#include "moorea/rule.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Names of the symmetries of soups: "C1", which has none, "D2_x" and so on, as in apgsearch.
std::vector<std::string> soup_symmetries();

/// The soup of a text, as apgsearch makes it: bit i of the SHA-256 digest of the text, the highest bit of a
/// byte first, is the cell in column i % 16 and row i / 16; the symmetry completes them. Soup N of a census
/// is that of its root, followed by N in decimal digits. Throws Error (usage) for an unknown symmetry.
Pattern soup_pattern(std::string_view text, std::string_view symmetry, const Rule& rule);

/// Objects of one apgcode.
struct CensusEntry {
  std::uint64_t count = 0;
  std::vector<std::uint64_t> soups;  ///< the first soups that have one, at most max_sample_soups
};
constexpr std::size_t max_sample_soups = 10;

/// Results of consecutive soups.
struct Haul {
  std::uint64_t soups = 0;
  std::map<std::string, CensusEntry> objects;  ///< by apgcode, or by one of the codes below

  std::uint64_t object_count() const;
  /// Adds the results of the soups that follow.
  void add(const Haul& next);

  using Object = std::pair<const std::string, CensusEntry>;
  /// All objects, the most frequent ones first, and equally frequent ones by code. Valid until the haul
  /// changes.
  std::vector<const Object*> by_count() const;
};

/// Soups in which a gun, rake or puffer was recognised count once under Identification::apgcode, and their
/// other objects do not count. Those for which that is empty count under this code and the period:
/// "zz_LINEAR_384".
constexpr std::string_view linear_code = "zz_LINEAR_";
/// Soups that do not settle within CensusSpec::max_generations count once under this code.
constexpr std::string_view unsettled_code = "PATHOLOGICAL";
/// Soups that leave CensusSpec::reach count once under this code, and their objects do not count.
constexpr std::string_view cut_off_code = "zz_CUT_OFF";
/// Objects that are larger than 40 x 40 cells in every phase, and have no apgcode.
constexpr std::string_view oversized_code = "oversized";

/// Possible numbers of columns and rows of CensusSpec::reach: multiples of reach_step.
constexpr std::int64_t min_reach = 64, max_reach = 1024, reach_step = 16;

struct CensusSpec {
  Rule rule;  ///< isotropic, without B0
  std::string symmetry = "C1";
  std::string root = "moorea";
  std::uint64_t first = 0;                  ///< number of the first soup
  std::uint64_t soups = 0;                  ///< number of soups
  std::uint64_t max_generations = 100'000;  ///< of a soup
  /// 0, or the columns and rows in the middle of the plane beyond which soups are cut off: those of which at
  /// a multiple of eight generations anything but spaceships is outside that are never larger than 8 x 8
  /// cells, fly outwards and do not meet, or in the end an oscillator of a period above two is there in
  /// some phase. The objects of all others are those on an unbounded plane.
  std::int64_t reach = 0;
  int threads = 0;  ///< 0: all CPUs available to this process
  /// "cpu", "cuda" or a CUDA device of list_devices(), which advances the soups that the threads examine.
  std::string device = "cpu";
};

/// Throws what take_census() throws before the first soup: Error (usage) for a rule that is not isotropic or
/// has B0, an unknown symmetry or device, an impossible reach, a negative number of threads, or soups with
/// numbers above 2^63; Error (unavailable) for a device that is not here.
void check_census(const CensusSpec& spec);

/// Runs each soup on an unbounded plane until it is certain that it consists of still lifes, oscillators and
/// spaceships that never meet, and counts them: the result is exact, but for the chance of 10^-20 that two of
/// 10^9 clusters of more than 8 x 8 cells have the same hash. It does not depend on the number of threads; on
/// the device only if a soup settles shortly before the limit of generations. `add` gets the results in the
/// order of the soups, up to 4096 at a time; `go_on` is called about every 20 ms. Both are called by the
/// calling thread. If `go_on` returns false, soups that are under way are finished, for at most five seconds,
/// and the function returns after the soups that are complete. Throws what check_census() does, Error
/// (usage) without `add`, and Error (memory).
void take_census(const CensusSpec& spec, const std::function<void(const Haul& next)>& add,
                 const std::function<bool()>& go_on = {});

/// Text of a haul in the format of apgsearch.
std::string haul_text(const Haul& haul, const CensusSpec& spec);

/// A haul and the census to which it belongs.
struct SavedHaul {
  Haul haul;
  std::string rule, symmetry, root;
  std::int64_t reach = 0;
};
/// Reads what haul_text() has written. Throws Error (run) with the line of a mistake; `source` is for
/// messages.
SavedHaul read_haul(std::string_view text, std::string_view source);

/// Live cells of an object by its apgcode: of a still life, an oscillator or a spaceship, in the phase and
/// orientation of the code. Throws Error (usage) for other texts, and for a still life whose cells are not as
/// many as its code says; that the cells are an object under the rule is not checked.
Pattern apgcode_pattern(std::string_view apgcode, const Rule& rule);

}  // namespace moorea
#pragma GCC visibility pop
