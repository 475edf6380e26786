// SPDX-License-Identifier: MIT
// Shared by the subcommands: exit codes, output, interruption, and fields that every report has.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/numbers.h"
#include "moorea/error.h"
#include "moorea/launch.h"
#include "moorea/tiles.h"

namespace app {

using Json = nlohmann::ordered_json;

enum Exit { ok = 0, run_error = 1, usage_error = 2, results_differ = 3, unavailable = 4, interrupted = 130 };

/// Exit code of the program for a kind of error.
int exit_code(moorea::ErrorKind kind);

/// Tiles of a world and their distribution to threads, with the same keys in every report.
Json tiling_json(const moorea::Tiling& tiling);

/// Adds the thread block and the bytes per thread, if they are configurable, with the same keys in every
/// report.
void add_launch_shape(Json& json, const moorea::LaunchShape& shape);
/// "256x1", "256x1, 8 bytes", or "-" if nothing is configurable.
std::string launch_shape_text(const moorea::LaunchShape& shape);

/// Machine, date and build of a measurement: the first keys of every report of measurements.
Json machine_json();

/// Formats the state hash as it is printed: 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

/// Prints data to standard output. Throws moorea::Error (run) if that fails, for example on a full disk.
void print(const std::string& text);
/// With set_json_lines() as print_event("result", json).
void print_json(const Json& json);
/// Prints a line of JSON that begins with the event's name.
void print_event(const char* event, const Json& facts);

/// From now on progress is printed to standard output once a second, as lines of JSON with "event":
/// "progress", and print_json() prints a line.
void set_json_lines();
bool prints_json_lines();

/// Throws moorea::Error (usage).
[[noreturn]] void usage(const std::string& text);

/// Prints one line to standard error, after the name of the program: an error.
void say_error(const std::string& text);
/// As say_error(), for a remark, unless set_quiet().
void say(const std::string& text);

/// From now on no remarks and no progress.
void set_quiet();
bool has_remarks();

/// Whether print() and say() do nothing: in processes of a parallel program except the first one.
bool is_muted();
/// Lets this process report an error in place of the first one.
void unmute();

/// Returns the exit code of a process that has failed; of a muted one two seconds later, because launchers
/// end all processes when one of them has failed, maybe before the first one has reported why.
int leave(int exit);

/// Prepares the process for opening files: opens standard descriptors that the caller closed, so that no file
/// gets their numbers, and makes exceeding the file size limit an error of write() instead of a signal.
void prepare_process();

/// Makes Ctrl-C, SIGTERM and SIGHUP set a flag from the first call on; a second signal ends the program at
/// once, but for a SIGTERM within five seconds of another one. Before the first call these signals end the
/// program. Call it once there is state to keep and was_interrupted() is polled.
void catch_interruption();
/// Makes a standard output that nobody reads any more, as of `head`, an interruption by SIGPIPE instead of
/// the end, for commands that save something when they are interrupted. What is printed from then on is lost.
void catch_broken_output();
/// Whether that has interrupted the program.
bool output_is_broken();
/// From now on, so many seconds after the program's start count as an interruption. Two seconds later a
/// program that has not polled was_interrupted() yet, or a kernel of a file that does not end, is ended with
/// exit code 124.
void set_time_limit(double seconds);
/// The work is complete, or has stopped: time that passes from now on interrupts nothing.
void stop_time_limit();
bool was_interrupted();
/// Whether a signal interrupted the program, not the time limit.
bool was_signalled();
/// Exit code after an interruption: 128 + the number of the signal, or 124, as of timeout(1), for the time
/// limit.
int interruption_exit();
/// The signal that was caught, or 0; for signal handlers, too.
int interruption_signal();
/// What ended the work, for a message, by such an exit code: "interrupted", or "ended by --time-limit".
const char* interruption_text(int exit = interruption_exit());
/// Adds to a report that the work was interrupted, and by what.
void add_interruption(Json& json, int exit = interruption_exit());

}  // namespace app
