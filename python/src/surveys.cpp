// SPDX-License-Identifier: MIT
// Surveys: a thread computes records, which the Python thread takes in parts as columns. That thread waits
// for them and therefore handles signals meanwhile; it may take its time: the survey waits when many are
// ready.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "ensembles.h"

namespace moorea::python {
namespace {

class SurveyRun {
 public:
  SurveyRun(EnsembleSpec spec, SurveyOptions options, std::size_t max_ready)
      : spec_(std::move(spec)), options_(std::move(options)), max_ready_(max_ready) {
    check_survey(spec_, options_);
    thread_ = std::thread([this] { run(); });
  }
  SurveyRun(const SurveyRun&) = delete;
  SurveyRun& operator=(const SurveyRun&) = delete;
  ~SurveyRun() { stop(); }

  /// Ends the survey; the records that are ready stay.
  void stop() {
    {
      const std::lock_guard lock(guard_);
      stopped_ = true;
      taken_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
  }

  /// Waits up to `seconds` for `count` records, or for the end. Throws what the survey threw, and what a
  /// signal handler raises.
  void wait(std::size_t count, double seconds) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds signal_interval{20};
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    std::unique_lock lock(guard_);
    while (!finished_ && records_.size() < count && Clock::now() < end) {
      added_.wait_for(lock, signal_interval);
      lock.unlock();
      no_signal();
      lock.lock();
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, {}));
  }

  std::vector<WorldRecord> take(std::size_t count) {
    const std::lock_guard lock(guard_);
    const auto end = records_.begin() + static_cast<std::ptrdiff_t>(std::min(count, records_.size()));
    std::vector<WorldRecord> part(records_.begin(), end);
    records_.erase(records_.begin(), end);
    taken_.notify_all();
    return part;
  }

  std::size_t ready() {
    const std::lock_guard lock(guard_);
    return records_.size();
  }
  bool finished() {
    const std::lock_guard lock(guard_);
    return finished_;
  }
  SurveyTotals totals() {
    const std::lock_guard lock(guard_);
    return totals_;
  }
  const EnsembleSpec& spec() const { return spec_; }

 private:
  void run() {
    try {
      survey(
          spec_, options_, [this](std::span<const WorldRecord> records) { return receive(records); },
          [this](const SurveyTotals& totals) {
            const std::lock_guard lock(guard_);
            totals_ = totals;
            return !stopped_;
          });
    } catch (...) {
      const std::lock_guard lock(guard_);
      failure_ = std::current_exception();
    }
    const std::lock_guard lock(guard_);
    finished_ = true;
    added_.notify_all();
  }

  bool receive(std::span<const WorldRecord> records) {
    std::unique_lock lock(guard_);
    taken_.wait(lock, [this] { return stopped_ || records_.size() < max_ready_; });
    records_.insert(records_.end(), records.begin(), records.end());
    added_.notify_all();
    return !stopped_;
  }

  EnsembleSpec spec_;
  SurveyOptions options_;
  std::size_t max_ready_;
  std::mutex guard_;
  std::condition_variable added_, taken_;
  std::deque<WorldRecord> records_;
  SurveyTotals totals_;
  bool stopped_ = false, finished_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

SurveyOptions survey_options(const nb::dict& named, const Place& place) {
  SurveyOptions options;
  options.generations = given<std::uint64_t>(named, "generations");
  options.until_periodic = given<bool>(named, "until_periodic");
  options.period = given<bool>(named, "period");
  options.max_period = given<std::uint32_t>(named, "max_period");
  options.changed = given<bool>(named, "changed");
  options.first = given<std::uint64_t>(named, "first");
  options.engine = options_of(place);
  return options;
}

SurveyRun* begin(const Groups& groups, const std::string& topology, const Shape& shape, const Noise& noise,
                 const nb::dict& named, const Place& place, std::size_t max_ready) {
  const EnsembleSpec spec = spec_of(groups, topology, shape, noise);
  const SurveyOptions options = survey_options(named, place);
  const WithoutGil free;
  return new SurveyRun(spec, options, max_ready);
}

// Index of the rule of each world, which are asked for in ascending order.
class RuleIndex {
 public:
  explicit RuleIndex(const EnsembleSpec& spec) : spec_(spec) {}
  std::uint64_t operator()(std::uint64_t world) {
    while (world >= first_ + spec_.groups[index_].worlds) first_ += spec_.groups[index_++].worlds;
    return index_;
  }

