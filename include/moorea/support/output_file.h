// SPDX-License-Identifier: MIT
// Output files that appear under their name only when they are complete.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace moorea {

/// Output file that gets its name in finish(); without finish() nothing remains, however the program ends.
/// "-" is standard output; devices and pipes are written in place; a name that ends in .gz is compressed.
class OutputFile {
 public:
  /// Creates a temporary file in the same folder. Throws Error (run), with the system's reason, on failure.
  explicit OutputFile(const std::string& path);
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;
  ~OutputFile();

  /// Appends text. Throws Error (run) if the disk is full; a file that existed before remains as it was.
  void write(std::string_view text);
  void finish();

  /// File descriptor for a child process that writes the whole file in place of write().
  int descriptor() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Descriptor of the output that "-" names: 1, unless separate_output() has moved it.
int output_descriptor();

/// From now on what others print to standard output, such as the kernel of a user, goes to standard error, so
/// that it does not mix with this program's output. Nothing happens if standard output is a terminal.
/// Throws Error (run) if the system has no descriptor left.
void separate_output();

}  // namespace moorea
#pragma GCC visibility pop
