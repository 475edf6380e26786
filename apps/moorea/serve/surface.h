// SPDX-License-Identifier: MIT
// The geometry of a surface as a message, which the page draws in three dimensions.
#pragma once

#include <cstdint>
#include <string>

#include "moorea/mesh.h"

namespace app {

/// Faces that a browser shows fluently, on a machine with graphics of its own.
constexpr std::int64_t max_shown_faces = std::int64_t{1} << 21;

/// The event `mesh`: the points as three little-endian floats each, then the faces as four little-endian
/// 32-bit corners each, of which each is the difference from that of the face before: regular meshes then
/// compress to little. Throws moorea::Error (usage) for more than max_shown_faces.
std::string packed_mesh(const moorea::Mesh& mesh);

/// The last part of a mesh's name, which can be the path of a file.
std::string short_name(const moorea::Mesh& mesh);

}  // namespace app
