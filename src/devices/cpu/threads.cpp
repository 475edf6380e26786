// SPDX-License-Identifier: MIT
#include "devices/cpu/threads.h"

#include <fmt/core.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>

#include "model/control_groups.h"
#include "moorea/error.h"

namespace moorea {
namespace {

using Clock = std::chrono::steady_clock;

// Time that a thread spins before it sleeps. The budget doubles after a wait that max_spin would have covered
// and halves after a longer one: a futex wake-up costs more than many waits, but a descheduled thread of the
// team needs this CPU. All of it is shorter than a scheduler's time slice. If the thread that was waited for
// ran on the waiting thread's CPU, the spinning itself was the delay, and the next wait sleeps at once.
constexpr std::chrono::microseconds min_spin{50}, max_spin{800};
thread_local std::chrono::nanoseconds spin_budget = min_spin;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

// Minimum of the CPUs that this process may run on and the CPU time that its control groups grant; cached,
// because reading it takes longer than a team does.
int available_cpus() {
  static const int cpus = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    // Fails on machines of more than CPU_SETSIZE CPUs
    const int allowed = sched_getaffinity(0, sizeof set, &set) == 0
                            ? CPU_COUNT(&set)
                            : static_cast<int>(std::thread::hardware_concurrency());
    const double granted = control_group_cpus();
    return std::max(granted < allowed ? static_cast<int>(granted) : allowed, 1);
  }();
  return cpus;
}

bool has_cpus_for(int threads) { return threads <= available_cpus(); }

// Returns the number that an environment variable begins with, as in OMP_NUM_THREADS=4,2; 0 if there is none.
int environment_number(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return 0;
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (end == text || (*end != '\0' && *end != ',' && std::isspace(static_cast<unsigned char>(*end)) == 0))
    return 0;
  return static_cast<int>(std::clamp<long>(number, 0, 1 << 16));
}

// Futexes instead of std::atomic::wait: that of libstdc++ yields the CPU several times before it sleeps, and
// each time Linux's scheduler charges the thread a whole time slice.
long futex(const std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
  static_assert(sizeof word == sizeof value && std::atomic<std::uint32_t>::is_always_lock_free);
  return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, nullptr, nullptr, 0);
}

}  // namespace

void Signal::set(std::uint32_t value) {
  value_.store(value);
  if (sleepers_.load() != 0) wake();
}

void Signal::count_down() {
  if (value_.fetch_sub(1) == 1 && sleepers_.load() != 0) wake();
}

void Signal::wake() {
  waker_cpu_.store(sched_getcpu(), std::memory_order_relaxed);
  futex(value_, FUTEX_WAKE, INT_MAX);
}

template <class Reached>
void Signal::wait_for(const Reached& reached, bool spins) const {
  if (reached(value())) return;
  if (!spins) {
    sleep_until(reached);
    return;
  }
  constexpr int looks = 64;  // polls between two readings of the clock
  const auto begin = Clock::now();
  while (Clock::now() < begin + spin_budget) {
    for (int i = 0; i < looks; ++i) {
      if (reached(value())) return;
      pause();
    }
  }
  const int cpu = sched_getcpu();
  const bool slept = sleep_until(reached);
  const auto waited = Clock::now() - begin;
  if (slept && waker_cpu_.load(std::memory_order_relaxed) == cpu) {
    spin_budget = {};
  } else if (waited < max_spin) {
    spin_budget = std::clamp<std::chrono::nanoseconds>(2 * spin_budget, min_spin, max_spin);
  } else {
    spin_budget = std::max<std::chrono::nanoseconds>(spin_budget / 2, min_spin);
  }
}

// No wake-up is lost: a writer changes the value and then reads the number of sleepers, a sleeper adds itself
// and then reads the value, all sequentially consistent, so at least one of the two sees the other; and a
// futex does not sleep if the value has changed.
template <class Reached>
bool Signal::sleep_until(const Reached& reached) const {
  bool slept = false;
  sleepers_.fetch_add(1);
  for (std::uint32_t now; !reached(now = value_.load());) slept = futex(value_, FUTEX_WAIT, now) == 0;
  sleepers_.fetch_sub(1);
  return slept;
}

namespace {
thread_local bool in_team = false;
}  // namespace

namespace detail {

// Threads of a team or crew other than the caller; they sleep between two teams. Those of a team start no
// teams of their own.
class Workers {
 public:
  explicit Workers(bool may_start_teams) : may_start_teams_(may_start_teams) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    body_ = nullptr;
    for (Worker& worker : workers_) start(worker);
    for (Worker& worker : workers_) worker.thread.join();
  }

