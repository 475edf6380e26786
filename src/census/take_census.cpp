// SPDX-License-Identifier: MIT
// Threads run batches of consecutive soups. Results are added in the order of the batches, so that what has
// been added is always that of the first soups: a census can continue from there. Batches are small at first,
// so that a short census of slow soups shows its progress, and the soups that a batch has complete from its
// first one on count when a census is interrupted.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "census/gpu_soup_stream.h"
#include "census/soup.h"
#include "census/soup_run.h"
#include "devices/cpu/threads.h"
#include "ensembles/lane_kernel.h"
#include "moorea/census.h"
#include "moorea/error.h"
#include "moorea/support/nine_cells.h"

namespace moorea {
namespace {

constexpr std::uint64_t min_batch = 32, max_batch = 4096;  // soups
// Soups that a GPU runs at the same time, of all threads, of which a longer census has more, because they
// take longer to begin and to end; the same of one thread; and generations after which it leaves them to the
// CPU
constexpr std::uint64_t min_gpu_soups = 1 << 16, max_gpu_soups = 1 << 18, min_of_thread = 256,
                        max_of_thread = 16384, max_gpu_generations = 20'000;
static_assert(max_of_thread / 2 < UINT16_MAX, "the number of a SoupResult's cells");

void add_sample(CensusEntry& entry, std::uint64_t soup) {
  if (entry.soups.empty()) entry.soups.reserve(max_sample_soups);
  if (entry.soups.size() < max_sample_soups && (entry.soups.empty() || entry.soups.back() != soup))
    entry.soups.push_back(soup);
}

// Entries by code, of which a batch has few of very many.
class EntriesByCode {
 public:
  CensusEntry& operator[](std::uint32_t code) {
    if (code >= places_.size()) places_.resize(2 * std::size_t{code} + 1, none);
    std::uint32_t& place = places_[code];
    if (place == none) {
      place = static_cast<std::uint32_t>(entries_.size());
      entries_.push_back({code, {}});
    }
    return entries_[place].second;
  }

  /// Those since the last call.
  std::map<std::string, CensusEntry> take(const Catalogue& catalogue) {
    std::map<std::string, CensusEntry> all;
    for (auto& [code, entry] : entries_) {
      places_[code] = none;
      all.emplace(catalogue.code(code), std::move(entry));
    }
    entries_.clear();
    return all;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  std::vector<std::uint32_t> places_;
  std::vector<std::pair<std::uint32_t, CensusEntry>> entries_;
};

class CensusTeam {
 public:
  CensusTeam(const CensusSpec& spec, std::optional<int> gpu, int threads)
      : spec_(spec),
        gpu_(gpu),
        threads_(threads),
        end_(spec.first + spec.soups),
        next_(spec.first),
        expected_(spec.first) {
    if (!gpu_) return;
    table_ = std::make_shared<SharedClusterTable>(shared_, make_gpu_soup_tables(*gpu_));
    // Kernels for all squares, at the same time. A failure is that of the thread that needs one
    for (const std::int64_t size : gpu_soup_sizes)
      compilations_.push_back(
          std::async(std::launch::async, compile_gpu_soups, *gpu_, spec_.rule, size, spec_.reach));
  }

