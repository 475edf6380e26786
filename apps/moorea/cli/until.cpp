// SPDX-License-Identifier: MIT
#include "cli/until.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cli/clock.h"
#include "cli/numbers.h"
#include "cli/status_line.h"
#include "cli/trees.h"
#include "moorea/identify.h"
#include "moorea/period.h"

namespace app {
namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

// Generations before a box can be that large: each side moves by `reach` cells a generation at most.
moorea::BigInteger growing_time(const moorea::BigInteger& width, const moorea::BigInteger& height,
                                const moorea::Size& wanted, int reach) {
  const moorea::BigInteger missing = std::max(wanted.width - width, wanted.height - height);
  if (missing.is_negative() || missing.is_zero()) return {};
  if (reach == 1) return (missing + 1) >> 1;
  // Wide neighbourhoods have no worlds of more than 64 bits
  const std::optional<std::uint64_t> cells = missing.as_unsigned();
  const std::uint64_t a_generation = 2 * static_cast<std::uint64_t>(reach);
  return cells ? moorea::BigInteger(*cells / a_generation + (*cells % a_generation != 0 ? 1 : 0))
               : moorea::BigInteger(1);
}

std::optional<Until::Comparison> comparison_of(const std::string& sign) {
  using enum Until::Comparison;
  const std::pair<const char*, Until::Comparison> signs[] = {{"=", equal},     {" ", equal}, {">", more},
                                                             {">=", at_least}, {"<", fewer}, {"<=", at_most}};
  for (const auto& [text, comparison] : signs)
    if (sign == text) return comparison;
  return std::nullopt;
}

}  // namespace

Until::Until(const std::string& text) : text_(text) {
  if (text.empty()) return;
  const std::size_t end = std::min(text.find_first_of("=<> "), text.size());
  const std::string name = text.substr(0, end);
  const std::size_t begin =
      std::min(text.find_first_not_of("=<>", end + (end < text.size() && text[end] == ' ')), text.size());
  const std::string sign = text.substr(end, begin - end);
  std::string value = text.substr(begin);
  if (text == "settled") {
    kind_ = Kind::settled;
  } else if (text == "period") {
    kind_ = Kind::period;
  } else if (const auto compared = comparison_of(sign); name == "population" && compared && !value.empty()) {
    kind_ = Kind::population;
    comparison_ = *compared;
    population_ = parse_count(value, "population");
  } else if (name == "box" && (sign == "=" || sign == " ") && !value.empty()) {
    kind_ = Kind::box;
    std::replace(value.begin(), value.end(), ' ', 'x');
    box_ = parse_size(value);
  } else {
    usage(
        fmt::format("--until {}: expected settled, period, population=N, in quotes \"population>N\" (or >=, "
                    "<, <=), or box=WxH",
                    text));
  }
}

template <class Number>
bool Until::holds(const Number& population) const {
  const Number wanted(population_);
  switch (comparison_) {
    case Comparison::equal:
      return population == wanted;
    case Comparison::more:
      return wanted < population;
    case Comparison::at_least:
      return !(population < wanted);
    case Comparison::fewer:
      return population < wanted;
    case Comparison::at_most:
      return !(wanted < population);
  }
  return false;
}

void Until::require(const moorea::WorldSpec& world) const {
  if (kind_ == Kind::box && world.is_surface())
    usage("--until box: the cells of a surface have no bounding box");
  if (is_given() && world.is_unbounded() && world.rule.births_from_nothing())
    usage(
        fmt::format("--until: under {} all cells far away are born, so that an unbounded plane has no "
                    "population; --size makes a bounded one",
                    world.rule.str()));
}

std::uint64_t Until::search(moorea::Simulation& simulation, std::uint64_t limit) {
  const auto begun = Clock::now();
  found_ = find(simulation, limit);
  search_seconds_ = since(begun);
  if (was_interrupted()) found_.reset();
  if (!found_) return was_interrupted() ? 0 : limit;
  return found_->generation - simulation.generation();
}

