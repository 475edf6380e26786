// SPDX-License-Identifier: MIT
// What a page may say to moorea serve: docs/serve.md has the list. Everything is checked here, so that who
// acts on a message need not; what could not have come from the page is malformed, and closes its socket.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "moorea/grid.h"
#include "moorea/pattern.h"
#include "moorea/topology.h"

namespace app {

namespace message {

// What everybody may say

/// The squares to be seen from now on.
struct Look {
  moorea::Raster raster;
};
/// The last update has been shown: the next one may come.
struct Ready {};
/// Asks for the box of what lives.
struct Live {};

// What only those may say who control the run

struct Play {};
struct Stop {};
struct Step {
  std::uint64_t generations;
};
/// A step, which is as many generations as a frame has now; forth, or back in time.
struct Stride {
  bool back;
};
/// Generations a step, as a power of two; below 0 a generation takes several frames.
struct Speed {
  int exponent;
};
/// The same, so much more.
struct Faster {
  int by;
};
/// To a generation, forth or back.
struct Go {
  std::uint64_t generation;
};
struct Reset {};
struct Undo {};

struct Draw {
  std::vector<moorea::Position> cells;
  bool alive;
  bool first;  ///< of a stroke, which is undone as a whole
};
/// All dead in a box.
struct Clear {
  moorea::Box box;
};
/// Adds the live cells of a pattern, which is text.
struct Paste {
  moorea::Position at;
  std::string text;
};
/// Asks for a box as a pattern.
struct Copy {
  moorea::Box box;
};
/// Noise in a box.
struct Fill {
  moorea::Box box;
  double density;
  std::uint64_t seed;
};
/// Another world, of noise or empty; without bounds a plane that grows, which is empty.
struct Make {
  std::optional<moorea::Bounds> bounds;
  double density;
  std::uint64_t seed;
};
/// The same cells in other bounds.
struct Resize {
  std::optional<moorea::Bounds> bounds;
};
struct SetRule {
  std::string rule;
};
/// Asks what a text means as a rule.
struct CheckRule {
  std::string rule;
};
/// Asks which kernels can run this rule.
struct Kernels {};
struct Engine {
  std::string device, kernel;
};
struct Open {
  std::string name, bytes;
};
/// Opens a pattern of those that come with Moorea.
struct Library {
  std::string name;
};
/// Asks for what the bytes of a pattern say: its size, its rule, its cells as RLE. The name is for errors.
struct Read {
  std::string name, text;
};
/// The same of one of those that come with Moorea.
struct FetchPattern {
  std::string name;
};
/// Asks for the world as a file.
struct Save {
  std::string format;
};

}  // namespace message

using ClientMessage =
    std::variant<message::Look, message::Ready, message::Live, message::Play, message::Stop, message::Step,
                 message::Stride, message::Speed, message::Faster, message::Go, message::Reset, message::Undo,
                 message::Draw, message::Clear, message::Paste, message::Copy, message::Fill, message::Make,
                 message::Resize, message::SetRule, message::CheckRule, message::Kernels, message::Engine,
                 message::Open, message::Library, message::FetchPattern, message::Read, message::Save>;

constexpr std::int64_t farthest_cell = std::int64_t{1} << 40;
constexpr std::int64_t max_squares = 5 << 20;

/// Reads a message: JSON, or in binary a line of JSON and bytes. Throws moorea::Error (usage) for what is
/// malformed.
ClientMessage parse_message(std::string_view text, bool binary);

/// Whether those may say it who only watch.
bool is_for_all(const ClientMessage& message);

}  // namespace app
