// SPDX-License-Identifier: MIT
// A checkpoint under its temporary name, and the exchange of names that keeps a complete one at any time.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

#include "checkpoints/checksum.h"
#include "checkpoints/frames.h"
#include "checkpoints/header.h"
#include "model/bits.h"
#include "model/hash.h"
#include "moorea/error.h"
#include "moorea/support/nine_cells.h"

namespace moorea {
namespace {

constexpr std::int64_t chunk_words = 1 << 17;  // 1 MiB

int open_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

// Names become durable with their folder; file systems that cannot synchronise folders do it by themselves.
void synchronise_folder(const std::string& path) {
  const int file = open_folder(path);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

// A client of NFS asks its server for the names in a folder when that is opened, and otherwise relies on what
// it knew some seconds ago.
void renew_folder(const std::string& path) {
  if (const int file = open_folder(path); file >= 0) ::close(file);
}

bool is_complete(const std::string& path) {
  try {
    CheckpointReader(path).verify();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

const char* checkpoints_unavailable_reason() { return frames_unavailable_reason(); }

std::string previous_checkpoint(const std::string& path) { return path + ".previous"; }

std::int64_t rows_per_checkpoint_chunk(std::int64_t width) {
  return std::max<std::int64_t>(1, chunk_words / std::max<std::int64_t>(1, words_for(width)));
}

std::string compress_checkpoint_rows(const ConstGridView& cells, Position at, CheckpointChunk& chunk) {
  const std::int64_t words = words_for(cells.width);
  const RowHasher hasher(words, at.x);
  chunk.rows = cells.height;
  chunk.population = chunk.hash = chunk.bytes = chunk.checksum = 0;
  for (std::int64_t y = 0; y < cells.height; ++y) {
    const std::span<const std::uint64_t> row = cells.row(y);
    std::uint64_t live = 0;
    for (const std::uint64_t word : row) live += popcount(word);
    chunk.population += live;
    if (live > 0) chunk.hash = hash_add(chunk.hash, hasher(row.data(), at.y + y));
  }
  if (chunk.population == 0) return {};
  std::string frame;
  if (cells.words_per_row == words) {
    frame = compress_words({cells.words, static_cast<std::size_t>(words * cells.height)});
  } else {
    std::vector<std::uint64_t> packed;
    packed.reserve(static_cast<std::size_t>(words * cells.height));
    for (std::int64_t y = 0; y < cells.height; ++y)
      packed.insert(packed.end(), cells.row(y).begin(), cells.row(y).end());
    frame = compress_words(packed);
  }
  chunk.bytes = frame.size();
  chunk.checksum = checksum_of(frame);
  return frame;
}

struct CheckpointWriter::State {
  std::string path;
  std::string partial;
  CheckpointHeader header;
  std::uint64_t first = 0;
  Role role = Role::creates;
  int file = -1;
  bool trusts_present = false;

  [[noreturn]] void fail(const char* what, int error) const {
    throw Error(fmt::format("{}: {}: {}", path, what, std::strerror(error)), error);
  }

  void write(std::uint64_t offset, std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t put = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) fail("cannot write the checkpoint", put == 0 ? ENOSPC : errno);
      offset += static_cast<std::uint64_t>(put);
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
#ifdef SYNC_FILE_RANGE_WRITE
    ::sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);  // so that fsync() has less to wait for
#endif
  }

  void synchronise() const {
    if (::fsync(file) != 0) fail("cannot write the checkpoint", errno);
  }

  void create();
  void exchange_names() const;
};

// FILE has a complete checkpoint at any time: the old one gets its second name before the new one replaces it
// in one step. On file systems without hard links, only FILE.previous has one until that step. A damaged FILE
// is replaced without a second name, because FILE.previous may be the only complete one.
void CheckpointWriter::State::exchange_names() const {
  const std::string previous = previous_checkpoint(path);
  if (::access(path.c_str(), F_OK) == 0 && (trusts_present || is_complete(path))) {
    if (::unlink(previous.c_str()) != 0 && errno != ENOENT)
      fail("cannot replace the previous checkpoint", errno);
    if (::link(path.c_str(), previous.c_str()) != 0 && ::rename(path.c_str(), previous.c_str()) != 0)
      fail("cannot rename the last checkpoint", errno);
  }
  if (::rename(partial.c_str(), path.c_str()) != 0) fail("cannot rename the checkpoint", errno);
  synchronise_folder(path);
}

// Two runs with one FILE must not write into one another's: the lock ends with the file, or the process.
void CheckpointWriter::State::create() {
  if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(std::exchange(file, -1));
    throw Error(
        fmt::format("{}: another process is writing this checkpoint; give each run a file of its own", path));
  }
  if (::ftruncate(file, 0) == 0) return;
  const int error = errno;
  ::close(std::exchange(file, -1));
  fail("cannot create the checkpoint", error);
}

CheckpointWriter::CheckpointWriter(const std::string& path, const CheckpointHeader& header, Role role)
    : state_(std::make_unique<State>()) {
  if (const char* reason = checkpoints_unavailable_reason()) throw Error(reason, ErrorKind::unavailable);
  require_two_states(header.rule, "a checkpoint");
  state_->path = path;
  state_->partial = path + ".partial";
  state_->header = header;
  state_->first = header_bytes(header);
  state_->role = role;
  const int create = role == Role::creates ? O_CREAT : 0;
  if (role == Role::joins) renew_folder(path);
  state_->file = ::open(state_->partial.c_str(), O_RDWR | O_CLOEXEC | create, 0666);
  if (state_->file < 0) {
    state_->fail(role == Role::creates ? "cannot create the checkpoint"
                                       : "cannot open the checkpoint that another process has created",
                 errno);
  }
  if (role == Role::creates) state_->create();
}

CheckpointWriter::~CheckpointWriter() {
  if (state_->file < 0) return;
  ::close(state_->file);
  if (state_->role == Role::creates) ::unlink(state_->partial.c_str());
}

std::uint64_t CheckpointWriter::first_offset() const { return state_->first; }

void CheckpointWriter::write(std::uint64_t offset, std::string_view bytes) { state_->write(offset, bytes); }

// The header replaces the mark.
std::uint64_t CheckpointWriter::mark() {
  std::random_device random;
  const std::uint64_t mark = std::uint64_t{random()} << 32 | random();
  state_->write(0, {reinterpret_cast<const char*>(&mark), sizeof mark});
  return mark;
}

void CheckpointWriter::require_mark(std::uint64_t mark) const {
  std::uint64_t found = 0;
  const ssize_t got = ::pread(state_->file, &found, sizeof found, 0);
  if (got == static_cast<ssize_t>(sizeof found) && found == mark) return;
  throw Error(
      fmt::format("{}: this process sees another {} than the one that writes the checkpoint: choose a "
                  "folder that all processes share",
                  state_->path, state_->partial));
}

void CheckpointWriter::trust_present_file() { state_->trusts_present = true; }

void CheckpointWriter::synchronise() { state_->synchronise(); }

std::uint64_t CheckpointWriter::finish(std::span<const CheckpointChunk> chunks, std::uint64_t population,
                                       std::uint64_t hash) {
  CheckpointHeader header = state_->header;
  header.population = population;
  header.hash = hash;
  const std::string begin = write_header(header, chunks.size()), index = write_index(chunks);
  std::uint64_t end = state_->first;
  for (const CheckpointChunk& chunk : chunks) end += chunk.bytes;
  // What was written must be readable: also a mistake of a caller must not replace a complete checkpoint
  parse_index(index, {state_->first, end - state_->first, stored_size(header).height}, state_->path);
  state_->write(0, begin);
  state_->write(end, index);
  state_->synchronise();
  // Some file systems report a full disk only here
  if (::close(std::exchange(state_->file, -1)) != 0) {
    ::unlink(state_->partial.c_str());
    state_->fail("cannot write the checkpoint", errno);
  }
  try {
    state_->exchange_names();
  } catch (const Error&) {
    ::unlink(state_->partial.c_str());
    throw;
  }
  return end + index.size();
}

}  // namespace moorea
