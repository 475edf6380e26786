// SPDX-License-Identifier: MIT
// Checkpoints that ranks write together. Only the threads that simulate send messages: now and then they
// agree on the places of what background threads have compressed meanwhile, so that the file has no gaps.
#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "checkpoints/ordinary_file.h"
#include "checkpoints/rank_part.h"
#include "devices/cpu/threads.h"
#include "model/hash.h"
#include "moorea/error.h"
#include "moorea/rank_checkpoint.h"

namespace moorea {
namespace {

using RankSaverClock = std::chrono::steady_clock;

constexpr int max_threads_of_rank = 8;  // more wait for the disk
constexpr int chunks_tag = 6;
constexpr auto wait_nap = std::chrono::milliseconds(1);

double rank_seconds_since(RankSaverClock::time_point start) {
  return std::chrono::duration<double>(RankSaverClock::now() - start).count();
}

// The chunks of all ranks on rank 0, by rank; nothing on the others.
std::vector<CheckpointChunk> gather_chunks(RankLink& link, std::span<const CheckpointChunk> own) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(link.size()));
  counts[static_cast<std::size_t>(link.rank())] = own.size();
  sum_ranks(link, counts);
  if (link.rank() != 0) {
    const Outgoing out = {0, chunks_tag, std::as_bytes(own)};
    link.transfer({&out, 1}, {});
    return {};
  }
  std::uint64_t all = 0;
  for (const std::uint64_t count : counts) all += count;
  std::vector<CheckpointChunk> chunks(all);
  std::ranges::copy(own, chunks.begin());
  std::vector<Incoming> in;
  std::span<CheckpointChunk> left = std::span(chunks).subspan(own.size());
  for (int rank = 1; rank < link.size(); ++rank) {
    const std::size_t count = counts[static_cast<std::size_t>(rank)];
    in.push_back({rank, chunks_tag, std::as_writable_bytes(left.first(count))});
    left = left.subspan(count);
  }
  link.transfer({}, in);
  return chunks;
}

}  // namespace

// Rank 0's end of a checkpoint, whose rows are all on the disk: the index, and the exchange of names.
class RankFinish {
 public:
  ~RankFinish() {
    if (thread_.joinable()) thread_.join();
  }

  void start(CheckpointWriter& writer, std::vector<CheckpointChunk> chunks) {
    try {
      thread_ = std::thread([this, &writer, chunks = std::move(chunks)] { run(writer, chunks); });
    } catch (const std::system_error& error) {
      throw Error(std::string("a checkpoint: cannot start a thread: ") + error.what());
    }
  }

  /// Bytes of the complete file; 0 before. Throws what the end threw.
  std::uint64_t bytes() {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    return bytes_;
  }

 private:
  void run(CheckpointWriter& writer, const std::vector<CheckpointChunk>& chunks) {
    try {
      std::uint64_t population = 0, hash = 0;
      for (const CheckpointChunk& chunk : chunks) {
        population += chunk.population;
        hash = hash_add(hash, chunk.hash);
      }
      const std::uint64_t bytes = writer.finish(chunks, population, hash);
      const std::lock_guard lock(mutex_);
      bytes_ = bytes;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
  }

  std::mutex mutex_;
  std::uint64_t bytes_ = 0;
  std::exception_ptr failure_;
  std::thread thread_;
};

// One checkpoint. Its threads end before its file is closed.
struct RankJob {
  RankJob(const std::string& path, const CheckpointHeader& header, CheckpointWriter::Role role,
          const Box& rows)
      : writer(path, header, role), part(writer, rows), generation(header.generation) {}

  CheckpointWriter writer;
  RankPart part;
  RankFinish finish;
  std::uint64_t generation;
  std::uint64_t end = 0;  // of the chunks that have places
  bool is_gathered = false;
  RankSaverClock::time_point start = RankSaverClock::now();
};

struct RankCheckpointSaver::State {
  std::string path;
  std::shared_ptr<RankLink> link;
  int threads = 1;
  Grid copy;                   // kept for the next checkpoint, as its pages are expensive to obtain
  bool has_written = false;    // FILE
  std::optional<RankJob> job;  // destroyed before the copy that it reads
  CheckpointSaver::Report report;

  ChunkSources copied(const Simulation& simulation, const Box& rows);
  void join(const CheckpointHeader& header, std::uint64_t mark, const Box& rows);
  void begin(const Simulation& simulation, const std::string& notes);
  bool advance();
  void complete(std::uint64_t bytes);
  void wait_with(const ChunkSource& source);

  // Calls an action of this rank alone; what it throws ends the others, too, which name this rank. Rank 0
  // reports its own errors, and names itself.
  template <class Action>
  auto alone(const Action& action) {
    try {
      return action();
    } catch (const Error& error) {
      fail(error.what(), error.kind());
    } catch (const std::exception& error) {
      fail(error.what(), ErrorKind::run);
    }
  }

