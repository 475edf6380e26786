// SPDX-License-Identifier: MIT
// Contract of kernels whose cells are the faces of a mesh, and the neighbour tables that they read. Cell i of
// a buffer is the face with number i, a byte in the layout `faces`, a bit in the layout `face_bits`. The cell
// after the last face exists and is always dead: tables name it where a face has fewer neighbours.
#pragma once

#include <cstdint>

#include "moorea/kernel.h"

namespace moorea::kernels {

/// Neighbour table that a kernel reads.
enum class MeshTable {
  none,        ///< not a kernel of meshes
  structures,  ///< the neighbours of a face together, found through an index (array of structures)
  arrays,      ///< an array for each neighbour (structure of arrays)
  edges,       ///< the neighbours across the four edges of quads in rows and columns
  words,       ///< the neighbours of 32 or 64 faces at a time, see MeshWords
};

/// Neighbours of the faces that share a word of 32 or 64 bits. Most words of a well-numbered mesh have a
/// pattern: their faces have neighbours at the same distances, so that the neighbours of all faces of the
/// word are words too, each at one bit offset. Faces that do not follow their word's pattern are exceptions.
struct MeshWords {
  static constexpr std::uint32_t has_exceptions = 0x80000000;
  static constexpr int max_distances = 15;

  std::int64_t words = 0;
  /// Per word: index of its pattern, and has_exceptions if some of its faces do not follow it.
  const std::uint32_t* patterns = nullptr;
  const std::uint32_t* run_ends = nullptr;  ///< per word: the first one after it with another pattern
  /// Per word: the faces that follow the pattern; 32-bit words use the lower half.
  const std::uint64_t* regular = nullptr;
  /// Per pattern: the number of distances, then max_distances of them. A pattern without distances is that of
  /// words whose faces are all exceptions.
  const std::int32_t* distances = nullptr;
  const std::uint32_t* first_exceptions = nullptr;  ///< per word, and the number of exceptions at the end
  std::int64_t exceptions = 0;
  const std::uint32_t* exception_faces = nullptr;
  /// Neighbour k of exception e is at k * exceptions + e.
  const std::uint32_t* exception_neighbours = nullptr;
  int most_neighbours = 0;  ///< of an exception
};

struct MeshTables {
  std::int64_t faces = 0;
  int most_neighbours = 0;
  /// structures: the neighbours of face i are neighbours[begins[i]] to neighbours[begins[i + 1] - 1].
  const std::uint32_t* begins = nullptr;
  /// arrays: neighbour k of face i is at k * pitch + i. edges: those across the right, left, upper and lower
  /// edge, likewise; those of the dead cell after the last face are itself.
  const std::uint32_t* neighbours = nullptr;
  std::int64_t pitch = 0;
  MeshWords words;
};

/// Cells of one call: the faces `first` to `last` - 1; in the layout face_bits these are words.
struct MeshCall {
  const void* from;
  void* to;
  std::int64_t first, last;
  const MeshTables* tables;
  RuleMask rule;
};

using StepMesh = void (*)(const MeshCall& call);

struct MeshBinding {
  StepMesh step = nullptr;
};

struct MeshContract {
  MeshBinding (*bind)(RuleMask rule) = nullptr;
  MeshTable table = MeshTable::none;
};

/// Returns the next state of a cell with any number of live neighbours; rules name at most eight.
MOOREA_EVERYWHERE unsigned next_face_state(const RuleMask& rule, unsigned alive, unsigned neighbours) {
  return next_cell_state(rule, alive, neighbours < 15 ? neighbours : 15);
}

}  // namespace moorea::kernels