  void run(int threads, detail::TeamBody body, void* context) {
    grow(threads);
    body_ = body;
    context_ = context;
    threads_ = threads;
    left_.set(static_cast<std::uint32_t>(threads - 1));
    for (int i = 0; i < threads - 1; ++i) start(workers_[i]);
    body(context, 0, threads);
    left_.wait_for([](std::uint32_t left) { return left == 0; }, has_cpus_for(threads));
  }

 private:
  struct Worker {
    Signal teams;  // number of teams that it was started for
    std::thread thread;
  };

  static void start(Worker& worker) { worker.teams.set(worker.teams.value() + 1); }

  void grow(int threads) {
    while (std::ssize(workers_) < threads - 1) {
      Worker& worker = workers_.emplace_back();
      const int number = static_cast<int>(std::ssize(workers_));
      try {
        worker.thread = std::thread([this, &worker, number] { work(worker, number); });
      } catch (const std::system_error& error) {
        workers_.pop_back();
        throw Error(
            fmt::format("the system does not start thread {} of {}: {}; choose fewer threads, or raise "
                        "the limit (ulimit -u)",
                        number + 1, threads, error.code().message()));
      }
    }
  }

  void work(Worker& worker, int number);

  bool may_start_teams_;
  std::deque<Worker> workers_;  // a deque keeps their addresses
  detail::TeamBody body_ = nullptr;
  void* context_ = nullptr;
  int threads_ = 1;
  Signal left_;  // threads that have not finished
};

void Workers::work(Worker& worker, int number) {
  in_team = !may_start_teams_;
  bool spins = true;
  for (std::uint32_t seen = 0;; ++seen) {
    worker.teams.wait_for([seen](std::uint32_t teams) { return teams != seen; }, spins);
    if (body_ == nullptr) return;
    const int threads = threads_;
    spins = has_cpus_for(threads);
    body_(context_, number, threads);
    // From here on the caller may write the arguments of its next team
    left_.count_down();
  }
}

}  // namespace detail

Crew::Crew(int members) : members_(members), others_(std::make_unique<detail::Workers>(true)) {}

Crew::~Crew() = default;

void Crew::run_all(detail::TeamBody body, void* context) {
  if (members_ == 1) {
    body(context, 0, 1);
  } else {
    others_->run(members_, body, context);
  }
}

int usable_threads() {
  const int asked = environment_number("OMP_NUM_THREADS"), limit = environment_number("OMP_THREAD_LIMIT");
  const int threads = asked > 0 ? asked : available_cpus();
  return limit > 0 ? std::min(threads, limit) : threads;
}

TileSchedule default_schedule() {
  const char* const said = std::getenv("OMP_SCHEDULE");
  if (said == nullptr) return {};
  std::string text;
  for (const char* c = said; *c != '\0'; ++c) {
    if (std::isspace(static_cast<unsigned char>(*c)) == 0)
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  }
  // "monotonic:dynamic,4": all schedules here are monotonic
  if (const std::size_t modifier = text.find(':'); modifier != std::string::npos) text.erase(0, modifier + 1);
  try {
    TileSchedule schedule = parse_schedule(text);
    // A chunk of 1 is the default of these
    if (schedule.kind != TileSchedule::Kind::fixed && schedule.chunk == 1) schedule.chunk = 0;
    return schedule;
  } catch (const Error&) {
    if (text.empty() || text == "auto") return {};
    throw Error(fmt::format("OMP_SCHEDULE=\"{}\": expected static, dynamic, guided or auto, and optionally a "
                            "chunk of tiles, as in dynamic,4; or choose a schedule in the program",
                            said),
                ErrorKind::usage);
  }
}

bool SharedLoop::next(int thread, int threads, std::int64_t taken, Range& range) {
  const std::int64_t chunk = std::max<std::int64_t>(schedule_.chunk, 1);
  switch (schedule_.kind) {
    case TileSchedule::Kind::fixed:
      if (schedule_.chunk == 0) {
        // Equal parts; the first ones have one iteration more
        const std::int64_t part = count_ / threads, rest = count_ % threads;
        range.first = part * thread + std::min<std::int64_t>(thread, rest);
        range.last = range.first + part + (thread < rest);
        return taken == 0 && range.first < range.last;
      }
      range.first = (taken * threads + thread) * chunk;
      range.last = std::min(range.first + chunk, count_);
      return range.first < count_;
    case TileSchedule::Kind::dynamic:
      range.first = given_.fetch_add(chunk, std::memory_order_relaxed);
      range.last = std::min(range.first + chunk, count_);
      return range.first < count_;
    case TileSchedule::Kind::guided:
      range.first = given_.load(std::memory_order_relaxed);
      do {
        if (range.first >= count_) return false;
        const std::int64_t left = count_ - range.first;
        range.last = range.first + std::min(std::max((left + threads - 1) / threads, chunk), left);
      } while (!given_.compare_exchange_weak(range.first, range.last, std::memory_order_relaxed));
      return true;
  }
  return false;
}

