// SPDX-License-Identifier: MIT
// The messages of clients of moorea serve; docs/serve.md lists them. The parser checks every member, so that
// handlers need not. A message that the page cannot have sent is malformed and closes its socket.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "moorea/grid.h"
#include "moorea/pattern.h"
#include "moorea/picture.h"
#include "moorea/topology.h"

namespace app {

namespace message {

// View requests, open to every client

/// Sets the squares to be seen from now on, and what their colours mean.
struct Look {
  moorea::Raster raster;
  moorea::Colouring show = moorea::Colouring::cells;
};
/// Asks for the next update: the last one has been shown.
struct Ready {};
/// Asks for the box of the live cells.
struct Live {};
/// Asks for the geometry of a surface.
struct FetchMesh {};
/// Asks for the next record of which thread computes which tile.
struct WatchTiles {};

// For clients that control the run

struct Play {};
struct Stop {};
struct Step {
  std::uint64_t generations;
};
/// Goes one step forward, or back in time.
struct Stride {
  bool back;
};
/// Sets the generations per step, as a power of two; below 0 a generation takes several frames.
struct Speed {
  int exponent;
};
/// Doubles the steps while they take less than a frame, or no longer.
struct Hyperspeed {
  bool on;
};
/// Adds to the exponent of the generations per step.
struct Faster {
  int by;
};
/// Goes to a generation, in the past or the future.
struct Go {
  std::uint64_t generation;
};
struct Reset {};
struct Undo {};
struct Redo {};

struct Draw {
  std::vector<moorea::Position> cells;
  int state;   ///< that they are in from now on; 0 is dead
  bool first;  ///< part of a stroke, which is undone as a whole
};
/// Kills all cells in a box.
struct Clear {
  moorea::Box box;
};
/// Adds the live cells of a pattern file.
struct Paste {
  moorea::Position at;
  std::string text;
};
/// Asks for the cells of a box as a pattern.
struct Copy {
  moorea::Box box;
  bool cut;  ///< clears it, too, if it could be copied
};
/// Replaces the cells of a box by noise.
struct Fill {
  moorea::Box box;
  double density;
  std::uint64_t seed;
};
/// Starts another world with noise; an unbounded plane starts empty, and a surface remains the same one.
struct Make {
  moorea::Bounds bounds;
  double density;
  std::uint64_t seed;
};
/// Keeps the cells and changes the bounds.
struct Resize {
  moorea::Bounds bounds;
};
struct SetRule {
  std::string rule;
};
/// Asks whether a text is a rule, and which.
struct CheckRule {
  std::string rule;
};
/// Asks which kernels can run the rule of the world.
struct Kernels {};
struct Engine {
  std::string device, kernel;
};
struct Open {
  std::string name, bytes;
};
/// Opens a bundled pattern.
struct Library {
  std::string name;
};
/// Asks for the size, rule and cells (as RLE) of a pattern file. The name is for error messages.
struct Read {
  std::string name, text;
};
/// Asks for the size, rule and cells (as RLE) of a bundled pattern.
struct FetchPattern {
  std::string name;
};
/// Asks what the cells of a box are, or all of them, and ends the search that this client has under way.
struct Identify {
  std::optional<moorea::Box> box;
};
/// Ends the search that this client has under way.
struct StopIdentifying {};
/// Asks for the world as a pattern file. The answer repeats what the client wants it for.
struct Save {
  std::string format, use;
};

}  // namespace message

using ClientMessage =
    std::variant<message::Look, message::Ready, message::Live, message::FetchMesh, message::WatchTiles,
                 message::Play, message::Stop, message::Step, message::Stride, message::Speed,
                 message::Faster, message::Hyperspeed, message::Go, message::Reset, message::Undo,
                 message::Redo, message::Draw, message::Clear, message::Paste, message::Copy, message::Fill,
                 message::Make, message::Resize, message::SetRule, message::CheckRule, message::Kernels,
                 message::Engine, message::Open, message::Library, message::FetchPattern, message::Read,
                 message::Identify, message::StopIdentifying, message::Save>;

constexpr std::int64_t farthest_cell = std::int64_t{1} << 53;
constexpr std::int64_t max_squares = 5 << 20;

/// Parses a message: JSON, or if `binary` a line of JSON followed by bytes. Throws moorea::Error (usage) if
/// it is malformed.
ClientMessage parse_message(std::string_view text, bool binary);

/// Whether a message only asks what its sender is to be shown; every client may send these.
bool is_view_request(const ClientMessage& message);

}  // namespace app
