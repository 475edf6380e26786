// SPDX-License-Identifier: MIT
#include "patterns/files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "model/memory.h"
#include "moorea/error.h"
#include "moorea/support/file_names.h"
#include "moorea/support/nearest.h"
#include "moorea/support/output_file.h"

#ifdef MOOREA_ZLIB
#include <zlib.h>
#endif

namespace moorea::patterns {
namespace {

constexpr std::size_t chunk = 1 << 18;

bool gzip_name(const std::string& path) { return has_ending(path, ".gz"); }

[[noreturn]] void system_error(const std::string& path, const char* what, int error) {
  throw Error(fmt::format("{}: {}: {}", path, what, std::strerror(error)), error);
}

[[maybe_unused]] [[noreturn]] void no_zlib(const std::string& path) {
  throw Error(path + ": this build has no zlib, which gzip files need");
}

// Requires twice the size, because the cells need memory too.
void require_room(std::size_t bytes, const std::string& path) {
  require_memory(2.0 * static_cast<double>(bytes), path);
}

// Target of symbolic links: renaming over a link would replace the link, not its file.
std::string resolved(const std::string& path) {
  std::error_code error;
  std::filesystem::path name = std::filesystem::absolute(path, error);
  for (int links = 0; std::filesystem::is_symlink(name, error); ++links) {
    if (links == 40) system_error(path, "cannot write", ELOOP);
    const std::filesystem::path target = std::filesystem::read_symlink(name, error);
    if (error) system_error(path, "cannot write", error.value());
    name = target.is_absolute() ? target : name.parent_path() / target;
  }
  return name.string();
}

bool in_place(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

// Opens an unnamed file in the folder of `path`, which disappears however the program ends; -1 if the file
// system has no such files (NFS) or /proc, which is needed to name it, is missing.
int open_unnamed(const std::string& path) {
#ifdef O_TMPFILE
  if (::access("/proc/self/fd", X_OK) != 0) return -1;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
#else
  (void)path;
  return -1;
#endif
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.size() > 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

std::optional<std::string> with_newlines(std::string_view text) {
  const bool is_bitmap = text.starts_with("P4");
  if (is_bitmap || text.find('\n') != std::string_view::npos || text.find('\r') == std::string_view::npos)
    return {};
  std::string lines(text);
  std::ranges::replace(lines, '\r', '\n');
  return lines;
}

std::string read_bytes(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const int file = standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    const int error = errno;
    throw Error(fmt::format("{}: cannot open: {}{}", name, std::strerror(error),
                            error == ENOENT ? nearest_file(path) : ""),
                error);
  }
  const std::unique_ptr<const int, void (*)(const int*)> closer(&file, [](const int* f) {
    if (*f != STDIN_FILENO) ::close(*f);
  });
  std::string bytes;
  std::size_t checked = 0;
  for (std::string block(chunk, '\0');;) {
    const ssize_t got = ::read(file, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) system_error(name, "cannot read", errno);
    if (got == 0) break;
    bytes.append(block, 0, static_cast<std::size_t>(got));
    if (bytes.size() > checked + (64 << 20)) require_room(bytes.size(), name), checked = bytes.size();
  }
  return bytes;
}

#ifdef MOOREA_ZLIB

std::string gunzip(std::string_view bytes, const std::string& source) {
  std::string text;
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw Error(source + ": zlib could not start");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closer(&stream, inflateEnd);
  std::size_t fed = 0, checked = 0;
  std::string block(chunk, '\0');
  for (int status = Z_OK; status != Z_STREAM_END || stream.avail_in != 0 || fed < bytes.size();) {
    if (stream.avail_in == 0) {
      const std::size_t part = std::min<std::size_t>(bytes.size() - fed, 1 << 30);
      if (part == 0) throw Error(source + ": the gzip data end too early");
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + fed));
      stream.avail_in = static_cast<uInt>(part);
      fed += part;
    }
    // Members may follow one another; other bytes after the last one are ignored, as in gzip
    if (status == Z_STREAM_END) {
      if (*stream.next_in != 0x1f || inflateReset(&stream) != Z_OK) break;
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) {
      throw Error(fmt::format("{}: the gzip data are damaged ({})", source,
                              stream.msg != nullptr ? stream.msg : "unknown"));
    }
    text.append(block, 0, block.size() - stream.avail_out);
    if (text.size() > checked + (64 << 20)) require_room(text.size(), source), checked = text.size();
  }
  return text;
}

struct FileSink::Gzip {
  z_stream stream{};
  std::string block = std::string(chunk, '\0');
  ~Gzip() { deflateEnd(&stream); }
};

#else

std::string gunzip(std::string_view, const std::string& source) { no_zlib(source); }

struct FileSink::Gzip {};

#endif

FileSink::FileSink(const std::string& path) : path_(path == "-" ? "standard output" : path) {
  if (gzip_name(path)) {
#ifdef MOOREA_ZLIB
    gzip_ = std::make_unique<Gzip>();
    if (deflateInit2(&gzip_->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw Error(path + ": zlib could not start");
    }
#else
    no_zlib(path);
#endif
  }
  if (path == "-") {
    standard_ = true;
    file_ = output_descriptor();
    return;
  }
  if (in_place(path)) {
    file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) system_error(path_, "cannot write", errno);
    return;
  }
  path_ = resolved(path);
  pending_ = true;
  file_ = open_unnamed(path_);
  if (file_ < 0) {
    temporary_ = path_ + ".XXXXXX";
    file_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  }
  if (file_ < 0) {
    const int error = errno;
    temporary_.clear();
    system_error(path_, "cannot create", error);
  }
  struct stat status {};
  mode_t mode = 0;
  if (::stat(path_.c_str(), &status) == 0) {
    mode = status.st_mode & 07777;
  } else {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    mode = 0666 & ~mask;
  }
  if (::fchmod(file_, mode) != 0) fail(errno);
}

// Links a complete file under a temporary name for its rename, because linkat() cannot replace an existing
// file.
void FileSink::name_temporary() {
  const std::string self = fmt::format("/proc/self/fd/{}", file_);
  for (unsigned attempt = 0;; ++attempt) {
    const std::string name = fmt::format("{}.{}.{}", path_, ::getpid(), attempt);
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = name;
      return;
    }
    if (errno != EEXIST) fail(errno);
  }
}

