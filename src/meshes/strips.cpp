// SPDX-License-Identifier: MIT
// Numbering along strips.
#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "meshes/links.h"
#include "meshes/numbering.h"

namespace moorea {
namespace {

constexpr std::uint32_t unnumbered = 0xFFFFFFFF;

// A face of a strip: the strip enters across `entry` and leaves across exit(). In triangles it turns left and
// right alternately. `mirrored` faces list their corners the other way around.
struct Step {
  std::uint32_t face = 0;
  int entry = 0;
  bool odd = false;
  bool mirrored = false;
};

class StripWalk {
 public:
  explicit StripWalk(const Mesh& mesh)
      : faces_(mesh.faces()),
        links_(edge_links(mesh.faces(), mesh.points().size())),
        numbers_(mesh.faces().size(), unnumbered),
        taken_(mesh.faces().size()) {
    for (std::uint32_t face = 0; face < faces_.size() && all_alike_; ++face) {
      for (int edge = 0; edge < edges(face); ++edge) all_alike_ &= is_alike(face, edge);
    }
  }

  std::vector<std::uint32_t> numbers() {
    for (std::uint32_t first = 0; first < faces_.size(); ++first) {
      if (!taken_[first]) walk_component(first);
    }
    return std::move(numbers_);
  }

 private:
  int edges(std::uint32_t face) const { return edge_count(faces_[face]); }

  // Whether the face beyond an edge, if there is one, lists its corners in the same direction.
  bool is_alike(std::uint32_t face, int edge) const {
    const EdgeLink link = links_[face][static_cast<std::size_t>(edge)];
    return link.is_boundary() || is_oriented_alike(faces_[face], edge, faces_[link.face()], link.edge());
  }

  // Edge `turns` further around the face, as seen from outside.
  int around(const Step& step, int turns) const {
    const int n = edges(step.face);
    return (step.entry + (step.mirrored ? n - turns : turns)) % n;
  }
  int exit(const Step& step) const { return around(step, edges(step.face) == 4 ? 2 : step.odd ? 2 : 1); }
  // The edge on one side of the strip; a triangle has an edge on one side only.
  std::optional<int> side(const Step& step, bool left) const {
    if (edges(step.face) == 4) return around(step, left ? 3 : 1);
    if (left == step.odd) return std::nullopt;
    return around(step, step.odd ? 1 : 2);
  }

  // The face across an edge, not oriented yet.
  std::optional<Step> across(const Step& from, int edge) const {
    const EdgeLink link = links_[from.face][static_cast<std::size_t>(edge)];
    if (link.is_boundary()) return std::nullopt;
    Step step;
    step.face = link.face();
    step.entry = link.edge();
    if (!all_alike_) step.mirrored = from.mirrored != !is_alike(from.face, edge);
    return step;
  }

  std::optional<Step> next(const Step& step) const {
    std::optional<Step> next = across(step, exit(step));
    if (next) next->odd = !step.odd;
    return next;
  }

  std::optional<Step> previous(const Step& step) const {
    std::optional<Step> previous = across(step, step.entry);
    if (!previous) return std::nullopt;
    previous->odd = !step.odd;
    // It was entered across its exit
    const Step reached = *previous;
    const int n = edges(previous->face), turns = n == 4 ? 2 : previous->odd ? 1 : 2;
    previous->entry = around(reached, turns);
    return previous;
  }

  // A face beside a strip, such that its strip leads in the same direction.
  std::optional<Step> beside(const Step& step, bool left) const {
    const std::optional<int> edge = side(step, left);
    if (!edge) return std::nullopt;
    std::optional<Step> beside = across(step, *edge);
    if (!beside) return std::nullopt;
    // The shared edge lies on its other side
    const Step reached = *beside;
    if (edges(beside->face) == 4) {
      beside->entry = around(reached, left ? 3 : 1);
    } else {
      beside->odd = left;
      beside->entry = around(reached, left ? 2 : 1);
    }
    return beside;
  }

  void walk_component(std::uint32_t first) {
    std::deque<Step> candidates = {{first, 0, false, false}};
    while (!candidates.empty()) {
      const Step start = candidates.front();
      candidates.pop_front();
      if (taken_[start.face]) continue;
      const std::vector<Step> strip = walk_strip(start);
      number(strip);
      // The strip beside the first face comes next, then others on this side, then those on the other side
      std::vector<Step> found = strips_beside(strip, true);
      const std::vector<Step> right = strips_beside(strip, false);
      found.insert(found.end(), right.begin(), right.end());
      candidates.insert(candidates.begin(), found.begin(), found.end());
    }
  }

  // A free face of each strip on one side; a face that continues the strip of the one before is left out.
  std::vector<Step> strips_beside(const std::vector<Step>& strip, bool left) const {
    std::vector<Step> found;
    std::optional<Step> last;
    for (const Step& step : strip) {
      const std::optional<Step> other = beside(step, left);
      if (!other || taken_[other->face]) continue;
      // Of triangles, every second one is beside the strip
      const std::optional<Step> second = last ? next(*last) : last, third = second ? next(*second) : second;
      const bool continues = (second && second->face == other->face) || (third && third->face == other->face);
      if (!continues) found.push_back(*other);
      last = other;
    }
    return found;
  }

  // All free faces of a strip, from its first one on if it has ends.
  std::vector<Step> walk_strip(Step start) {
    taken_[start.face] = true;
    std::vector<Step> before, strip = {start};
    for (std::optional<Step> step = next(start); step && !taken_[step->face]; step = next(*step)) {
      taken_[step->face] = true;
      strip.push_back(*step);
    }
    for (std::optional<Step> step = previous(start); step && !taken_[step->face]; step = previous(*step)) {
      taken_[step->face] = true;
      before.push_back(*step);
    }
    std::reverse(before.begin(), before.end());
    strip.insert(strip.begin(), before.begin(), before.end());
    return strip;
  }

  // Triangles of odd position come after the others.
  void number(const std::vector<Step>& strip) {
    for (const bool odd : {false, true}) {
      for (const Step& step : strip)
        if ((edges(step.face) == 3 && step.odd) == odd) numbers_[step.face] = count_++;
    }
  }

  const std::vector<Mesh::Face>& faces_;
  std::vector<FaceLinks> links_;
  std::vector<std::uint32_t> numbers_;
  std::vector<bool> taken_;
  bool all_alike_ = true;  // faces list their corners in the same direction, so that none is mirrored
  std::uint32_t count_ = 0;
};

}  // namespace

std::vector<std::uint32_t> strip_numbers(const Mesh& mesh) { return StripWalk(mesh).numbers(); }

}  // namespace moorea
