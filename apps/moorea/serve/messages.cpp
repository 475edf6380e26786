// SPDX-License-Identifier: MIT
#include "serve/messages.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "moorea/error.h"
#include "moorea/rule.h"

namespace app {
namespace {

using nlohmann::json;

constexpr std::size_t max_drawn_cells = 1 << 16;  // cells in one message
constexpr std::size_t max_json_bytes = 4 << 20;
constexpr int max_json_depth = 2;            // a list in an object
constexpr std::size_t max_name_bytes = 200;  // of a rule, a device, a file
constexpr std::int64_t max_side = std::int64_t{1} << 31;
constexpr std::int64_t max_generation = std::int64_t{1} << 53;  // exact in JavaScript

[[noreturn]] void malformed(const std::string& why) {
  throw moorea::Error(fmt::format("malformed message: {}", why), moorea::ErrorKind::usage);
}

// The members of a message. Each is checked for its type and range.
class Members {
 public:
  explicit Members(const json& object) : object_(object) {
    if (!object.is_object()) malformed("expected a JSON object");
  }

  std::int64_t whole(const char* name, std::int64_t minimum, std::int64_t maximum) const {
    return whole(member(name), name, minimum, maximum);
  }
  static std::int64_t whole(const json& value, const char* name, std::int64_t minimum, std::int64_t maximum) {
    // Unsigned numbers beyond INT64_MAX would wrap
    if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX))
      malformed(fmt::format("{} is not a whole number", name));
    const auto number = value.get<std::int64_t>();
    if (number < minimum || number > maximum)
      malformed(fmt::format("{} is not in {} to {}", name, minimum, maximum));
    return number;
  }
  double part(const char* name) const {
    const json& value = member(name);
    if (!value.is_number()) malformed(fmt::format("{} is not a number", name));
    const auto number = value.get<double>();
    if (!(number >= 0 && number <= 1)) malformed(fmt::format("{} is not in 0 to 1", name));
    return number;
  }
  bool flag(const char* name) const {
    const json& value = member(name);
    if (!value.is_boolean()) malformed(fmt::format("{} is not true or false", name));
    return value.get<bool>();
  }
  std::string text(const char* name, std::size_t maximum = max_name_bytes) const {
    const json& value = member(name);
    if (!value.is_string()) malformed(fmt::format("{} is not a string", name));
    std::string found = value.get<std::string>();
    if (found.size() > maximum) malformed(fmt::format("{} is longer than {} bytes", name, maximum));
    return found;
  }
  const json& list(const char* name, std::size_t maximum) const {
    const json& value = member(name);
    if (!value.is_array() || value.size() > maximum)
      malformed(fmt::format("{} is not a list of at most {} numbers", name, maximum));
    return value;
  }

  bool has(const char* name) const { return object_.contains(name); }

  moorea::Position position() const {
    return {whole("x", -farthest_cell, farthest_cell), whole("y", -farthest_cell, farthest_cell)};
  }
  moorea::Box box() const {
    const moorea::Position at = position();
    return {at.x, at.y, whole("width", 1, 2 * farthest_cell), whole("height", 1, 2 * farthest_cell)};
  }
  // A number, or the digits of one that JavaScript could not represent.
  std::uint64_t seed() const {
    if (!member("seed").is_string()) return static_cast<std::uint64_t>(whole("seed", 0, max_generation));
    const std::string digits = text("seed");
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
    if (error != std::errc() || end != digits.data() + digits.size())
      malformed("seed is no whole number below 2^64");
    return seed;
  }
  moorea::Bounds bounds() const {
    const std::string topology = text("topology");
    if (topology == "unbounded") return {};
    if (topology == "surface") return {moorea::Topology::surface, 0, 0};
    if (topology != "plane" && topology != "torus")
      malformed("topology is not unbounded, plane, torus or surface");
    return {moorea::parse_topology(topology), whole("width", 1, max_side), whole("height", 1, max_side)};
  }

 private:
  const json& member(const char* name) const {
    const auto found = object_.find(name);
    if (found == object_.end()) malformed(fmt::format("{} is missing", name));
    return *found;
  }

  const json& object_;
};

moorea::Colouring parse_colouring(const std::string& name) {
  for (const moorea::ColouringInfo& info : moorea::colourings()) {
    if (info.name == name) return info.colouring;
  }
  malformed("show is no colouring");
}

message::Look parse_look(const Members& members) {
  const moorea::Position at = members.position();
  const moorea::Raster raster{at.x, at.y, members.whole("columns", 1, max_squares),
                              members.whole("rows", 1, max_squares),
                              members.whole("scale", 1, moorea::max_far_scale)};
  if (raster.columns * raster.rows > max_squares) malformed("the view has too many squares");
  return {raster, members.has("show") ? parse_colouring(members.text("show")) : moorea::Colouring::cells};
}

message::Draw parse_draw(const Members& members) {
  const auto state = static_cast<int>(members.whole("state", 0, moorea::Rule::max_states - 1));
  message::Draw draw{{}, state, members.flag("first")};
  const json& numbers = members.list("cells", 2 * max_drawn_cells);
  if (numbers.empty() || numbers.size() % 2 != 0) malformed("cells are pairs of numbers");
  for (std::size_t i = 0; i < numbers.size(); i += 2)
    draw.cells.push_back({Members::whole(numbers[i], "x", -farthest_cell, farthest_cell),
                          Members::whole(numbers[i + 1], "y", -farthest_cell, farthest_cell)});
  return draw;
}