FileSink::~FileSink() {
  if (file_ >= 0 && !standard_) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void FileSink::fail(int error) const { system_error(path_, "cannot write", error); }

void FileSink::flush_to_file(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail(errno);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

void FileSink::write(std::string_view bytes) {
  if (!gzip_) {
    buffer_ += bytes;
    if (buffer_.size() >= chunk) flush_to_file(std::exchange(buffer_, {}));
    return;
  }
#ifdef MOOREA_ZLIB
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, 1 << 30);
    gzip_->stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
    gzip_->stream.avail_in = static_cast<uInt>(part.size());
    while (gzip_->stream.avail_in != 0) {
      gzip_->stream.next_out = reinterpret_cast<Bytef*>(gzip_->block.data());
      gzip_->stream.avail_out = static_cast<uInt>(chunk);
      deflate(&gzip_->stream, Z_NO_FLUSH);
      flush_to_file(std::string_view(gzip_->block).substr(0, chunk - gzip_->stream.avail_out));
    }
    bytes.remove_prefix(part.size());
  }
#endif
}

void FileSink::finish() {
#ifdef MOOREA_ZLIB
  if (gzip_) {
    for (int status = Z_OK; status != Z_STREAM_END;) {
      gzip_->stream.next_out = reinterpret_cast<Bytef*>(gzip_->block.data());
      gzip_->stream.avail_out = static_cast<uInt>(chunk);
      status = deflate(&gzip_->stream, Z_FINISH);
      flush_to_file(std::string_view(gzip_->block).substr(0, chunk - gzip_->stream.avail_out));
    }
  }
#endif
  flush_to_file(std::exchange(buffer_, {}));
  if (standard_) return;
  if (pending_ && temporary_.empty()) name_temporary();
  // A full disk may be reported only here
  if (::close(std::exchange(file_, -1)) != 0) fail(errno);
  if (pending_ && ::rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  pending_ = false;
  temporary_.clear();
}

void check_can_create(const std::string& path) {
  if (path == "-") return;
  if (::access(path.c_str(), F_OK) == 0) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) system_error(path, "cannot write", EISDIR);
    if (::access(path.c_str(), W_OK) != 0) system_error(path, "cannot write", errno);
    if (in_place(path)) return;
  }
  const auto folder = std::filesystem::path(resolved(path)).parent_path();
  if (::access(folder.c_str(), W_OK | X_OK) != 0) system_error(path, "cannot create", errno);
}

}  // namespace moorea::patterns
