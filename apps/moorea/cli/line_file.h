// SPDX-License-Identifier: MIT
// A table that grows line by line under its own name while the program runs, so that others can follow it.
// Other outputs appear when they are complete; a table of whole lines is complete at any time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "moorea/support/output_file.h"

namespace app {

class LineFile {
 public:
  /// Opens the file; what it holds stays until the first write(). "-" is standard output. A name that ends in
  /// .gz appears with finish(), as its lines cannot be read before. Throws moorea::Error (run).
  explicit LineFile(const std::string& path);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// Keeps so many bytes of what an ordinary file holds, before the first write(). Throws moorea::Error
  /// (run).
  void keep(std::int64_t bytes);

  /// Appends whole lines, which can be read when it returns. Throws moorea::Error (run) when they cannot be
  /// written; the file then ends with its last whole line.
  void write(const std::string& lines);
  void finish();

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::optional<moorea::OutputFile> compressed_;
  int file_ = -1;
  bool standard_ = false;  // standard output, which is not closed
  bool regular_ = false;
  bool created_ = false;  // and nothing written: goes away with this object
  bool begun_ = false;
  std::int64_t size_ = 0;
};

/// Disk space reserved for a file that is written later, so that another file that grows meanwhile and fills
/// the disk does not prevent it.
class DiskReserve {
 public:
  /// Reserves bytes in the folder of `path`, if the file system supports that; none for "-" and devices.
  DiskReserve(const std::string& path, std::int64_t bytes);
  ~DiskReserve() { release(); }
  DiskReserve(const DiskReserve&) = delete;
  DiskReserve& operator=(const DiskReserve&) = delete;

  void release();

 private:
  int file_ = -1;
};

}  // namespace app
