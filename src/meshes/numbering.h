// SPDX-License-Identifier: MIT
// Orders of faces in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "meshes/neighbours.h"
#include "moorea/mesh.h"

namespace moorea {

/// Returns the number of each face in reverse Cuthill-McKee order (Cuthill and McKee 1969, George 1971):
/// breadth first, faces with few neighbours before those with many.
std::vector<std::uint32_t> cuthill_mckee_numbers(const FaceNeighbours& neighbours);

/// Returns the number of each face along strips. A strip leads across opposite edges of quads, and in
/// triangles alternately across the left and the right edge; of triangles, those of even and those of odd
/// position are numbered apart. The next strip begins beside the first face of the one before and leads in
/// the same direction, so that in regular parts of a mesh the numbers of neighbours differ by constants.
std::vector<std::uint32_t> strip_numbers(const Mesh& mesh);

/// Returns random numbers from 0 to n - 1, each once, the same on every machine.
std::vector<std::uint32_t> random_numbers(std::size_t n);

}  // namespace moorea