void Barrier::wait(int threads) {
  const std::uint32_t turn = turn_.value();
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<std::uint32_t>(threads)) {
    arrived_.store(0, std::memory_order_relaxed);
    turn_.set(turn + 1);
    return;
  }
  turn_.wait_for([turn](std::uint32_t now) { return now != turn; }, has_cpus_for(threads));
}

void Phases::next(int thread, int threads) {
  if (threads == 1) return;
  const auto at = [this](int i) -> Signal& { return done_[i]; };
  const std::uint32_t phase = at(thread).value() + 1;
  at(thread).set(phase);
  for (const int other : {(thread + 1) % threads, (thread + threads - 1) % threads}) {
    at(other).wait_for(
        [phase](std::uint32_t reached) { return static_cast<std::int32_t>(reached - phase) >= 0; },
        has_cpus_for(threads));
  }
}

int TeamSize::choose(double units, int max_threads) {
  constexpr double long_work = 0.01;  // seconds of one thread: several time slices
  constexpr double trials = 0.02;     // of the total time
  max_threads = std::min(max_threads, threads_);
  record_ = nullptr;
  if (max_threads < 2) return 1;
  if (units * seconds_a_unit_ > long_work) return max_threads;
  constexpr int last = std::tuple_size_v<decltype(records_)> - 1;
  record_ = &records_[std::clamp(std::ilogb(units), 0, last)];
  const bool all_is_faster = record_->all != 0 && record_->all < record_->one;
  bool may_try = lost_ <= trials * total_;
  if (may_try && !all_is_faster) may_try = has_idle_cpus(max_threads - 1);
  all_ = record_->one != 0 && all_is_faster != may_try;
  return all_ ? max_threads : 1;
}

// Polled at intervals, because reading the system's answer takes some microseconds. Drivers of other devices
// and what else is short may keep a few of many CPUs busy.
bool TeamSize::has_idle_cpus(int wanted) {
  constexpr double look_interval = 0.0005;  // seconds of work
  if (total_ < next_look_) return has_idle_cpus_;
  next_look_ = total_ + look_interval;
  has_idle_cpus_ = idle_cpus_() >= wanted - wanted / 4;
  return has_idle_cpus_;
}

void TeamSize::measured(double units, double seconds) {
  if (record_ == nullptr) return;
  const double cost = seconds / units;
  double& known = all_ ? record_->all : record_->one;
  const double other = all_ ? record_->one : record_->all;
  // A fast result counts completely, a slow one by half, since it may be accidental
  known = known == 0 || cost < known ? cost : (known + cost) / 2;
  total_ += seconds;
  if (other != 0) lost_ += std::max(seconds - units * other, 0.0);
}

namespace detail {

// Fourth field of /proc/loadavg: "0.20 0.18 0.12 1/80 11206" has one running thread, which is the caller.
int idle_cpus() {
  std::ifstream file("/proc/loadavg");
  double average = 0;
  int running = 0;
  file >> average >> average >> average >> running;
  return file ? static_cast<int>(std::thread::hardware_concurrency()) - running : 1 << 16;
}

namespace {
// Number of forks between the first process that used a team and this one.
std::uint32_t forks() {
  static std::atomic<std::uint32_t> number = 0;
  [[maybe_unused]] static const int registered =
      pthread_atfork(nullptr, nullptr, [] { number.fetch_add(1, std::memory_order_relaxed); });
  return number.load(std::memory_order_relaxed);
}
}  // namespace

void run_team(int threads, TeamBody body, void* context) {
  // A team started by a thread of a team has one thread, the default of OpenMP
  if (in_team) {
    body(context, 0, 1);
    return;
  }
  // A child process has none of its parent's threads: it abandons the workers that it has inherited
  static thread_local std::unique_ptr<Workers> workers;
  static thread_local std::uint32_t workers_process = 0;
  if (const std::uint32_t process = forks(); workers == nullptr || workers_process != process) {
    [[maybe_unused]] Workers* const inherited = workers.release();
    workers = std::make_unique<Workers>(false);
    workers_process = process;
  }
  in_team = true;
  try {
    workers->run(threads, body, context);
  } catch (...) {
    in_team = false;
    throw;
  }
  in_team = false;
}

}  // namespace detail
}  // namespace moorea
