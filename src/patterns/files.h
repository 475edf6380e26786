// SPDX-License-Identifier: MIT
// Bytes in and out: files, standard streams and gzip, with nothing half written under the final name.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace moorea::patterns {

/// Whole contents of a file ("-": standard input). Throws Error (run).
std::string read_bytes(const std::string& path);

bool is_gzip(std::string_view bytes);

/// Throws Error (run) naming `source` when the data are damaged or too large for this machine.
std::string gunzip(std::string_view bytes, const std::string& source);

/// Where a writer puts its text.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(std::string_view bytes) = 0;
};

class StringSink final : public Sink {
 public:
  void write(std::string_view bytes) override { text += bytes; }
  std::string text;
};

/// A file that gets its name when finish() has put every byte in it. Until then it has no name (O_TMPFILE),
/// so that no signal leaves it behind; where the file system has no such files it has a temporary one, and is
/// removed by the destructor. "-" is standard output; devices and pipes are written in place.
class FileSink final : public Sink {
 public:
  explicit FileSink(const std::string& path);
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  void write(std::string_view bytes) override;
  void finish();
  /// The open file, for another program that writes into it.
  int descriptor() const { return file_; }

 private:
  void name_temporary();
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string temporary_;  // its name until finish(); empty: none
  bool pending_ = false;   // has not got its name; false: written in place
  int file_ = -1;
  bool standard_ = false;  // standard output: not ours to close
  struct Gzip;
  std::unique_ptr<Gzip> gzip_;
  std::string buffer_;
  void flush_to_file(std::string_view bytes);
};

/// Throws Error (run) when FileSink could not create `path`.
void check_can_create(const std::string& path);

}  // namespace moorea::patterns
