// SPDX-License-Identifier: MIT
// Checkpoints of a simulation that continues: a copy of its cells during a pause, and a background thread
// with a team that compresses and writes the copy.
#include <fmt/core.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "checkpoints/checksum.h"
#include "checkpoints/chunk_source.h"
#include "checkpoints/header.h"
#include "checkpoints/ordinary_file.h"
#include "checkpoints/tree_words.h"
#include "devices/cpu/threads.h"
#include "model/bits.h"
#include "model/coordinates.h"
#include "model/hash.h"
#include "moorea/error.h"
#include "moorea/simulation.h"
#include "moorea/support/nine_cells.h"

namespace moorea {
namespace {

using SaverClock = std::chrono::steady_clock;

constexpr int max_saver_threads = 8;  // more wait for the disk

// The cells of a plane are saved as a tree if they are one or are far apart: as sparse patterns are read
// (read_pattern), and in any case beyond 2 TiB.
bool saves_tree(const Simulation& simulation, const Box& box) {
  constexpr double min_cells = 1 << 26, min_cells_a_live_one = 1024, max_cells = 0x1p44;
  if (box.area() <= min_cells) return false;
  return box.area() > max_cells || simulation.is_tree() ||
         box.area() > min_cells_a_live_one * static_cast<double>(simulation.population());
}

double seconds_since(SaverClock::time_point start) {
  return std::chrono::duration<double>(SaverClock::now() - start).count();
}

// One checkpoint: chunks are read, compressed and written by a team, in any order.
class CheckpointJob {
 public:
  CheckpointJob(const std::string& path, const CheckpointHeader& header)
      : header_(header), stored_(stored_size(header)), writer_(path, header) {
    rows_ = rows_per_checkpoint_chunk(stored_.width);
    chunks_.resize(static_cast<std::size_t>((stored_.height + rows_ - 1) / rows_));
    end_ = writer_.first_offset();
  }

  void trust_present_file() { writer_.trust_present_file(); }

  // Returns the bytes of the file.
  std::uint64_t run(int threads, const ChunkSources& sources) {
    team(std::min(threads, std::max(1, static_cast<int>(chunks_.size()))), [&](int, int) {
      try {
        write_chunks(sources());
      } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
        next_ = chunks_.size();
      }
    });
    if (failure_) std::rethrow_exception(failure_);
    if (header_.tree_words) return writer_.finish(chunks_, header_.population, header_.hash);
    std::uint64_t population = 0, hash = 0;
    for (const CheckpointChunk& chunk : chunks_) {
      population += chunk.population;
      hash = hash_add(hash, chunk.hash);
    }
    return writer_.finish(chunks_, population, hash);
  }

 private:
  void write_chunks(const ChunkSource& source) {
    const std::int64_t words = words_for(stored_.width);
    std::vector<std::uint64_t> cells;
    for (std::size_t i = next_++; i < chunks_.size(); i = next_++) {
      CheckpointChunk& chunk = chunks_[i];
      chunk.row = static_cast<std::int64_t>(i) * rows_;
      const std::int64_t rows = std::min(rows_, stored_.height - chunk.row);
      cells.resize(static_cast<std::size_t>(words * rows));
      const GridView view = {cells.data(), words, stored_.width, rows};
      source(chunk.row, view);
      const std::string frame =
          compress_checkpoint_rows(view, {header_.box.x, header_.box.y + chunk.row}, chunk);
      if (frame.empty()) continue;
      {
        const std::lock_guard lock(mutex_);
        chunk.offset = std::exchange(end_, end_ + frame.size());
      }
      writer_.write(chunk.offset, frame);
    }
  }

  CheckpointHeader header_;
  Size stored_;
  CheckpointWriter writer_;
  std::int64_t rows_ = 0;
  std::vector<CheckpointChunk> chunks_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;  // of end_ and failure_
  std::uint64_t end_ = 0;
  std::exception_ptr failure_;
};

// For a team of one thread, while the simulation waits.
ChunkSources chunks_of(const Simulation& simulation, const Box& box) {
  return [&simulation, box] {
    return [&simulation, box](std::int64_t first, const GridView& to) {
      simulation.read({box.x, box.y + first, to.width, to.height}, to);
    };
  };
}

}  // namespace

CheckpointHeader checkpoint_header(const Simulation& simulation) {
  const WorldSpec world = simulation.world();
  CheckpointHeader header;
  require_two_states(world.rule, "a checkpoint");
  header.rule = world.rule;
  header.bounds = world.bounds();
  if (world.mesh != nullptr) {
    header.mesh = world.mesh->name();
    header.adjacency = world.adjacency;
    header.mesh_checksum = mesh_checksum(*world.mesh);
  }
  header.box = simulation.grows() ? simulation.bounding_box().value_or(Box{}) : simulation.box();
  require_box(header.box, "the live cells, of which a checkpoint has the rectangle,");
  if (simulation.grows() && saves_tree(simulation, header.box)) header.tree_words = 0;
  header.generation = simulation.generation();
  header.edge_met = simulation.edge_met();
  return header;
}

std::uint64_t mesh_checksum(const Mesh& mesh) {
  const std::vector<Mesh::Face>& faces = mesh.faces();
  return checksum_of({reinterpret_cast<const char*>(faces.data()), faces.size() * sizeof(Mesh::Face)});
}

// A checkpoint has the name of a mesh, from which it must be possible to make it again.
static void require_made_by_name(const Mesh& mesh) {
  try {
    if (mesh_checksum(*Mesh::make(mesh.name())) == mesh_checksum(mesh)) return;
  } catch (const Error&) {
    // As if it was another one
  }
  throw Error(fmt::format("the mesh \"{}\" is not what Mesh::make() makes of this name, which is all that a "
                          "checkpoint has of it: write it as an OBJ file, and make it from that",
                          mesh.name()),
              ErrorKind::usage);
}

