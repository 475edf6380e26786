// SPDX-License-Identifier: MIT
// Checkpoints: files from which a run continues exactly, on any device. docs/checkpoints.md describes their
// format and what they guarantee.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "moorea/box.h"
#include "moorea/cell_tree.h"
#include "moorea/grid.h"
#include "moorea/mesh.h"
#include "moorea/pattern.h"
#include "moorea/rule.h"
#include "moorea/topology.h"

#pragma GCC visibility push(default)
namespace moorea {

class Simulation;
struct Options;

/// Returns why this build has no checkpoints, or null.
const char* checkpoints_unavailable_reason();

/// Facts about the world in a checkpoint.
struct CheckpointHeader {
  Rule rule;
  Bounds bounds;                            ///< of a surface with the size of its mesh
  std::string mesh;                         ///< name of a surface's mesh, otherwise empty
  Adjacency adjacency = Adjacency::vertex;  ///< of a surface
  std::uint64_t mesh_checksum = 0;          ///< as mesh_checksum()
  Box box;                                  ///< the saved cells; all others are dead
  /// Empty if all cells of the box are saved. Otherwise they are saved as a tree of squares, in so many words
  /// of 64 bits.
  std::optional<std::int64_t> tree_words = {};
  std::uint64_t generation = 0;                ///< of the cells
  std::uint64_t population = 0;                ///< live cells
  std::uint64_t hash = 0;                      ///< Grid::hash of the cells at their coordinates
  std::optional<std::uint64_t> edge_met = {};  ///< as Simulation::edge_met()
  std::string notes = "{}";                    ///< of the program that saved it: a JSON object
  std::string version = {};                    ///< of the Moorea that wrote it; filled by readers
};

/// Returns the header for a simulation's present state, without population and hash, which the writer of
/// the cells determines. The box of an unbounded plane is that of its live cells. If that has more than 2^26
/// cells, and the plane is a tree or has more than 1024 cells for each live one, the cells are to be saved as
/// a tree: `tree_words` is 0. Throws Error (run or usage) if live cells are beyond max_coordinate or their
/// box has more than 2^60 columns or rows.
CheckpointHeader checkpoint_header(const Simulation& simulation);

/// Returns a checksum of a mesh's faces, which tells whether two meshes of one name are equal.
std::uint64_t mesh_checksum(const Mesh& mesh);

/// Position of some rows of cells in a checkpoint's file. Rows without live cells take no bytes.
struct CheckpointChunk {
  std::int64_t row = 0,
               rows = 0;  ///< counted from the first row of CheckpointHeader::box; or words of a tree
  std::uint64_t offset = 0, bytes = 0;
  std::uint64_t checksum = 0;
  std::uint64_t population = 0, hash = 0;  ///< of these rows, if this process compressed them
};

/// Returns a good number of rows for the chunks of a world of this width: about 1 MiB of cells.
std::int64_t rows_per_checkpoint_chunk(std::int64_t width);

/// Compresses rows of cells for a checkpoint. `at` is the coordinate of their top-left cell. Returns the
/// bytes for the file, and sets all of `chunk` but `row` and `offset`. Several threads may call it at the
/// same time. Throws Error (memory) if memory is exhausted.
std::string compress_checkpoint_rows(const ConstGridView& cells, Position at, CheckpointChunk& chunk);

/// A checkpoint that is being written, under the name FILE.partial, by one process or by several, each of
/// which opens it: one creates the file, all write chunks at offsets that they have agreed on, without gaps
/// from first_offset() on, and synchronise; then the creator calls finish() with the chunks of all. Threads
/// may call write() at the same time.
class CheckpointWriter {
 public:
  enum class Role { creates, joins };

  /// Creates FILE.partial, or opens the one that another process created. Throws Error (run).
  CheckpointWriter(const std::string& path, const CheckpointHeader& header, Role role = Role::creates);
  /// A file that is not finished is removed by its creator.
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  /// Offset of the first chunk, the same in all processes with equal headers.
  std::uint64_t first_offset() const;
  void write(std::uint64_t offset, std::string_view bytes);

  /// Writes a random number into a file that is not complete and returns it, by which processes that join
  /// recognise the file. Throws Error (run).
  std::uint64_t mark();
  /// Throws Error (run) unless this process has opened the file with the mark: without a common file system,
  /// or for a short time with one of a network, it may have another one of this name.
  void require_mark(std::uint64_t mark) const;

  /// Waits until all that this process wrote is on the disk.
  void synchronise();

  /// Declares that the present FILE is known to be complete, so that finish() need not read it.
  void trust_present_file();

