// SPDX-License-Identifier: MIT
// Input and output of bytes: files, standard streams and gzip; no partial file appears under the final name.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace moorea::patterns {

/// Returns the whole contents of a file ("-": standard input). Throws Error (run).
std::string read_bytes(const std::string& path);

bool is_gzip(std::string_view bytes);

/// Decompresses gzip data. Throws Error (run) naming `source` if the data are damaged or too large for this
/// machine.
std::string gunzip(std::string_view bytes, const std::string& source);

/// The text with newlines, if its lines end in carriage returns alone, as of old Macs; empty for others.
std::optional<std::string> with_newlines(std::string_view text);

/// Destination of a writer's text.
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

/// A file that receives its name when finish() has written every byte. Until then it is unnamed (O_TMPFILE),
/// so that no signal leaves it behind; on file systems without such files it has a temporary name, and the
/// destructor removes it. "-" is standard output; devices and pipes are written in place.
class FileSink final : public Sink {
 public:
  explicit FileSink(const std::string& path);
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  void write(std::string_view bytes) override;
  void finish();
  /// File descriptor, for another program that writes into the file.
  int descriptor() const { return file_; }

 private:
  void name_temporary();
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string temporary_;  // its name until finish(); empty: none
  bool pending_ = false;   // not yet named; false: written in place
  int file_ = -1;
  bool standard_ = false;  // standard output, which must not be closed
  struct Gzip;
  std::unique_ptr<Gzip> gzip_;
  std::string buffer_;
  void flush_to_file(std::string_view bytes);
};

/// Throws Error (run) if FileSink could not create `path`.
void check_can_create(const std::string& path);

}  // namespace moorea::patterns
