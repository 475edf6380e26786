// SPDX-License-Identifier: MIT
// Portable bitmaps (PBM, P4) that are read and written by rows, for worlds that exceed a process's memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "moorea/box.h"
#include "moorea/grid.h"
#include "moorea/pattern.h"

#pragma GCC visibility push(default)
namespace moorea {

/// A bitmap of which any rows can be read.
class BitmapReader {
 public:
  /// Empty if the file is no regular file with a P4 bitmap that is not compressed. Throws Error (run) if the
  /// file cannot be opened, the header is wrong or cells are missing.
  static std::optional<BitmapReader> open(const std::string& path);

  BitmapReader(BitmapReader&&) noexcept;
  BitmapReader& operator=(BitmapReader&&) noexcept;
  ~BitmapReader();

  /// What read_pattern() finds in the file, without cells.
  const Pattern& header() const;
  Size size() const;

  /// Reads rows [top, top + rows), which must lie inside. Throws Error (run).
  Grid rows(std::int64_t top, std::int64_t rows) const;

 private:
  struct State;
  explicit BitmapReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// A bitmap that several processes write, each some rows: the bytes are those of write_pattern(). The file
/// has the name "PATH.part" until finish().
class BitmapWriter {
 public:
  /// The name of a file that is being written.
  static std::string temporary_name(const std::string& path) { return path + ".part"; }

  /// Creates the file with its header and its final length; one process does so. Cells of `header` are
  /// ignored. Throws Error (run).
  static BitmapWriter create(const std::string& path, const Pattern& header, Size size);

  /// Opens the file that another process has created. Throws Error (run).
  static BitmapWriter open(const std::string& path, const Pattern& header, Size size);

  BitmapWriter(BitmapWriter&&) noexcept;
  BitmapWriter& operator=(BitmapWriter&&) noexcept;
  /// Removes the file if this process created it and finish() was not called.
  ~BitmapWriter();

  /// Writes rows from `top` on, as wide as the bitmap. Throws Error (run) if the disk is full.
  void write(std::int64_t top, const ConstGridView& rows);

  /// Makes sure that this process's rows are on the disk. Throws Error (run).
  void flush();

  /// Gives the file its name; the process that created it calls this after the others' flush(). Throws Error
  /// (run).
  void finish();

 private:
  struct State;
  explicit BitmapWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace moorea
#pragma GCC visibility pop