  /// Completes the file with the chunks of all processes, in the order of their rows, which must cover
  /// header.box, or the words of its tree; population and hash are those of the whole world. Then the present
  /// FILE becomes FILE.previous, unless it is damaged, and the new one FILE; at any time at least one of them
  /// is complete. Reads the whole present FILE, unless it is trusted. Returns the bytes of the file. Throws
  /// Error (run), for example on a full disk; FILE is then as it was.
  std::uint64_t finish(std::span<const CheckpointChunk> chunks, std::uint64_t population, std::uint64_t hash);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The name of the checkpoint before the last one. `path` is that of the file, not of a link to it.
std::string previous_checkpoint(const std::string& path);

/// A checkpoint's file. Threads may read rows at the same time.
class CheckpointReader {
 public:
  /// Opens a file and reads header and index. Throws Error (run) for a file that cannot be read, is no
  /// checkpoint, is damaged there, or is of a later version.
  explicit CheckpointReader(const std::string& path);
  /// Reads a checkpoint in memory, which must outlive the reader. `source` names it in error messages.
  CheckpointReader(std::string_view bytes, const std::string& source);
  CheckpointReader(CheckpointReader&&) noexcept;
  CheckpointReader& operator=(CheckpointReader&&) noexcept;
  ~CheckpointReader();

  /// Whether a file with these first bytes claims to be a checkpoint.
  static bool recognises(std::string_view bytes);

  const CheckpointHeader& header() const;
  std::span<const CheckpointChunk> chunks() const;

  /// Copies the cells inside `box`, in the cells' coordinates, and reads only the chunks of its rows. Cells
  /// outside the saved box are dead. Throws Error (run) if the file is damaged there, (memory) if the cells
  /// do not fit, Error (usage) for a box beyond max_coordinate.
  Grid window(const Box& box) const;
  /// Copies rows `first` to `first + to.height - 1`, counted from the first saved row, to a view of the
  /// saved box's width. Throws Error as window() does, and Error (usage) for another view.
  void read_rows(std::int64_t first, const GridView& to) const;

  /// All saved cells, with rule, position and generation, as Simulation::snapshot() returns them. Throws
  /// Error (run) if the file is damaged, (memory) if the box of the cells does not fit in memory.
  Pattern pattern() const;
  /// The cells that are saved as a tree (CheckpointHeader::tree_words), at their coordinates. Throws Error
  /// (run) if the file is damaged, (usage) if it has no tree.
  CellTree tree() const;
  /// A simulation that continues the run: a torus, a plane, a surface or an unbounded plane, which stays a
  /// tree if it was saved as one. Throws Error as pattern() and the constructors of Simulation do.
  Simulation simulation(const Options& options) const;
  Simulation simulation() const;  ///< with the default options
  /// Rule, generation and format as in pattern(), without cells and position.
  Pattern facts() const;

  /// Reads the whole file, a chunk at a time. Throws Error (run) if it is damaged anywhere.
  void verify() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes checkpoints of one simulation while it continues, one at a time. Per checkpoint the simulation
/// pauses for a copy of its cells: in the memory of its GPU, if there is room for one, otherwise in main
/// memory. If there is no room for that either, the checkpoint is written during the pause. A surface needs a
/// mesh that Mesh::make() makes by its name.
class CheckpointSaver {
 public:
  /// Results so far.
  struct Report {
    std::uint64_t written = 0;         ///< complete checkpoints
    std::uint64_t failed = 0;          ///< those that could not be written
    std::uint64_t generation = 0;      ///< of the last complete one
    std::uint64_t bytes = 0;           ///< of its file
    std::uint64_t copy_bytes = 0;      ///< memory of the last copy of the cells
    bool copied_on_device = false;     ///< whether that is memory of a GPU
    double pause_seconds = 0;          ///< of the simulation, for the last checkpoint
    double longest_pause_seconds = 0;  ///< of all
    double write_seconds = 0;          ///< from the start of the pause until the last one was on the disk
    std::string failure;               ///< of the last checkpoint; empty if it was written
    int system_error = 0;              ///< its errno, as Error::system_error() has it
  };

  /// Checkpoints are compressed by up to `threads` threads; 0: as many as there are CPUs, at most 8. A link
  /// stays, and the file that it leads to is replaced. Throws Error (usage) for a folder, a pipe or a device,
  /// and for a file that is no checkpoint.
  explicit CheckpointSaver(std::string path, int threads = 0);
  /// Waits for the checkpoint that is being written.
  ~CheckpointSaver();
  CheckpointSaver(const CheckpointSaver&) = delete;
  CheckpointSaver& operator=(const CheckpointSaver&) = delete;

  /// Begins a checkpoint; waits first until the one before is complete. The simulation must exist until
  /// wait() returns, and device_cells() must not be called until then. `notes` is a JSON object that readers
  /// find in the header. Errors of writing are in report().
  void save(const Simulation& simulation, const std::string& notes = "{}");

  /// Whether a checkpoint is being written.
  bool busy() const;
  void wait();
  Report report() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace moorea
#pragma GCC visibility pop