  [[noreturn]] void fail(const std::string& text, ErrorKind kind) {
    link->raise(text, kind);
    throw Error(link->rank() == 0 ? "rank 0: " + text : text, kind);
  }
};

// The sources of a copy of this rank's rows; empty if there is no memory for one.
ChunkSources RankCheckpointSaver::State::copied(const Simulation& simulation, const Box& rows) {
  report.copied_on_device = false;
  try {
    const DeviceView view = device_rows_of_rank(simulation);
    report.copied_on_device = true;
    report.copy_bytes = static_cast<std::uint64_t>(view.bytes_per_row * view.size.height);
    return chunks_of(view, rows.y);
  } catch (const Error&) {
    // Not on a GPU, or its memory is full
  }
  report.copy_bytes = 0;
  try {
    if (copy.width() != rows.width || copy.height() != rows.height) {
      copy = Grid();
      copy = Grid(rows.width, rows.height);
    }
  } catch (const Error&) {
    copy = Grid();
    return {};
  }
  read_rows_of_rank(simulation, rows.y, copy.view());
  report.copy_bytes = static_cast<std::uint64_t>(8 * copy.words_per_row() * copy.height());
  return chunks_of(copy, rows.y);
}

// Opens the file that rank 0 has created. An error ends the others only when all have tried to: rank 0
// removes the file then, and a rank that came later would report that it is missing.
void RankCheckpointSaver::State::join(const CheckpointHeader& header, std::uint64_t mark, const Box& rows) {
  std::exception_ptr failure;
  try {
    if (link->rank() != 0) {
      job.emplace(path, header, CheckpointWriter::Role::joins, rows);
      job->writer.require_mark(mark);
    }
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  wait_for_ranks(*link);
  if (failure) alone([&] { std::rethrow_exception(failure); });
}

void RankCheckpointSaver::State::begin(const Simulation& simulation, const std::string& notes) {
  const auto start = RankSaverClock::now();
  const Box rows = rows_of_rank(simulation);
  CheckpointHeader header = checkpoint_header(simulation);
  header.notes = notes;
  const bool creates = link->rank() == 0;
  std::uint64_t mark = 0;
  if (creates) {
    alone([&] {
      job.emplace(path, header, CheckpointWriter::Role::creates, rows);
      mark = job->writer.mark();
      // Other machines see what is on the server's disk
      if (std::ssize(link->ranks_of_host()) < link->size()) job->writer.synchronise();
    });
  }
  const ChunkSources sources = copied(simulation, rows);
  std::uint64_t sums[] = {creates ? job->writer.first_offset() : 0, sources ? 0U : 1U,
                          report.copied_on_device ? 1U : 0U, report.copy_bytes, mark};
  sum_ranks(*link, sums);  // and by now the file exists
  join(header, sums[4], rows);
  if (creates && has_written) job->writer.trust_present_file();
  job->start = start;
  job->end = sums[0];
  report.copied_on_device = sums[2] == static_cast<std::uint64_t>(link->size());
  report.copy_bytes = sums[3];
  alone([&] { job->part.start(threads, sources); });
  if (sums[1] > 0) {
    const auto read = [&](std::int64_t first, const GridView& to) {
      read_rows_of_rank(simulation, first, to);
    };
    wait_with(sources ? ChunkSource() : read);
  }
  report.pause_seconds = rank_seconds_since(start);
  report.longest_pause_seconds = std::max(report.longest_pause_seconds, report.pause_seconds);
}

bool RankCheckpointSaver::State::advance() {
  alone([&] { job->part.rethrow_failure(); });
  const auto ranks = static_cast<std::size_t>(link->size()), rank = static_cast<std::size_t>(link->rank());
  // Bytes of each rank that need places, ranks whose rows are all on the disk, bytes of the complete file
  std::vector<std::uint64_t> values(ranks + 2);
  values[rank] = job->part.take();
  values[ranks] = job->part.is_synchronised() ? 1 : 0;
  values[ranks + 1] = alone([&] { return job->finish.bytes(); });
  sum_ranks(*link, values);
  std::uint64_t offset = job->end;
  for (std::size_t i = 0; i < ranks; ++i) {
    if (i == rank) offset = job->end;
    job->end += values[i];
  }
  job->part.place(offset);
  if (values[ranks] == ranks && !job->is_gathered) {
    job->is_gathered = true;
    std::vector<CheckpointChunk> chunks = gather_chunks(*link, job->part.chunks());
    if (rank == 0) alone([&] { job->finish.start(job->writer, std::move(chunks)); });
  }
  if (values[ranks + 1] > 0) complete(values[ranks + 1]);
  return job.has_value();
}

void RankCheckpointSaver::State::complete(std::uint64_t bytes) {
  has_written = true;
  ++report.written;
  report.generation = job->generation;
  report.bytes = bytes;
  report.write_seconds = rank_seconds_since(job->start);
  job.reset();
}

void RankCheckpointSaver::State::wait_with(const ChunkSource& source) {
  while (job) {
    if (source) alone([&] { job->part.compress(source); });
    if (advance()) std::this_thread::sleep_for(wait_nap);
  }
}

RankCheckpointSaver::RankCheckpointSaver(std::string path, std::shared_ptr<RankLink> link, int threads)
    : state_(std::make_unique<State>()) {
  if (const char* reason = checkpoints_unavailable_reason()) throw Error(reason, ErrorKind::unavailable);
  state_->path = ordinary_file(path);
  state_->link = std::move(link);
  state_->threads = threads > 0 ? threads : std::min(usable_threads(), max_threads_of_rank);
}

RankCheckpointSaver::~RankCheckpointSaver() = default;

void RankCheckpointSaver::save(const Simulation& simulation, const std::string& notes) {
  wait();
  state_->begin(simulation, notes);
}

bool RankCheckpointSaver::advance() { return state_->job && state_->advance(); }

bool RankCheckpointSaver::busy() const { return state_->job.has_value(); }

void RankCheckpointSaver::wait() { state_->wait_with({}); }

CheckpointSaver::Report RankCheckpointSaver::report() const { return state_->report; }

}  // namespace moorea
