// SPDX-License-Identifier: MIT
// The one exception type of Moorea: something a caller can cause. Its text is one line that names the
// cause, the place and the way out (a rule that cannot be parsed adds a caret below the text).
#pragma once

#include <stdexcept>
#include <string>

#pragma GCC visibility push(default)
namespace moorea {

/// Class of an error, by the caller's remedy; the program turns it into its exit code.
enum class ErrorKind {
  run,          ///< a file, a device or a write failed; exit code 1
  usage,        ///< an argument is wrong: a rule, a size, a name that does not exist; exit code 2
  unavailable,  ///< the kernel or device that was named cannot run here; exit code 4
  memory,       ///< memory of the machine or of a device does not suffice; exit code 1
};

/// Whether the arguments were valid and the work failed: ErrorKind::run or memory.
constexpr bool is_run_error(ErrorKind kind) { return kind == ErrorKind::run || kind == ErrorKind::memory; }

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text, ErrorKind kind = ErrorKind::run)
      : std::runtime_error(text), kind_(kind) {}
  /// Of a call about a file that failed: `system_error` is its errno.
  Error(const std::string& text, int system_error) : Error(text) { system_error_ = system_error; }
  ErrorKind kind() const noexcept { return kind_; }
  /// The errno of a call about a file, such as ENOENT; 0 if the cause is another one.
  int system_error() const noexcept { return system_error_; }

 private:
  ErrorKind kind_;
  int system_error_ = 0;
};

}  // namespace moorea
#pragma GCC visibility pop