 private:
  const EnsembleSpec& spec_;
  std::uint64_t index_ = 0, first_ = 0;
};

template <class Value, class Get>
nb::object column(const std::vector<WorldRecord>& records, const Get& get) {
  std::vector<Value> values;
  values.reserve(records.size());
  for (const WorldRecord& each : records) values.push_back(static_cast<Value>(get(each)));
  const std::size_t number = values.size();
  return array_of(std::move(values), {number});
}

// The columns that have this name: one, or the four of "box".
void add_columns(nb::dict& columns, const std::string& name, const std::vector<WorldRecord>& records,
                 const EnsembleSpec& spec) {
  using u64 = std::uint64_t;
  const auto box = [](const WorldRecord& r) { return r.bounding_box.value_or(Box{}); };
  if (name == "world") columns["world"] = column<u64>(records, [](const WorldRecord& r) { return r.world; });
  if (name == "rule") {
    RuleIndex rule_of(spec);
    columns["rule"] = column<u64>(records, [&](const WorldRecord& r) { return rule_of(r.world); });
  }
  if (name == "seed") {
    columns["seed"] =
        column<u64>(records, [&](const WorldRecord& r) { return world_seed(spec.seed, r.world); });
  }
  if (name == "generation")
    columns["generation"] = column<u64>(records, [](const WorldRecord& r) { return r.generation; });
  if (name == "population")
    columns["population"] = column<u64>(records, [](const WorldRecord& r) { return r.population; });
  if (name == "hash") columns["hash"] = column<u64>(records, [](const WorldRecord& r) { return r.hash; });
  if (name == "changed")
    columns["changed"] = column<u64>(records, [](const WorldRecord& r) { return r.changed.value_or(0); });
  if (name == "box") {
    columns["x"] = column<std::int64_t>(records, [&](const WorldRecord& r) { return box(r).x; });
    columns["y"] = column<std::int64_t>(records, [&](const WorldRecord& r) { return box(r).y; });
    columns["width"] = column<std::int64_t>(records, [&](const WorldRecord& r) { return box(r).width; });
    columns["height"] = column<std::int64_t>(records, [&](const WorldRecord& r) { return box(r).height; });
  }
  if (name == "period") {
    columns["period"] = column<u64>(records, [](const WorldRecord& r) { return r.period; });
    columns["period_generation"] =
        column<u64>(records, [](const WorldRecord& r) { return r.period_generation.value_or(0); });
  }
}

nb::dict take(SurveyRun& run, std::size_t count, const std::vector<std::string>& names) {
  std::vector<WorldRecord> records;
  {
    const WithoutGil free;
    records = run.take(count);
  }
  nb::dict columns;
  for (const std::string& name : names) add_columns(columns, name, records, run.spec());
  return columns;
}

}  // namespace

void bind_surveys(nb::module_& module) {
  module.def("period_search_interval", &period_search_interval, nb::arg("max_period"));
  nb::class_<SurveyRun>(module, "SurveyRun")
      .def_static("begin", &begin, nb::arg("groups"), nb::arg("topology"), nb::arg("shape"), nb::arg("noise"),
                  nb::arg("options"), nb::arg("place"), nb::arg("max_ready"),
                  nb::sig("def begin(groups: collections.abc.Sequence[tuple[Rule, int]], topology: str, "
                          "shape: tuple[int, int], noise: tuple[float, int], options: dict[str, object], "
                          "place: tuple[str, str, int], max_ready: int) -> SurveyRun"))
      .def("wait", &SurveyRun::wait, nb::arg("count"), nb::arg("seconds"), nb::call_guard<WithoutGil>())
      .def("take", &take, nb::arg("count"), nb::arg("names"),
           nb::sig("def take(self, count: int, names: collections.abc.Sequence[str]) -> dict[str, "
                   "numpy.typing.NDArray[typing.Any]]"))
      .def("stop", &SurveyRun::stop, nb::call_guard<WithoutGil>())
      .def_prop_ro("ready", &SurveyRun::ready)
      .def_prop_ro("finished", &SurveyRun::finished)
      .def_prop_ro("worlds", [](SurveyRun& run) { return run.totals().worlds; });
}

}  // namespace moorea::python
