// SPDX-License-Identifier: MIT
// Pictures of surfaces in three dimensions.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "moorea/box.h"
#include "moorea/mesh.h"
#include "moorea/picture.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Direction from which a surface is seen; it fills the picture at a zoom of 1.
struct Camera {
  double azimuth = 30;    ///< degrees around the vertical axis
  double elevation = 30;  ///< degrees above the horizontal plane, -90 to 90
  double zoom = 1;        ///< 0.1 to 10
};

/// Draws a mesh in perspective, its faces shaded by one light, hidden ones removed, edges smoothed by four
/// samples per pixel. Drawing takes time proportional to the faces and the pixels, on all CPUs.
class SurfacePainter {
 public:
  /// Throws Error (usage) for a picture without pixels or an invalid camera, Error (run) if it does not fit
  /// in memory.
  SurfacePainter(std::shared_ptr<const Mesh> mesh, Size pixels);

  /// Chooses the direction of the following pictures.
  void look(const Camera& camera);

  /// Draws the mesh with a level for each face: a picture of the mesh's size, a pixel per face, as
  /// draw_density() and CellHistory draw it. The colours are those of surface_palette(). Throws Error (usage)
  /// for another size.
  Picture draw(const Picture& faces) const;

 private:
  struct Sample {
    std::uint32_t face;
    std::uint8_t shade;
  };

  std::vector<std::array<float, 4>> projected() const;
  void paint_rows(const std::vector<std::array<float, 4>>& points, std::int64_t top, std::int64_t bottom);

  std::shared_ptr<const Mesh> mesh_;
  Size pixels_;
  Camera camera_;
  Mesh::Point centre_{};
  float radius_ = 1;
  std::vector<Sample> samples_;
};

/// Colours of a SurfacePainter's pictures, from those of flat pictures: the background, and levels in shades.
Palette surface_palette(const Palette& flat);

}  // namespace moorea
#pragma GCC visibility pop
