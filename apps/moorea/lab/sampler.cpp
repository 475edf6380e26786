// SPDX-License-Identifier: MIT
#include "lab/sampler.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cli/clock.h"
#include "cli/parts.h"
#include "moorea/error.h"
#include "moorea/lab/instruments.h"
#include "moorea/plan.h"
#include "report/statistics.h"

namespace app {
namespace {

using moorea::Simulation;

constexpr double max_warm_up_seconds = 0.1;
constexpr double max_sample_seconds = 0.02;  // makes the cost of clock and call negligible
constexpr double low_noise = 0.01;
constexpr std::uint64_t max_generations = 12 << 20;  // of a sample: inactive worlds take almost no time

// On a busy machine up to this multiple of the needed samples is taken to find as many undisturbed ones.
constexpr std::size_t tries_per_sample = 3;
constexpr double max_overtime = 20;  // multiple of the budget after which a round ends in any case

std::size_t undisturbed(const std::vector<TimedSample>& samples) {
  return static_cast<std::size_t>(
      std::count_if(samples.begin(), samples.end(), [](const auto& each) { return !each.disturbed(); }));
}

// Undisturbed samples that this round needs; later rounds contribute their share. A sample of fixed length
// may take longer than the budget.
std::size_t needed_samples(const Configuration& configuration, const Samples& samples, int rounds) {
  if (configuration.sample_generations) return 1;
  const auto all = static_cast<std::size_t>(rounds), done = static_cast<std::size_t>(samples.rounds) + 1;
  const std::size_t minimum = (min_samples * done + all - 1) / all, present = undisturbed(samples.times);
  return minimum > present ? minimum - present : 1;
}

// The time budget of a round.
struct RoundBudget {
  double sample_seconds, warm_up_seconds, seconds, min_seconds;
  std::size_t needed;
};

// The meters that run during a round; no frequency is sampled if that pointer is null.
struct RoundMeters {
  moorea::EnergyMeter& energy;
  moorea::FrequencyMeter* frequency;
};

// Null for rows of GPUs, and if the user wants none.
std::unique_ptr<moorea::FrequencyMeter> frequency_meter(bool uses_cpus, double interval) {
  if (!uses_cpus || interval <= 0) return nullptr;
  const char* const root = std::getenv(lab_root_variable);
  return std::make_unique<moorea::FrequencyMeter>(
      moorea::FrequencyMeter::Settings{interval, root != nullptr ? root : ""});
}

std::string frequency_state(const moorea::FrequencyMeter* meter, bool uses_cpus) {
  if (meter == nullptr) return uses_cpus ? "absent: it was not to be sampled" : "";
  const std::string source = meter->source();
  if (source.empty()) return "absent: " + meter->tried();
  return fmt::format("{}: {}{}", source == "nominal" ? "nominal" : "sampled", source,
                     meter->tried().empty() ? "" : fmt::format(" ({})", meter->tried()));
}

enum class End { complete, interrupted, world_died };

// One round of samples of one configuration.
class Round {
 public:
  Round(const Configuration& configuration, const moorea::Grid& world, Simulation& simulation,
        Samples& samples, bool watches)
      : configuration_(configuration),
        world_(world),
        simulation_(simulation),
        samples_(samples),
        restarts_(configuration.kernel.skips || configuration.sample_generations || samples.dies_after),
        watches_(watches),
        watch_(threads()) {}

  End run(const RoundBudget& budget, const RoundMeters& meters) {
    const End warmed = configuration_.sample_generations ? warm_up_fixed(budget) : warm_up(budget);
    if (warmed != End::complete) return warmed;
    watch_ = CpuWatch(threads());  // without the warm-up
    meters.energy.joules();
    if (meters.frequency != nullptr) meters.frequency->start();
    const auto begin = Clock::now();
    const StoppingCriterion enough(budget.seconds, budget.needed, budget.min_seconds);
    do {
      times_.push_back(take(samples_.generations));
    } while (!was_interrupted() && !enough.is_met(since(begin), times_));
    if (meters.frequency != nullptr) meters.frequency->stop();
    const std::optional<double> joules = meters.energy.joules();
    const double seconds = since(begin);
    if (was_interrupted()) return End::interrupted;
    if (has_died()) return End::world_died;
    add_times();
    // The energy of samples that restart the world includes the work between them
    if (joules && !restarts_) {
      samples_.joules += *joules;
      samples_.joule_seconds += seconds;
    }
    if (meters.frequency != nullptr)
      samples_.frequency.add(meters.frequency->source(), meters.frequency->samples());
    return End::complete;
  }

 private:
  int threads() const { return simulation_.plan().uses_cpu() ? simulation_.threads() : 0; }

  // Whether the last cell died before the end of a sample: an empty world takes no time, whichever kernel
  // computes it. With B0 a world without live cells goes on.
  bool has_died() const {
    return samples_.dies_after != samples_.generations && !configuration_.start.rule.births_from_nothing() &&
           simulation_.population() == 0;
  }

  TimedSample take(std::uint64_t generations) {
    if (restarts_) {
      // Later generations have more inactive tiles, or no live cell
      simulation_ = Simulation(configuration_.start.spec(), world_, configuration_.options);
      const bool settles = !configuration_.sample_generations && !samples_.dies_after;
      if (configuration_.kernel.skips && settles) simulation_.step(settling_generations);
    }
    if (watches_) watch_.begin();
    const auto begin = Clock::now();
    simulation_.step(generations);
    const double seconds = since(begin);
    return {seconds, watches_ ? watch_.end() : 0};
  }

