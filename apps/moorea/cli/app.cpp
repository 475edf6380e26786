// SPDX-License-Identifier: MIT
#include "cli/app.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/clock.h"
#include "cli/kernel_watch.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/device_facts.h"
#include "moorea/mpi_session.h"
#include "moorea/support/output_file.h"
#include "moorea/support/printable.h"

namespace app {
namespace {

constexpr int interruptions[] = {SIGINT, SIGTERM, SIGHUP};
constexpr std::time_t same_request = 5;  // seconds: Slurm sends SIGTERM for a job and once more for its step

volatile std::sig_atomic_t caught_signal = 0, lost_output = 0;
std::time_t caught_at = 0;  // set before another signal can be caught

bool muted = false, quiet = false, json_lines = false;

const Clock::time_point program_begun = Clock::now();
std::optional<double> time_limit;  // seconds
constexpr int time_limit_exit = 124;
// After the limit: a start that takes no longer ends as a run of no generation, with its report
constexpr double patience = kernel_file_patience;  // seconds

std::atomic<bool> time_was_up = false, was_asked = false;

// Who ends the program after its time: its main thread, which saves what there is, or that of the timer.
enum class Ending { none, open, by_main, by_timer };
std::atomic<Ending> run_ending = Ending::none;

// Takes it upon the main thread, which does not go on if the timer was faster.
void end_by_main() {
  Ending expected = Ending::open;
  if (run_ending.compare_exchange_strong(expected, Ending::by_main)) return;
  while (run_ending == Ending::by_timer) ::pause();
}

// Once it was, it stays so.
bool time_is_up() {
  was_asked = true;
  if (time_limit && since(program_begun) >= *time_limit && !time_was_up) {
    end_by_main();
    time_was_up = true;
  }
  return time_was_up;
}

}  // namespace

void prepare_process() {
  // In the contrary mode, so that reading or writing them fails as it would have
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) >= 0 || errno != EBADF) continue;
    [[maybe_unused]] const int lowest = ::open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  std::signal(SIGXFSZ, SIG_IGN);
  muted = moorea::launched_rank() > 0;
}

int exit_code(moorea::ErrorKind kind) {
  switch (kind) {
    case moorea::ErrorKind::usage:
      return usage_error;
    case moorea::ErrorKind::unavailable:
      return unavailable;
    case moorea::ErrorKind::run:
    case moorea::ErrorKind::memory:
      break;
  }
  return run_error;
}

Json tiling_json(const moorea::Tiling& tiling) {
  return {{"width", tiling.tile.width},
          {"height", tiling.tile.height},
          {"schedule", to_string(tiling.schedule)},
          {"placement", to_string(tiling.placement)}};
}

void add_launch_shape(Json& json, const moorea::LaunchShape& shape) {
  if (shape.block.width > 0) json["block"] = {{"width", shape.block.width}, {"height", shape.block.height}};
  if (shape.bytes_a_thread > 0) json["bytes_per_thread"] = shape.bytes_a_thread;
}

std::string launch_shape_text(const moorea::LaunchShape& shape) {
  if (shape.block.width == 0) return "-";
  return shape.bytes_a_thread > 0 ? fmt::format("{}, {} bytes", to_string(shape.block), shape.bytes_a_thread)
                                  : to_string(shape.block);
}

namespace {

void add_clock(Json& json, const char* key, const moorea::ClockFrequency& clock) {
  if (clock.now > 0) json[key]["now"] = clock.now;
  if (clock.maximum > 0) json[key]["maximum"] = clock.maximum;
}

// A device with the facts that are known.
Json device_json(const moorea::DeviceInfo& device) {
  const moorea::DeviceFacts facts = moorea::device_facts(device.name);
  Json json = {{"name", device.name},
               {"description", device.description},
               {"threads", device.threads},
               {"memory_available_bytes", device.memory}};
  if (facts.memory > 0) json["memory_bytes"] = facts.memory;
  for (const auto& [key, text] :
       {std::pair{"driver", &facts.driver}, {"api", &facts.api}, {"runtime", &facts.runtime}}) {
    if (!text->empty()) json[key] = *text;
  }
  add_clock(json, "core_megahertz", facts.cores);
  add_clock(json, "memory_megahertz", facts.memory_clock);
  return json;
}

}  // namespace