struct CheckpointSaver::State {
  std::string path;
  int threads = 1;
  Grid copy;  // kept for the next checkpoint, as its pages are expensive to obtain
  std::thread thread;
  std::atomic<bool> busy{false};
  bool has_written = false;                // FILE; used by one checkpoint at a time
  std::shared_ptr<const Mesh> known_mesh;  // can be made by its name
  mutable std::mutex mutex;                // of report
  Report report;

  // The sources of the words of a tree, which the header counts.
  ChunkSources copied_tree(const Simulation& simulation, CheckpointHeader& header);
  // The sources of a copy of the cells; empty if there is no memory for one.
  ChunkSources copied(const Simulation& simulation, const CheckpointHeader& header);
  void write(const CheckpointHeader& header, const ChunkSources& sources, int team_threads,
             SaverClock::time_point start);
  void note_pause(double seconds);
  void fail(const std::string& why, int system_error = 0);
};

ChunkSources CheckpointSaver::State::copied_tree(const Simulation& simulation, CheckpointHeader& header) {
  copy = Grid();
  copy = words_of(CellTree::of(simulation));
  header.tree_words = copy.height();
  const WorldSummary facts = simulation.summary();
  header.population = facts.population;
  header.hash = facts.hash;
  const std::lock_guard lock(mutex);
  report.copied_on_device = false;
  report.copy_bytes = static_cast<std::uint64_t>(8 * copy.height());
  return chunks_of(copy);
}

ChunkSources CheckpointSaver::State::copied(const Simulation& simulation, const CheckpointHeader& header) {
  const std::lock_guard lock(mutex);
  report.copied_on_device = false;
  if (header.bounds.topology == Topology::plane || header.bounds.topology == Topology::torus) {
    try {
      const DeviceView view = simulation.device_cells();
      report.copied_on_device = true;
      report.copy_bytes = static_cast<std::uint64_t>(view.bytes_per_row * view.size.height);
      return chunks_of(view);
    } catch (const Error&) {
      // Not on a GPU, or its memory is full
    }
  }
  try {
    if (copy.width() != header.box.width || copy.height() != header.box.height) {
      copy = Grid();
      copy = Grid(header.box.width, header.box.height);
    }
    simulation.read(header.box, copy.view());
    report.copy_bytes = static_cast<std::uint64_t>(8 * copy.words_per_row() * copy.height());
    return chunks_of(copy);
  } catch (const Error&) {
    copy = Grid();
    report.copy_bytes = 0;
    return {};
  }
}

void CheckpointSaver::State::write(const CheckpointHeader& header, const ChunkSources& sources,
                                   int team_threads, SaverClock::time_point start) {
  std::uint64_t bytes = 0;
  try {
    CheckpointJob job(path, header);
    if (has_written) job.trust_present_file();
    bytes = job.run(team_threads, sources);
    has_written = true;
  } catch (const Error& error) {
    return fail(error.what(), error.system_error());
  } catch (const std::exception& error) {
    return fail(error.what());
  }
  const std::lock_guard lock(mutex);
  report.failure.clear();
  report.system_error = 0;
  ++report.written;
  report.generation = header.generation;
  report.bytes = bytes;
  report.write_seconds = seconds_since(start);
}

void CheckpointSaver::State::fail(const std::string& why, int system_error) {
  const std::lock_guard lock(mutex);
  report.failure = why;
  report.system_error = system_error;
  ++report.failed;
}

void CheckpointSaver::State::note_pause(double seconds) {
  const std::lock_guard lock(mutex);
  report.pause_seconds = seconds;
  report.longest_pause_seconds = std::max(report.longest_pause_seconds, seconds);
}

CheckpointSaver::CheckpointSaver(std::string path, int threads) : state_(std::make_unique<State>()) {
  if (const char* reason = checkpoints_unavailable_reason()) throw Error(reason, ErrorKind::unavailable);
  state_->path = ordinary_file(path);
  state_->threads = threads > 0 ? threads : std::min(usable_threads(), max_saver_threads);
}

CheckpointSaver::~CheckpointSaver() { wait(); }

void CheckpointSaver::save(const Simulation& simulation, const std::string& notes) {
  wait();
  const auto start = SaverClock::now();
  CheckpointHeader header;
  ChunkSources sources;
  try {
    header = checkpoint_header(simulation);
    header.notes = notes;
    if (const auto mesh = simulation.world().mesh; mesh != nullptr && mesh != state_->known_mesh) {
      require_made_by_name(*mesh);
      state_->known_mesh = mesh;
    }
    sources =
        header.tree_words ? state_->copied_tree(simulation, header) : state_->copied(simulation, header);
  } catch (const Error& error) {
    return state_->fail(error.what());
  }
  if (!sources) {
    state_->write(header, chunks_of(simulation, header.box), 1, start);
    return state_->note_pause(seconds_since(start));
  }
  state_->busy = true;
  const auto write = [state = state_.get(), header, sources, start] {
    state->write(header, sources, state->threads, start);
    state->busy = false;
  };
  try {
    state_->thread = std::thread(write);
  } catch (const std::system_error&) {
    write();  // no more threads in this process
  }
  state_->note_pause(seconds_since(start));
}

bool CheckpointSaver::busy() const { return state_->busy; }

void CheckpointSaver::wait() {
  if (state_->thread.joinable()) state_->thread.join();
}

CheckpointSaver::Report CheckpointSaver::report() const {
  const std::lock_guard lock(state_->mutex);
  return state_->report;
}

}  // namespace moorea