  // Finds the length of a sample in the first round. The time that other processes took does not count.
  End warm_up(const RoundBudget& budget) {
    const bool length_is_open = samples_.rounds == 0;
    const std::uint64_t maximum = samples_.dies_after.value_or(max_generations);
    const auto begin = Clock::now();
    for (;;) {
      const TimedSample sample = take(samples_.generations);
      if (was_interrupted()) return End::interrupted;
      if (has_died()) return End::world_died;
      if (length_is_open && sample.seconds * (1 - sample.taken) < budget.sample_seconds &&
          samples_.generations < maximum) {
        samples_.generations = std::min(2 * samples_.generations, maximum);
      } else if (since(begin) > budget.warm_up_seconds) {
        return End::complete;
      }
    }
  }

  // Doubles the generations up to those of a sample, which may take minutes.
  End warm_up_fixed(const RoundBudget& budget) {
    const auto begin = Clock::now();
    for (std::uint64_t generations = first_generations(configuration_);; generations *= 2) {
      generations = std::min(generations, samples_.generations);
      take(generations);
      if (was_interrupted()) return End::interrupted;
      if (since(begin) > budget.warm_up_seconds) return End::complete;
    }
  }

  void add_times() {
    const moorea::TileCounts tiles = moorea::tile_counts(simulation_);
    if (const std::uint64_t all = tiles.computed + tiles.skipped; all > 0)
      samples_.skipped_tiles = static_cast<double>(tiles.skipped) / static_cast<double>(all);
    samples_.parts = parts_json(simulation_);
    samples_.round_medians.push_back(summarise(keep(times_, 1).seconds).median);
    samples_.times.insert(samples_.times.end(), times_.begin(), times_.end());
    samples_.watched_seconds += watch_.watched_seconds();
    samples_.taken_seconds += watch_.taken_seconds();
    samples_.stolen_seconds += watch_.stolen_seconds();
  }

  const Configuration& configuration_;
  const moorea::Grid& world_;
  Simulation& simulation_;
  Samples& samples_;
  const bool restarts_, watches_;
  CpuWatch watch_;
  std::vector<TimedSample> times_;
};

// Generation in which the last cell of the start dies, which some simulation of it has reached. Empty after
// an interruption.
std::optional<std::uint64_t> generation_of_death(const Configuration& configuration,
                                                 const moorea::Grid& world) {
  const auto begun = [&] { return Simulation(configuration.start.spec(), world, configuration.options); };
  Simulation simulation = begun();
  std::uint64_t alive = 0, dead = 0;
  while (simulation.population() != 0) {
    alive = dead;
    dead = std::max<std::uint64_t>(1, 2 * dead);
    simulation.step(dead - alive, [] { return !was_interrupted(); });
    if (was_interrupted()) return std::nullopt;
  }
  while (dead > alive + 1) {
    const std::uint64_t middle = alive + (dead - alive) / 2;
    simulation = begun();
    simulation.step(middle, [] { return !was_interrupted(); });
    if (was_interrupted()) return std::nullopt;
    (simulation.population() == 0 ? dead : alive) = middle;
  }
  return dead;
}

}  // namespace

std::uint64_t first_generations(const Configuration& configuration) {
  return configuration.kernel.skips ? 2 * settling_generations
                                    : static_cast<std::uint64_t>(configuration.generations_per_pass());
}

bool StoppingCriterion::is_met(double elapsed_seconds, const std::vector<TimedSample>& samples) const {
  if (elapsed_seconds < min_seconds_) return false;
  if (elapsed_seconds >= max_overtime * budget_) return true;
  const bool in_budget = elapsed_seconds < budget_;
  if (undisturbed(samples) < needed_) return !in_budget && samples.size() >= tries_per_sample * needed_;
  return !in_budget || summarise(keep(samples, needed_).seconds).noise <= low_noise;
}

std::optional<Sampler::MeterStates> Sampler::sample(const Configuration& configuration,
                                                    Simulation& simulation, Samples& samples) {
  const Start& start = configuration.start;
  const std::string device = simulation.device();
  const std::shared_ptr<const moorea::Grid> world = worlds_.at(start);
  moorea::EnergyMeter& energy = energy_.try_emplace(device, device).first->second;
  const bool uses_cpus = devices_.uses_cpus(device);
  const std::unique_ptr<moorea::FrequencyMeter> frequency =
      frequency_meter(uses_cpus, plan_.frequency_interval);
  for (;;) {
    const RoundBudget budget{std::min(max_sample_seconds, plan_.budget / 5),
                             std::min(max_warm_up_seconds, plan_.budget), plan_.budget / plan_.rounds,
                             plan_.min_seconds / plan_.rounds,
                             needed_samples(configuration, samples, plan_.rounds)};
    switch (
        Round(configuration, *world, simulation, samples, uses_cpus).run(budget, {energy, frequency.get()})) {
      case End::interrupted:
        return std::nullopt;
      case End::complete:
        ++samples.rounds;
        return MeterStates{
            frequency_state(frequency.get(), uses_cpus),
            energy.unavailable_reason().empty() ? "measured" : "absent: " + energy.unavailable_reason()};
      case End::world_died:
        if (!end_with_death(configuration, *world, samples)) return std::nullopt;
        simulation = Simulation(start.spec(), *world, configuration.options);
    }
  }
}

// Shortens the samples to the life of the world. Returns false after an interruption.
bool Sampler::end_with_death(const Configuration& configuration, const moorea::Grid& world,
                             Samples& samples) {
  std::optional<std::uint64_t>& death = deaths_[configuration.start.key()];
  if (!death) death = generation_of_death(configuration, world);
  if (!death) return false;
  if (*death == 0)
    throw moorea::Error(
        "every cell has died before the first sample, so there is nothing to time: choose a start with live "
        "cells, or a smaller --after");
  samples.dies_after = death;
  samples.generations = std::min(samples.generations, *death);
  return true;
}

}  // namespace app