std::optional<Until::Found> Until::find(moorea::Simulation& simulation, std::uint64_t limit) const {
  StatusLine line;
  const auto go_on = [&] {
    if (line.due())
      line.show(fmt::format("searching for the first generation that is {}", text_), {{"searching", text_}});
    return !was_interrupted();
  };
  moorea::PeriodOptions search;
  search.max_generations = limit;
  search.go_on = go_on;
  if (kind_ == Kind::period || !simulation.grows()) {
    const auto period = moorea::find_period(simulation, search);
    if (!period) return std::nullopt;
    return Found{period->generation, period->period, period->displacement};
  }
  moorea::IdentifyOptions settling = moorea::settling_within(limit, search.max_period);
  settling.threads = simulation.threads();
  settling.go_on = go_on;
  const moorea::Identification found = moorea::identify(simulation, settling);
  using enum moorea::PatternKind;
  if (found.settled > limit || found.kind == gun || found.kind == rake || found.kind == puffer ||
      found.kind == unknown)
    return std::nullopt;
  const std::uint64_t period = found.kind == dies ? 1 : found.period;
  return Found{simulation.generation() + found.settled, period, found.displacement};
}

std::uint64_t Until::distance(const moorea::Simulation& simulation) const {
  const bool births = simulation.rule().births_from_nothing();
  if (kind_ == Kind::population) {
    const std::uint64_t population = simulation.population();
    if (holds(population)) return 0;
    return population == 0 && !births ? never : 1;
  }
  if (kind_ != Kind::box) return never;
  const std::optional<moorea::Box> box = simulation.bounding_box();
  if (!box) return births ? 1 : never;
  const std::uint64_t time =
      *growing_time(box->width, box->height, box_, simulation.rule().reach()).as_unsigned();
  // What crosses the edge of a torus is at once as wide as the torus
  const bool all_at_once = births || simulation.topology() == moorea::Topology::torus;
  return all_at_once ? std::min<std::uint64_t>(time, 1) : time;
}

template <class World>
moorea::BigInteger Until::far_distance(const World& world) const {
  const moorea::BigInteger population = world.population();
  if (kind_ == Kind::population && holds(population)) return 0;
  const bool births = world.world().rule.births_from_nothing();
  if (population.is_zero() && !births)
    return moorea::BigInteger::power_of_two(2 * moorea::BigInteger::max_parsed_bits);  // never
  if (kind_ == Kind::population) return 1;
  const std::optional<moorea::BigBox> box = world.bounding_box();
  if (!box) return 1;
  const moorea::BigInteger time = growing_time(box->width(), box->height(), box_, world.world().rule.reach());
  const bool all_at_once = births || !world.world().is_unbounded();
  return all_at_once ? std::min(time, moorea::BigInteger(1)) : time;
}

moorea::BigInteger Until::distance(const moorea::HashLife& world) const { return far_distance(world); }
moorea::BigInteger Until::distance(const moorea::FarPlane& world) const { return far_distance(world); }

bool Until::is_fulfilled(const moorea::Simulation& simulation) const {
  if (is_searched()) return found_ && found_->generation == simulation.generation();
  return is_given() && distance(simulation) == 0;
}

void Until::report(Json& json, const moorea::BigInteger& generation, bool fulfilled) const {
  if (!is_given()) return;
  Json& until = json["until"] = {{"condition", text_}, {"fulfilled", fulfilled}};
  if (fulfilled) until["generation"] = number_json(generation);
  if (fulfilled && is_searched()) {
    if (found_->period > 0) until["period"] = found_->period;
    until["displacement"] = {found_->displacement.x, found_->displacement.y};
  }
  if (is_searched()) until["search_seconds"] = search_seconds_;
}

std::string Until::text(const Json& json) {
  if (!json.contains("until")) return "";
  const Json& until = json["until"];
  std::string text = fmt::format("  until   {}: ", until["condition"].get<std::string>());
  if (!until["fulfilled"].get<bool>())
    return text + fmt::format("not by generation {}\n", number_text(json["generation"]));
  text += fmt::format("generation {}", number_text(until["generation"]));
  if (until.contains("period")) {
    const auto period = until["period"].get<std::uint64_t>();
    const moorea::Position by = {until["displacement"][0], until["displacement"][1]};
    const std::string speed = moorea::speed_text(by, period);
    text += fmt::format(", period {}{}", period, speed.empty() ? "" : ", " + speed);
  }
  return text + "\n";
}

int Until::exit_of(const Json& json, int exit) {
  const bool failed = json.contains("until") && !json["until"]["fulfilled"].get<bool>();
  return exit == ok && failed && !was_interrupted() ? int{results_differ} : exit;
}

}  // namespace app
