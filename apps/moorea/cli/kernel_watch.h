// SPDX-License-Identifier: MIT
// What happens if a user's kernel file crashes, ends the program or does not end.
#pragma once

#include <initializer_list>
#include <string>

namespace app {

/// Seconds after an interruption in which a kernel has to end its generation.
inline constexpr unsigned kernel_file_patience = 2;

/// Names the user's kernel file that is about to run: a crash from now on is reported with its name, and an
/// interruption ends the program if was_interrupted() is not called within two seconds, because a kernel may
/// loop without end. What the kernel prints goes to standard error.
void watch_kernel_file(const std::string& path);

/// What the program says of a kernel file that calls exit().
inline constexpr const char* ended_words = "ended the program";

/// To be called before main() returns: an end of the program before is one by a kernel file.
void allow_exit();

/// The path of the last kernel file that is watched, or null; for signal handlers and other threads, too.
const char* watched_kernel_file();

/// Writes to standard error what a signal handler may write.
void say_in_handler(std::initializer_list<const char*> parts);

}  // namespace app