Json machine_json() {
  utsname system{};
  uname(&system);
  char date[32] = "";
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  Json devices = Json::array();
  for (const moorea::DeviceInfo& device : moorea::list_devices()) devices.push_back(device_json(device));
  return {{"machine",
           {{"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
            {"devices", devices}}},
          {"version", moorea::version()},
          {"revision", moorea::revision()},
          {"compiler", moorea::compiler()},
          {"date", date}};
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

bool is_muted() { return muted; }
void unmute() { muted = false; }

int leave(int exit) {
  if (muted && exit != ok) ::sleep(2);
  return exit;
}

void print(const std::string& text) {
  if (muted) return;
  const int output = moorea::output_descriptor();
  for (std::string_view left = text; !left.empty();) {
    const ssize_t put = ::write(output, left.data(), left.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno == EPIPE && output_is_broken()) return;
    if (put < 0) throw moorea::Error("standard output: cannot write");
    left.remove_prefix(static_cast<std::size_t>(put));
  }
}

void print_json(const Json& json) {
  if (!json_lines) return print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  print_event("result", json);
}

void print_event(const char* event, const Json& facts) {
  Json line = {{"event", event}};
  line.update(facts);
  print(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void set_json_lines() { json_lines = true; }
bool prints_json_lines() { return json_lines; }

void usage(const std::string& text) { throw moorea::Error(text, moorea::ErrorKind::usage); }

void say_error(const std::string& text) {
  if (!muted) std::fprintf(stderr, "moorea: %s\n", moorea::escaped_lines(text).c_str());
}

void say(const std::string& text) {
  if (!quiet) say_error(text);
}

void set_quiet() { quiet = true; }
bool has_remarks() { return !quiet; }

namespace {

std::time_t seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

void interrupt(int signal) {
  if (caught_signal != 0) {  // SIGTERM twice
    if (seconds_now() - caught_at < same_request) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  caught_signal = signal;
  caught_at = seconds_now();
  // The next one ends it, whichever it is; one that is ignored stays so
  for (const int each : interruptions) {
    struct sigaction now {};
    if (sigaction(each, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) continue;
    if (each != SIGTERM || signal != SIGTERM) std::signal(each, SIG_DFL);
  }
  if (watched_kernel_file() != nullptr) alarm(kernel_file_patience);
}

void lose_output(int) { lost_output = 1; }

// Two seconds after the time limit: a start that still goes on, of which there is nothing to keep, and a
// user's kernel that does not end are ended here.
void end_late() {
  const bool is_start = !was_asked;
  const char* const file = watched_kernel_file();
  if (!is_start && file == nullptr) return;
  Ending expected = Ending::open;
  if (!run_ending.compare_exchange_strong(expected, Ending::by_timer)) return;
  if (!muted && is_start)
    say_in_handler({"moorea: ended by --time-limit during the start; nothing was computed\n"});
  else if (!muted)
    say_in_handler(
        {"moorea: the kernel file ", file,
         " did not end its generation within two seconds of --time-limit; what was saved before remains\n"});
  ::_exit(time_limit_exit);
}

// Calls end_late() `seconds` after the start of the program, in a thread: a signal's handler may wait for as
// long as what it is to end, for example under a sanitizer.
void start_timer(double seconds) {
  constexpr double longest = 1e9;  // 32 years
  const auto end = program_begun + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(std::min(seconds, longest)));
  try {
    std::thread([end] {
      std::this_thread::sleep_until(end);
      end_late();
    }).detach();
  } catch (const std::system_error&) {
    // Without a thread the limit holds from the first generation on
  }
}

}  // namespace

void catch_interruption() {
  struct sigaction action {};
  action.sa_handler = interrupt;
  action.sa_flags = SA_RESTART;
  for (const int each : interruptions) {
    // nohup makes SIGHUP ignored, and it stays so
    struct sigaction before {};
    if (each == SIGHUP && sigaction(each, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    sigaction(each, &action, nullptr);
  }
}

void catch_broken_output() {
  struct sigaction action {};
  action.sa_handler = lose_output;
  action.sa_flags = SA_RESTART;
  sigaction(SIGPIPE, &action, nullptr);
}

bool output_is_broken() { return lost_output != 0; }

void set_time_limit(double seconds) {
  time_limit = seconds;
  run_ending = Ending::open;
  start_timer(seconds + patience);
}

void stop_time_limit() {
  end_by_main();
  time_limit.reset();
}
bool was_signalled() { return caught_signal != 0 || output_is_broken(); }

bool was_interrupted() {
  if (caught_signal == 0) return output_is_broken() || time_is_up();
  alarm(0);  // somebody has asked: no kernel holds the program
  return true;
}

int interruption_signal() { return caught_signal; }

int interruption_exit() {
  if (caught_signal != 0) return 128 + caught_signal;
  return output_is_broken() ? 128 + SIGPIPE : time_limit_exit;
}

const char* interruption_text(int exit) {
  return exit == time_limit_exit ? "ended by --time-limit" : "interrupted";
}

void add_interruption(Json& json, int exit) {
  const int signal = exit - 128;
  json["interrupted"] = true;
  json["interrupted_by"] = exit == time_limit_exit ? "time limit"
                           : signal == SIGINT      ? "SIGINT"
                           : signal == SIGTERM     ? "SIGTERM"
                           : signal == SIGPIPE     ? "SIGPIPE"
                                                   : "SIGHUP";
}

}  // namespace app
