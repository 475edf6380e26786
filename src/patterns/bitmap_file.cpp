// SPDX-License-Identifier: MIT
// Rows of a P4 bitmap have a fixed length, so that any process finds its rows (pread, pwrite) without the
// others.
#include "moorea/support/bitmap_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "moorea/error.h"
#include "patterns/portable_bitmap.h"

namespace moorea {
namespace {

constexpr std::size_t max_header = 1 << 16;      // bytes, comments included
constexpr std::int64_t bytes_at_once = 1 << 22;  // of rows that are packed or unpacked

[[noreturn]] void fail_with(const std::string& path, const char* what, int error) {
  throw Error(fmt::format("{}: {}: {}", path, what, std::strerror(error)), error);
}

}  // namespace

// A file that is closed at the end.
class BitmapDescriptor {
 public:
  BitmapDescriptor(const std::string& path, int flags)
      : file_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (file_ < 0) fail_with(path, flags == O_RDONLY ? "cannot open" : "cannot write", errno);
  }
  BitmapDescriptor(const BitmapDescriptor&) = delete;
  BitmapDescriptor& operator=(const BitmapDescriptor&) = delete;
  ~BitmapDescriptor() { ::close(file_); }
  int number() const { return file_; }

 private:
  int file_;
};

namespace {

// As pread(); returns fewer bytes at the end of the file alone.
std::string read_at(const BitmapDescriptor& file, const std::string& path, std::int64_t from,
                    std::size_t length) {
  std::string bytes(length, '\0');
  std::size_t done = 0;
  while (done < length) {
    const ssize_t got = ::pread(file.number(), bytes.data() + done, length - done,
                                static_cast<off_t>(from) + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_with(path, "cannot read", errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

void write_at(const BitmapDescriptor& file, const std::string& path, std::int64_t from,
              std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(file.number(), bytes.data(), bytes.size(), static_cast<off_t>(from));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail_with(path, "cannot write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(put));
    from += put;
  }
}

std::string header_text(const Pattern& pattern, Size size) {
  patterns::StringSink sink;
  patterns::write_bitmap_header(pattern, size, "P4", sink);
  return std::move(sink.text);
}

}  // namespace

struct BitmapReader::State {
  State(const std::string& name) : path(name), file(name, O_RDONLY) {}
  std::string path;
  BitmapDescriptor file;
  Pattern header;
  Size size;
  std::int64_t begin = 0;  // byte of the first row
};

BitmapReader::BitmapReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
BitmapReader::BitmapReader(BitmapReader&&) noexcept = default;
BitmapReader& BitmapReader::operator=(BitmapReader&&) noexcept = default;
BitmapReader::~BitmapReader() = default;

std::optional<BitmapReader> BitmapReader::open(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  auto state = std::make_unique<State>(path);
  const std::string bytes = read_at(state->file, path, 0, max_header);
  if (!patterns::has_bitmap_magic(bytes, '4')) return std::nullopt;
  patterns::Cursor cursor(bytes, path);
  state->size = patterns::read_bitmap_header(cursor, state->header);
  if (cursor.at_end()) cursor.fail("expected one blank and the cells");
  cursor.take();
  state->begin = static_cast<std::int64_t>(bytes.size() - cursor.rest().size());
  const double wanted = static_cast<double>(patterns::bitmap_row_bytes(state->size.width)) *
                        static_cast<double>(state->size.height);
  if (static_cast<double>(status.st_size - state->begin) < wanted) {
    throw Error(fmt::format("{}: the header says {} x {} cells, which take {:.0f} bytes, but only {} follow",
                            path, state->size.width, state->size.height, wanted,
                            status.st_size - state->begin));
  }
  state->header.format = "pbm";
  return BitmapReader(std::move(state));
}

const Pattern& BitmapReader::header() const { return state_->header; }
Size BitmapReader::size() const { return state_->size; }

Grid BitmapReader::rows(std::int64_t top, std::int64_t rows) const {
  const std::int64_t width = state_->size.width, row_bytes = patterns::bitmap_row_bytes(width);
  Grid cells(width, rows);
  if (cells.empty()) return cells;
  const std::int64_t at_once = std::max<std::int64_t>(1, bytes_at_once / row_bytes);
  for (std::int64_t y = 0; y < rows; y += at_once) {
    const std::int64_t number = std::min(at_once, rows - y);
    const std::string bytes = read_at(state_->file, state_->path, state_->begin + (top + y) * row_bytes,
                                      static_cast<std::size_t>(number * row_bytes));
    if (std::ssize(bytes) != number * row_bytes) throw Error(state_->path + ": the file has become shorter");
    for (std::int64_t i = 0; i < number; ++i)
      patterns::unpack_bitmap_row(bytes.data() + i * row_bytes, width, cells.row(y + i));
  }
  return cells;
}

struct BitmapWriter::State {
  State(const std::string& name, const Pattern& header, Size size_, bool creates)
      : path(name),
        file(temporary_name(name), creates ? O_WRONLY | O_CREAT | O_TRUNC : O_WRONLY),
        size(size_),
        begin(std::ssize(header_text(header, size_))),
        is_creator(creates) {}
  ~State() {
    if (is_creator && !is_finished) ::unlink(temporary_name(path).c_str());
  }
  std::string path;
  BitmapDescriptor file;
  Size size;
  std::int64_t begin;  // byte of the first row
  bool is_creator, is_finished = false;
};

BitmapWriter::BitmapWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
BitmapWriter::BitmapWriter(BitmapWriter&&) noexcept = default;
BitmapWriter& BitmapWriter::operator=(BitmapWriter&&) noexcept = default;
BitmapWriter::~BitmapWriter() = default;

BitmapWriter BitmapWriter::create(const std::string& path, const Pattern& header, Size size) {
  auto state = std::make_unique<State>(path, header, size, true);
  write_at(state->file, path, 0, header_text(header, size));
  const std::int64_t length = state->begin + patterns::bitmap_row_bytes(size.width) * size.height;
  if (::ftruncate(state->file.number(), static_cast<off_t>(length)) != 0)
    fail_with(path, "cannot write", errno);
  return BitmapWriter(std::move(state));
}

BitmapWriter BitmapWriter::open(const std::string& path, const Pattern& header, Size size) {
  return BitmapWriter(std::make_unique<State>(path, header, size, false));
}

void BitmapWriter::write(std::int64_t top, const ConstGridView& rows) {
  const std::int64_t row_bytes = patterns::bitmap_row_bytes(state_->size.width);
  const std::int64_t at_once =
      std::max<std::int64_t>(1, bytes_at_once / std::max<std::int64_t>(row_bytes, 1));
  for (std::int64_t y = 0; y < rows.height; y += at_once) {
    const std::int64_t number = std::min(at_once, rows.height - y);
    std::string bytes(static_cast<std::size_t>(number * row_bytes), '\0');
    for (std::int64_t i = 0; i < number; ++i)
      patterns::pack_bitmap_row(rows.row(y + i).data(), state_->size.width, bytes.data() + i * row_bytes);
    write_at(state_->file, state_->path, state_->begin + (top + y) * row_bytes, bytes);
  }
}

void BitmapWriter::flush() {
  // Some file systems report a full disk only here, or show other machines the rows only then
  if (::fsync(state_->file.number()) != 0 && errno != EINVAL) fail_with(state_->path, "cannot write", errno);
}

void BitmapWriter::finish() {
  flush();
  if (::rename(temporary_name(state_->path).c_str(), state_->path.c_str()) != 0)
    fail_with(state_->path, "cannot write", errno);
  state_->is_finished = true;
}

}  // namespace moorea