  void run(const std::function<void(const Haul& next)>& add, const std::function<bool()>& go_on) {
    std::vector<std::thread> team;
    try {
      for (int i = 0; i < threads_; ++i) team.emplace_back([this] { work(); });
      collect(add, go_on);
    } catch (...) {
      stop(team);
      throw;
    }
    stop(team);
    for (const Haul& haul : take_ready()) add(haul);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  static constexpr std::chrono::milliseconds interval{20};  // between two calls of go_on
  static constexpr std::size_t max_waiting = 4096;          // batches ahead of one that takes long
  static constexpr std::chrono::seconds time_to_finish{5};  // for soups that are under way at the end

  struct Range {
    std::uint64_t first, end;
  };
  // Objects of all soups are in one list, because threads that reserve memory for each soup wait for each
  // other.
  struct OpenBatch {
    struct Soup {
      std::size_t first = 0, count = 0;  // of its objects in the list
      bool is_complete = false;
    };
    std::vector<Soup> soups;
    std::vector<CountedObject> objects;
    std::size_t complete = 0;

    void begin(std::uint64_t count) {
      soups.assign(count, {});
      objects.clear();
      complete = 0;
    }
  };

  void stop(std::vector<std::thread>& team) {
    {
      const std::lock_guard lock(guard_);
      stopped_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : team) thread.join();
  }

  // The work of one thread.
  void work() try {
    GpuSoupStream::Calls calls;
    std::uint64_t next = 0, end = 0;
    std::map<std::uint64_t, OpenBatch> open;
    std::vector<OpenBatch> unused;  // their memory is reserved
    const Catalogue* catalogue = nullptr;
    EntriesByCode entries;
    calls.next = [&]() -> std::optional<std::uint64_t> {
      if (next == end) {
        // Does not wait for other threads while they may wait for this one
        const std::optional<Range> claimed = claim(open.empty());
        if (!claimed) return std::nullopt;
        next = claimed->first;
        end = claimed->end;
        OpenBatch& batch = open[next];
        if (!unused.empty()) {
          batch = std::move(unused.back());
          unused.pop_back();
        }
        batch.begin(end - next);
      }
      return next++;
    };
    calls.state = [this](std::uint64_t soup) {
      SoupState state{soup_cells(name_of(soup), spec_.symmetry)};
      if (spec_.reach > 0) state.reach = middle_of_soup(state.cells, spec_.symmetry, spec_.reach);
      return state;
    };
    calls.reach = spec_.reach;
    calls.rows = [this](std::uint64_t soup, std::span<std::uint64_t> rows) {
      return put_soup_in_rows(name_of(soup), spec_.symmetry, rows);
    };
    if (gpu_) calls.names = soup_names(spec_.root, spec_.symmetry);
    calls.complete = [&](std::uint64_t soup, const SoupObjects& objects) {
      const auto found = std::prev(open.upper_bound(soup));
      OpenBatch& batch = found->second;
      batch.soups[soup - found->first] = {batch.objects.size(), objects.size(), true};
      batch.objects.insert(batch.objects.end(), objects.begin(), objects.end());
      if (++batch.complete < batch.soups.size()) return;
      deliver(found->first, haul_of(found->first, batch, *catalogue, entries));
      unused.push_back(std::move(batch));
      open.erase(found);
    };
    calls.go_on = [this] { return !stopped_; };
    const auto run_all = [&](auto& runner, const auto& run) {
      catalogue = &runner.catalogue();
      try {
        while (has_more()) run();
      } catch (const SearchStopped&) {
      }
      for (const auto& [first, batch] : open) deliver(first, haul_of(first, batch, *catalogue, entries));
    };
    if (gpu_) {
      // Soups of several batches are under way at the same time
      GpuSoupStream stream(
          spec_.rule, spec_.max_generations, [&](std::int64_t size) { return gpu_soups_of(size); }, calls,
          table_);
      run_all(stream, [&] { stream.run(); });
    } else {
      SoupRun soups(spec_.rule, spec_.max_generations, calls.go_on, shared_);
      run_all(soups, [&] {
        while (const std::optional<std::uint64_t> soup = calls.next())
          calls.complete(*soup, run(soups, calls, *soup));
      });
    }
  } catch (...) {
    const std::lock_guard lock(guard_);
    error_ = std::current_exception();
    stopped_ = true;
    changed_.notify_all();
  }

  std::string name_of(std::uint64_t soup) const { return spec_.root + std::to_string(soup); }

  // Soups without a symmetry are not made into lists of cells.
  const SoupObjects& run(SoupRun& soups, const GpuSoupStream::Calls& calls, std::uint64_t soup) const {
    if (spec_.symmetry != plain_symmetry) return soups.run(calls.state(soup));
    std::array<std::uint64_t, plain_side> rows{};
    put_soup_in_rows(name_of(soup), spec_.symmetry, rows);
    const Box reach = spec_.reach > 0 ? middle_of_soup({}, spec_.symmetry, spec_.reach) : Box{};
    return soups.run({rows, {}, plain_side, reach}, [&] { return calls.state(soup); });
  }

  // Fewer if the census is short, or squares are large: a fifth of all soups needs more than the smallest
  // ones, and of these a tenth more than the next ones.
  std::unique_ptr<GpuSoups> gpu_soups_of(std::int64_t size) const {
    const std::uint64_t all = std::min(spec_.soups / 4,
                                       std::clamp(spec_.soups / 64, min_gpu_soups, max_gpu_soups)),
                        share = all / static_cast<std::uint64_t>(threads_),
                        smallest = std::clamp(share, min_of_thread, max_of_thread);
    GpuSoupsSpec gpu;
    gpu.rule = spec_.rule;
    gpu.size = size;
    gpu.max_generations = std::min(spec_.max_generations, max_gpu_generations);
    gpu.max_soups = size == 128 ? smallest : size == 256 ? smallest / 4 : smallest / 16;
    gpu.max_boards = gpu.max_soups / 2;
    gpu.reach = spec_.reach;
    return make_gpu_soups(*gpu_, gpu);
  }

  bool has_more() {
    const std::lock_guard lock(guard_);
    return !stopped_ && next_ < end_;
  }

  std::optional<Range> claim(bool waits) {
    std::unique_lock lock(guard_);
    const auto may_claim = [&] { return stopped_ || complete_.size() < max_waiting; };
    if (waits) changed_.wait(lock, may_claim);
    if (!may_claim() || stopped_ || next_ >= end_) return std::nullopt;
    const std::uint64_t first = next_, share = 8 * static_cast<std::uint64_t>(threads_),
                        batch = std::clamp((first - spec_.first) / share, min_batch, max_batch);
    next_ = std::min(end_.load(), first + batch);
    return Range{first, next_};
  }

  void deliver(std::uint64_t first, Haul haul) {
    const std::lock_guard lock(guard_);
    complete_.emplace(first, std::move(haul));
    changed_.notify_all();
  }

  // The haul of the soups that are complete from the first one on.
  static Haul haul_of(std::uint64_t first, const OpenBatch& batch, const Catalogue& catalogue,
                      EntriesByCode& entries) {
    Haul haul;
    for (const OpenBatch::Soup& soup : batch.soups) {
      if (!soup.is_complete) break;
      for (const CountedObject& object : std::span(batch.objects).subspan(soup.first, soup.count)) {
        CensusEntry& entry = entries[object.code];
        entry.count += object.count;
        add_sample(entry, first + haul.soups);
      }
      ++haul.soups;
    }
    haul.objects = entries.take(catalogue);
    return haul;
  }

  // By the caller's thread.
  void collect(const std::function<void(const Haul& next)>& add, const std::function<bool()>& go_on) {
    std::optional<std::chrono::steady_clock::time_point> deadline;
    while (expected_ < end_ && !stopped_ && !(deadline && std::chrono::steady_clock::now() > *deadline)) {
      {
        std::unique_lock lock(guard_);
        changed_.wait_for(lock, interval, [&] { return stopped_ || complete_.contains(expected_); });
      }
      for (const Haul& haul : take_ready()) add(haul);
      if (!deadline && go_on && !go_on()) {
        const std::lock_guard lock(guard_);
        end_ = next_;
        deadline = std::chrono::steady_clock::now() + time_to_finish;
      }
    }
  }

  // Hauls that continue the soups that have been taken. Part of a batch is the last one.
  std::vector<Haul> take_ready() {
    const std::lock_guard lock(guard_);
    std::vector<Haul> ready;
    for (auto found = complete_.find(expected_); found != complete_.end();
         found = complete_.find(expected_)) {
      ready.push_back(std::move(found->second));
      complete_.erase(found);
      if (ready.back().soups == 0) break;
      expected_ += ready.back().soups;
    }
    changed_.notify_all();
    return ready;
  }

  const CensusSpec& spec_;
  std::optional<int> gpu_;
  int threads_;
  std::shared_ptr<SharedCatalogue> shared_ = std::make_shared<SharedCatalogue>();
  std::shared_ptr<SharedClusterTable> table_;    // if a GPU runs soups
  std::vector<std::future<void>> compilations_;  // of kernels; their end is waited for
  std::atomic<std::uint64_t> end_;               // no soups from here on are begun
  std::mutex guard_;
  std::condition_variable changed_;
  std::uint64_t next_;
  std::uint64_t expected_;                  // soup that follows those that were taken
  std::map<std::uint64_t, Haul> complete_;  // by first soup: those that are not added yet
  std::exception_ptr error_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace

std::uint64_t Haul::object_count() const {
  std::uint64_t sum = 0;
  for (const auto& [code, entry] : objects) sum += entry.count;
  return sum;
}

void Haul::add(const Haul& next) {
  soups += next.soups;
  for (const auto& [code, entry] : next.objects) {
    CensusEntry& mine = objects[code];
    mine.count += entry.count;
    for (const std::uint64_t soup : entry.soups) add_sample(mine, soup);
  }
}

void check_census(const CensusSpec& spec) {
  require_nine_cells(spec.rule, "a census");
  if (!spec.rule.is_isotropic()) {
    throw Error(
        fmt::format(
            "a census needs a rule for which rotations and reflections do not matter, such as B3/S23 or "
            "B2-a/S12: an apgcode is that of an object in any orientation; {} is another one",
            spec.rule.str()),
        ErrorKind::usage);
  }
  if (spec.rule.births_from_nothing())
    throw Error(
        "a census needs a rule without B0: soups on a plane that becomes alive everywhere have no objects",
        ErrorKind::usage);
  if (spec.root.empty() || spec.root.find_first_of("\r\n") != std::string::npos)
    throw Error("the root of soups' names is a line of text, which hauls name", ErrorKind::usage);
  soup_cells(spec.root, spec.symmetry);
  gpu_named(spec.device, "soups");  // throws
  if (spec.threads < 0)
    throw Error(fmt::format("{} threads: expected 0, for all CPUs, or more", spec.threads), ErrorKind::usage);
  if (spec.reach != 0 && (spec.reach < min_reach || spec.reach > max_reach || spec.reach % reach_step != 0))
    throw Error(
        fmt::format("a reach of {} columns and rows: expected a multiple of {} from {} to {}, or 0 for "
                    "an unbounded plane",
                    spec.reach, reach_step, min_reach, max_reach),
        ErrorKind::usage);
  constexpr std::uint64_t max_soup = std::uint64_t{1} << 63;
  if (spec.first > max_soup || spec.soups > max_soup - spec.first)
    throw Error("numbers of soups above 2^63", ErrorKind::usage);
}

void take_census(const CensusSpec& spec, const std::function<void(const Haul& next)>& add,
                 const std::function<bool()>& go_on) {
  check_census(spec);
  if (!add) throw Error("a census needs a function that receives its results", ErrorKind::usage);
  const std::optional<int> gpu = gpu_named(spec.device, "soups");
  const auto threads = static_cast<std::uint64_t>(spec.threads > 0 ? spec.threads : usable_threads());
  const std::uint64_t batches = (spec.soups + min_batch - 1) / min_batch;
  CensusTeam(spec, gpu, static_cast<int>(std::clamp<std::uint64_t>(batches, 1, threads))).run(add, go_on);
}

}  // namespace moorea