using Parse = ClientMessage (*)(const Members&, std::string_view rest);

const std::map<std::string_view, Parse>& parsers() {
  using namespace message;
  static const std::map<std::string_view, Parse> all = {
      {"look", [](const Members& m, auto) -> ClientMessage { return parse_look(m); }},
      {"ready", [](const Members&, auto) -> ClientMessage { return Ready{}; }},
      {"play", [](const Members&, auto) -> ClientMessage { return Play{}; }},
      {"stop", [](const Members&, auto) -> ClientMessage { return Stop{}; }},
      {"step",
       [](const Members& m, auto) -> ClientMessage {
         return Step{static_cast<std::uint64_t>(m.whole("generations", 1, max_generation))};
       }},
      {"speed",
       [](const Members& m, auto) -> ClientMessage {
         return Speed{static_cast<int>(m.whole("exponent", -100, 100))};
       }},
      {"stride", [](const Members& m, auto) -> ClientMessage { return Stride{m.flag("back")}; }},
      {"faster",
       [](const Members& m, auto) -> ClientMessage {
         return Faster{static_cast<int>(m.whole("by", -100, 100))};
       }},
      {"hyperspeed", [](const Members& m, auto) -> ClientMessage { return Hyperspeed{m.flag("on")}; }},
      {"go",
       [](const Members& m, auto) -> ClientMessage {
         return Go{static_cast<std::uint64_t>(m.whole("generation", 0, max_generation))};
       }},
      {"reset", [](const Members&, auto) -> ClientMessage { return Reset{}; }},
      {"undo", [](const Members&, auto) -> ClientMessage { return Undo{}; }},
      {"redo", [](const Members&, auto) -> ClientMessage { return Redo{}; }},
      {"draw", [](const Members& m, auto) -> ClientMessage { return parse_draw(m); }},
      {"clear", [](const Members& m, auto) -> ClientMessage { return Clear{m.box()}; }},
      {"paste",
       [](const Members& m, auto rest) -> ClientMessage {
         return Paste{m.position(), std::string(rest)};
       }},
      {"copy",
       [](const Members& m, auto) -> ClientMessage {
         return Copy{m.box(), m.has("cut") && m.flag("cut")};
       }},
      {"fill",
       [](const Members& m, auto) -> ClientMessage {
         return Fill{m.box(), m.part("density"), m.seed()};
       }},
      {"make",
       [](const Members& m, auto) -> ClientMessage {
         return Make{m.bounds(), m.part("density"), m.seed()};
       }},
      {"resize", [](const Members& m, auto) -> ClientMessage { return Resize{m.bounds()}; }},
      {"rule", [](const Members& m, auto) -> ClientMessage { return SetRule{m.text("rule")}; }},
      {"check", [](const Members& m, auto) -> ClientMessage { return CheckRule{m.text("rule")}; }},
      {"kernels", [](const Members&, auto) -> ClientMessage { return Kernels{}; }},
      {"engine",
       [](const Members& m, auto) -> ClientMessage {
         return Engine{m.text("device"), m.text("kernel")};
       }},
      {"live", [](const Members&, auto) -> ClientMessage { return Live{}; }},
      {"mesh", [](const Members&, auto) -> ClientMessage { return FetchMesh{}; }},
      {"tiles", [](const Members&, auto) -> ClientMessage { return WatchTiles{}; }},
      {"open",
       [](const Members& m, auto rest) -> ClientMessage {
         return Open{m.text("name"), std::string(rest)};
       }},
      {"library", [](const Members& m, auto) -> ClientMessage { return Library{m.text("name")}; }},
      {"pattern", [](const Members& m, auto) -> ClientMessage { return FetchPattern{m.text("name")}; }},
      {"read",
       [](const Members& m, auto rest) -> ClientMessage {
         return Read{m.text("name"), std::string(rest)};
       }},
      {"identify",
       [](const Members& m, auto) -> ClientMessage {
         return Identify{m.has("x") ? std::optional(m.box()) : std::nullopt};
       }},
      {"stop_identifying", [](const Members&, auto) -> ClientMessage { return StopIdentifying{}; }},
      {"save",
       [](const Members& m, auto) -> ClientMessage {
         return Save{m.text("format"), m.has("use") ? m.text("use") : ""};
       }},
  };
  return all;
}

}  // namespace

ClientMessage parse_message(std::string_view text, bool binary) {
  std::string_view rest;
  if (binary) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) malformed("the line of JSON is missing");
    rest = text.substr(end + 1);
    text = text.substr(0, end);
  }
  if (text.size() > max_json_bytes) malformed("the JSON is too long");
  // Refuses deeper nesting at its first bracket: millions of them would take a hundred times their size
  const auto shallow = [](int depth, json::parse_event_t event, const json&) {
    const bool begins =
        event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
    if (begins && depth >= max_json_depth) malformed("the JSON is nested too deeply");
    return true;
  };
  const json document = json::parse(text, shallow, false);
  if (document.is_discarded()) malformed("it is not JSON");
  const Members members(document);
  const std::string name = members.text("do");
  const auto found = parsers().find(name);
  if (found == parsers().end()) malformed("unknown command");
  return found->second(members, rest);
}

bool is_view_request(const ClientMessage& message) {
  return std::holds_alternative<message::Look>(message) || std::holds_alternative<message::Ready>(message) ||
         std::holds_alternative<message::Live>(message);
}

}  // namespace app
