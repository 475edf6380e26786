// SPDX-License-Identifier: MIT
// A file that is there when it is complete, for what goes with a pattern: a table, a log.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace moorea {

/// A file that gets its name by finish() and is gone without it, whatever ends the program; "-" is standard
/// output, devices and pipes are written in place, and a name that ends in .gz is compressed.
class OutputFile {
 public:
  /// Throws Error (run) with the system's reason when it cannot be created.
  explicit OutputFile(const std::string& path);
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;
  ~OutputFile();

  /// Throws Error (run) when the disk is full; nothing stays under the file's name then.
  void write(std::string_view text);
  void finish();

  /// The open file's descriptor, for a child process that writes the whole file instead of write().
  int descriptor() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace moorea
