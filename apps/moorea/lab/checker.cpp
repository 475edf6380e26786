// SPDX-License-Identifier: MIT
#include "lab/checker.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "cli/reference_kernel.h"
#include "cli/world.h"
#include "lab/samples.h"

namespace app {
namespace {

constexpr double max_reference_updates = 2e10;  // cells times generations: a minute's work for the reference
constexpr double reference_updates = 1e9;       // that one check may cost
constexpr std::uint64_t max_check_generations = 64;

// A fast kernel in place of the reference, for worlds that would take it minutes.
std::string large_reference_for(const moorea::WorldSpec& world) {
  for (const char* const name : large_references)
    if (moorea::kernel_info(name, world.rule).runs) return name;
  return reference_kernel_for(world);
}

}  // namespace

void Checker::announce(const Configuration& configuration) {
  std::uint64_t& minimum = min_generations_[configuration.start.key()];
  minimum = std::max({minimum, static_cast<std::uint64_t>(configuration.kernel.max_steps),
                      configuration.kernel.skips ? settling_generations : std::uint64_t{0}});
}

std::string Checker::check(const Configuration& configuration, moorea::Simulation& simulation) {
  return compare(configuration, simulation, "");
}

std::string Checker::compare(const Configuration& configuration, moorea::Simulation& simulation,
                             std::string_view when) {
  const Expected& answer = expected(configuration.start);
  simulation.step(answer.generations, [] { return !was_interrupted(); });
  if (was_interrupted()) return "";
  if (configuration.kernel.name != automatic && simulation.kernel() != configuration.kernel.name)
    throw moorea::Error("another kernel ran: " + simulation.kernel());
  if (const std::uint64_t hash = simulation.hash(); hash != answer.hash)
    throw WrongAnswer(
        fmt::format("wrong answer: {}after {} the hash is {}, the reference's is {}; no time is given", when,
                    counted(answer.generations, "generation"), hash_text(hash), hash_text(answer.hash)));
  return answer.reference;
}

void Checker::confirm(const Configuration& configuration, const moorea::Simulation& simulation) {
  if (configuration.kernel.fingerprint == 0) return;
  const Start& start = configuration.start;
  {  // in a world that has settled by then, cells that a kernel leaves as they are can be right
    moorea::Simulation again(start.spec(), *worlds_.at(start), configuration.options);
    compare(configuration, again, "after the samples, again from the start, ");
  }
  if (was_interrupted()) return;
  moorea::Options options;
  options.generations = simulation.generation();  // on the device that is fastest for so many
  moorea::Simulation other(start.spec(), *worlds_.at(start), options);
  other.step(simulation.generation(), [] { return !was_interrupted(); });
  if (was_interrupted()) return;
  if (other.population() != simulation.population() || other.hash() != simulation.hash())
    throw WrongAnswer(
        fmt::format("wrong answer: after the samples, in generation {}, its population is {} and that of {} "
                    "{}, the hashes {} and {}; no time is given",
                    simulation.generation(), simulation.population(), other.kernel(), other.population(),
                    hash_text(simulation.hash()), hash_text(other.hash())));
}

// Few generations in a large world, but at least a whole pass of each kernel that computes it.
const Checker::Expected& Checker::expected(const Start& start) {
  if (const auto found = expected_.find(start.key()); found != expected_.end()) return found->second;
  Expected answer;
  // What the reference visits for each cell grows with the neighbourhood
  const double cells = start.size.area() * start.rule.reach();
  answer.generations =
      std::max(min_generations_[start.key()],
               std::clamp<std::uint64_t>(static_cast<std::uint64_t>(reference_updates / cells), 1,
                                         max_check_generations));
  answer.reference =
      start.mesh == nullptr && cells * static_cast<double>(answer.generations) > max_reference_updates
          ? large_reference_for(start.spec())
          : reference_kernel_for(start.spec());
  moorea::Options options;
  options.kernel = answer.reference;
  moorea::Simulation simulation(start.spec(), *worlds_.at(start), options);
  simulation.step(answer.generations, [] { return !was_interrupted(); });
  answer.hash = simulation.hash();
  return expected_[start.key()] = answer;
}

}  // namespace app
