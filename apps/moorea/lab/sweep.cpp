// SPDX-License-Identifier: MIT
#include "lab/sweep.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include "cli/child.h"
#include "moorea/error.h"
#include "moorea/output_file.h"
#include "moorea/picture.h"
#include "moorea/start.h"

namespace app {
namespace {

using moorea::Simulation;

constexpr double max_reference_updates = 2e10;  // a minute's work for the reference
constexpr double reference_updates =
    1e9;  // cells times generations that the reference may spend on one check
constexpr std::uint64_t check_generations = 64;
constexpr double max_warm_up_seconds = 0.1;
constexpr std::size_t min_samples = 9;
constexpr double enough_noise = 0.01;
constexpr std::int64_t picture_side = 2048;  // of the raster that is asked for
constexpr int questions = 5;                 // how often the population and the hash are asked for
constexpr double world_bytes_kept = 2e9;     // of worlds that are asked for again in the next round

// Kernels that leave out what rests begin each sample anew, after some generations in which they find it.
constexpr std::uint64_t settling_generations = 48;
constexpr std::uint64_t max_generations = 12 << 20;  // of a sample: worlds at rest take no time

// What a row has of its run, and a resumed sweep keeps.
constexpr std::string_view facts_kept[] = {"device",           "threads",
                                           "tiling",           "block",
                                           "bytes_per_thread", "occupancy",
                                           "hash_seconds",     "encode_seconds",
                                           "checked_with",     "registers_per_thread",
                                           "decode_seconds",   "population_seconds",
                                           "density_seconds",  "shared_bytes_per_block",
                                           "skipped_tiles"};

// On a busy machine so many times the samples that are needed are taken, to find that many good ones.
constexpr std::size_t tries_for_a_sample = 3;

// Whether a request may mean any of several devices: "auto", or a part of a name as in "opencl:pocl".
bool uses_any(const std::string& device) { return device == "opencl" || !moorea::DeviceRef::parse(device); }

// The median of some times
template <class Question>
double time_question(const Question& question) {
  std::vector<double> samples;
  for (int i = 0; i < questions; ++i) {
    const auto begin = Clock::now();
    question();
    samples.push_back(since(begin));
  }
  return summarise(samples).median;
}

std::size_t good_of(const std::vector<TimedSample>& samples) {
  return static_cast<std::size_t>(
      std::count_if(samples.begin(), samples.end(), [](const auto& each) { return !each.disturbed(); }));
}

// What must be the same for measurements to go on: of a machine its devices and their threads, not the memory
// that is free.
Json identity(const Json& document, const std::string& key) {
  if (key != "machine") return document.at(key);
  Json devices = Json::array();
  for (const Json& device : document.at(key).at("devices"))
    devices.push_back({device.at("description"), device.at("threads")});
  return devices;
}

}  // namespace

Json asked(const Configuration& configuration) {
  const moorea::Options& options = configuration.options;
  Json json = {{"kernel", configuration.kernel.name},
               {"device", options.device},
               {"rule", configuration.start.rule.str()},
               {"topology", moorea::to_string(configuration.start.topology)},
               {"width", configuration.start.size.width},
               {"height", configuration.start.size.height},
               {"start", configuration.start.world},
               {"after", configuration.start.after},
               {"threads", options.threads}};
  if (configuration.kernel.fingerprint != 0)
    json["kernel_text"] = hash_text(configuration.kernel.fingerprint);
  if (options.tile) json["tile"] = {options.tile->width, options.tile->height};
  if (options.schedule) json["schedule"] = to_string(*options.schedule);
  if (options.placement) json["placement"] = to_string(*options.placement);
  if (options.block) json["block"] = to_string(*options.block);
  if (options.bytes_a_thread) json["bytes_per_thread"] = *options.bytes_a_thread;
  if (options.generations_a_pass) json["generations_per_pass"] = *options.generations_a_pass;
  return json;
}

Sweep::Sweep(std::vector<Configuration> configurations, SweepOptions options) : options_(std::move(options)) {
  std::set<std::string> seen;
  for (Configuration& configuration : configurations) {
    Row row;
    row.asked = asked(configuration);
    if (!seen.insert(row.asked.dump()).second) continue;
    row.configuration = std::move(configuration);
    rows_.push_back(std::move(row));
  }
  document_ = machine_json();
  document_["cpu_contention"] = contention_source(read_cpus());
  for (const char* list : {"ceilings", "results", "not_timed"}) document_[list] = Json::array();
  if (options_.resume) resume();
  write();  // before hours are spent on what has no place
}

void Sweep::run() {
  begin_ = Clock::now();
  for (Row& row : rows_) {
    if (!row.configuration.problem.empty()) {
      if (!first_refusal_) first_refusal_ = row.configuration.problem_kind;
      refuse(row, row.configuration.problem);
    } else if (row.rounds_done >= options_.rounds) {
      finish_row(row);
    } else {
      all_ += static_cast<std::size_t>(options_.rounds - row.rounds_done);
    }
  }
  for (int round = 0; round < options_.rounds && !was_interrupted(); ++round) {
    for (Row& row : rows_) {
      if (row.refused || row.rounds_done > round) continue;
      show_progress(row, round);
      measure(row, round);
      ++done_;
      if (row.refused) all_ -= static_cast<std::size_t>(options_.rounds - 1 - round);
      if (was_interrupted()) break;
      if (row.rounds_done == options_.rounds) finish_row(row);
      if (!options_.output.empty()) write();
    }
  }
  status_.clear();
  // What was measured so far counts
  for (Row& row : rows_) {
    if (row.rounds_done > 0 && row.rounds_done < options_.rounds) finish_row(row);
  }
  write();
}

void Sweep::show_progress(const Row& row, int round) {
  std::string left;
  if (done_ > 0) {
    left = fmt::format(", {} left", human_seconds(since(begin_) / static_cast<double>(done_) *
                                                  static_cast<double>(all_ - std::min(done_, all_))));
  }
  status_.show(fmt::format("{} of {}{}{}: {} {}x{}", done_ + 1, all_,
                           options_.rounds > 1 ? fmt::format(", round {}", round + 1) : "", left,
                           row.configuration.kernel.name, row.configuration.start.size.width,
                           row.configuration.start.size.height));
}

void Sweep::refuse(Row& row, const std::string& reason) {
  row.refused = true;
  status_.clear();
  Json entry = row.asked;
  entry["reason"] = reason;
  document_["not_timed"].push_back(entry);
  if (on_skipped) on_skipped(entry);
}

void Sweep::measure(Row& row, int round) {
  try {
    if (!row.checked && may_crash(row.configuration)) try_apart(row.configuration);
    Simulation simulation(row.configuration.start.rule, row.configuration.start.topology,
                          world(row.configuration.start), row.configuration.options);
    if (!row.checked) check(row, simulation);
    if (row.refused || was_interrupted()) return;
    sample(row, std::move(simulation));
    if (!was_interrupted()) row.rounds_done = round + 1;
  } catch (const moorea::Error& error) {
    failed_ = failed_ || error.kind() == moorea::ErrorKind::run;
    if (!first_refusal_) first_refusal_ = error.kind();
    refuse(row, error.what());
  }
}

// OpenCL for CPUs compiles work-groups of other shapes into other code, and PoCL 3.1 crashes in some of it;
// a kernel from a file does what its author wrote. Either would end this process with all that it measured.
bool Sweep::may_crash(const Configuration& configuration) const {
  const moorea::KernelInfo& kernel = configuration.kernel;
  const std::string& device = configuration.options.device;
  const bool shaped = kernel.backend == moorea::Backend::opencl && configuration.options.block;
  if (!shaped && kernel.fingerprint == 0) return false;
  if (kernel.backend == moorea::Backend::cpu) return true;
  return kernel.backend == moorea::Backend::opencl &&
         std::any_of(devices_.begin(), devices_.end(), [&](const auto& each) {
           return each.uses_cpus && moorea::backend_of_device(each.name) == moorea::Backend::opencl &&
                  (each.name == device || uses_any(device));
         });
}

// Runs it in a process of its own. Throws moorea::Error when a signal ends that; all other mistakes are found
// once more, and told, by this process.
void Sweep::try_apart(const Configuration& configuration) const {
  const moorea::Options& options = configuration.options;
  const Start& start = configuration.start;
  std::vector<std::string> words = {"run",
                                    "--random",
                                    "0.5",
                                    "--size",
                                    fmt::format("{}x{}", start.size.width, start.size.height),
                                    "-g",
                                    std::to_string(check_generations),
                                    "--rule",
                                    start.rule.str(),
                                    "--topology",
                                    std::string(moorea::to_string(start.topology)),
                                    "--device",
                                    options.device,
                                    "--threads",
                                    std::to_string(options.threads)};
  const auto add = [&](const char* option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  add(configuration.kernel.fingerprint != 0 ? "--kernel-file" : "--kernel", configuration.kernel.name);
  if (options.tile) add("--tile", fmt::format("{}x{}", options.tile->width, options.tile->height));
  if (options.schedule) add("--schedule", to_string(*options.schedule));
  if (options.block) add("--block", to_string(*options.block));
  const ChildEnd end = run_child(words);
  if (end.signal != 0 && !was_interrupted())
    throw moorea::Error(fmt::format("it crashes ({}), as a try in a process of its own found; not timed",
                                    strsignal(end.signal)));
}

void Sweep::check(Row& row, Simulation& simulation) {
  const Configuration& configuration = row.configuration;
  std::uint64_t generations = 0;
  std::string reference;
  const std::uint64_t expected = expected_hash(configuration.start, &generations, &reference);
  simulation.step(generations, [] { return !was_interrupted(); });
  if (was_interrupted()) return;
  if (configuration.kernel.name != automatic && simulation.kernel() != configuration.kernel.name)
    throw moorea::Error("another kernel ran: " + simulation.kernel());
  if (const std::uint64_t hash = simulation.hash(); hash != expected) {
    wrong_ = true;
    refuse(row,
           fmt::format("wrong answer: after {} generations the hash is {}, the reference's is {}; not timed",
                       generations, hash_text(hash), hash_text(expected)));
    return;
  }
  row.checked = true;
  row.facts["device"] = simulation.device();
  row.facts["threads"] = simulation.threads();
  if (simulation.tiling()) row.facts["tiling"] = tiling_json(*simulation.tiling());
  if (simulation.launch_shape()) add_launch_shape(row.facts, *simulation.launch_shape());
  if (const auto resources = simulation.resources()) {
    row.facts["registers_per_thread"] = resources->registers;
    row.facts["shared_bytes_per_block"] = resources->shared_bytes;
    row.facts["occupancy"] = resources->occupancy ? Json(*resources->occupancy) : Json();
  }
  row.facts["population_seconds"] = time_question([&] { return simulation.population(); });
  row.facts["hash_seconds"] = time_question([&] { return simulation.hash(); });
  const moorea::View all = moorea::fitted(simulation.box(), picture_side, 1);
  row.facts["density_seconds"] = time_question([&] { return simulation.density(all.raster); });
  if (const auto conversion = simulation.time_conversion()) {
    row.facts["encode_seconds"] = conversion->encode_seconds;
    row.facts["decode_seconds"] = conversion->decode_seconds;
  }
  row.facts["checked_with"] = reference;
  // Whole passes: who runs a kernel that makes many generations of one asks for many
  const int pass = configuration.options.generations_a_pass.value_or(configuration.kernel.max_steps);
  row.generations = static_cast<unsigned>(configuration.kernel.skips ? 96 : pass);
}

// What every kernel's state must hash to after *generations. Few where the world is large, but a whole pass
// of each kernel at least, and some of one that leaves out what rests.
std::uint64_t Sweep::expected_hash(const Start& start, std::uint64_t* generations, std::string* reference) {
  auto found = expected_.find(start.key());
  if (found == expected_.end()) {
    const double cells = start.size.area();
    std::uint64_t count = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(reference_updates / cells), 1,
                                                    check_generations);
    for (const Row& row : rows_) {
      if (row.configuration.start.key() != start.key()) continue;
      count = std::max({count, static_cast<std::uint64_t>(row.configuration.kernel.max_steps),
                        row.configuration.kernel.skips ? settling_generations : std::uint64_t{0}});
    }
    moorea::Options engine;
    engine.kernel =
        cells * static_cast<double>(count) > max_reference_updates ? large_reference : reference_kernel;
    Simulation simulation(start.rule, start.topology, world(start), engine);
    simulation.step(count, [] { return !was_interrupted(); });
    found = expected_.emplace(start.key(), std::tuple(simulation.hash(), count, engine.kernel)).first;
  }
  std::uint64_t hash = 0;
  std::tie(hash, *generations, *reference) = found->second;
  return hash;
}

const moorea::Grid& Sweep::world(const Start& start) {
  std::shared_ptr<const moorea::Grid>& kept = worlds_[start.key()];
  if (kept) return *kept;
  moorea::Grid cells = moorea::starting_world(start.world, start.size.width, start.size.height);
  if (start.after != 0) {
    Simulation simulation(start.rule, start.topology, std::move(cells));
    simulation.step(start.after, [] { return !was_interrupted(); });
    cells = simulation.grid();
  }
  const std::shared_ptr<const moorea::Grid> made = std::make_shared<const moorea::Grid>(std::move(cells));
  double bytes = 0;
  for (const auto& [key, world] : worlds_)
    bytes += world ? static_cast<double>(world->words_per_row() * world->height()) * 8 : 0;
  if (bytes > world_bytes_kept) worlds_.clear();
  return *(worlds_[start.key()] = made);
}

void Sweep::sample(Row& row, Simulation simulation) {
  const Configuration& configuration = row.configuration;
  const bool restarts = configuration.kernel.skips || row.dies;
  const int threads = simulation.device() == "cpu" ? simulation.threads() : 0;
  const bool watches = uses_cpus(simulation.device());
  CpuWatch watch(threads);
  const auto one = [&]() -> TimedSample {
    if (restarts) {
      // Later generations have more at rest, or none alive; the next sample is to find what this one found
      simulation = Simulation(configuration.start.rule, configuration.start.topology,
                              world(configuration.start), configuration.options);
      if (configuration.kernel.skips) simulation.step(settling_generations);
    }
    if (watches) watch.begin();
    const auto begin = Clock::now();
    simulation.step(row.generations);
    const double seconds = since(begin);
    return {seconds, watches ? watch.end() : 0};
  };
  // An empty world takes no time at all, whichever kernel would have run it
  const auto died = [&] { return simulation.population() == 0; };
  const auto shorter = [&] {
    if (row.generations == 1 && row.dies)
      throw moorea::Error("every cell has died in the first generation; there is nothing to time");
    if (row.dies || configuration.kernel.skips)
      row.generations = std::max<std::uint64_t>(1, row.generations / 2);
    row.dies = true;
    sample(row, Simulation(configuration.start.rule, configuration.start.topology, world(configuration.start),
                           configuration.options));
  };
  // As long as makes the cost of clock and call vanish; who has little time gets shorter ones
  const double sample_seconds = std::min(0.02, options_.budget / 5),
               warm_up_seconds = std::min(max_warm_up_seconds, options_.budget);
  const auto begin = Clock::now();
  for (;;) {
    const TimedSample sample = one();
    if (was_interrupted()) return;
    if (died()) return shorter();
    // Time that others had makes no sample long enough
    if (row.rounds_done == 0 && !row.dies && sample.seconds * (1 - sample.taken) < sample_seconds &&
        row.generations < max_generations) {
      row.generations *= 2;
    } else if (since(begin) > warm_up_seconds) {
      break;
    }
  }
  // What the other rounds are to add is left to them
  const auto rounds = static_cast<std::size_t>(options_.rounds),
             round = static_cast<std::size_t>(row.rounds_done);
  const std::size_t minimum = (min_samples * (round + 1) + rounds - 1) / rounds,
                    good_before = good_of(row.samples),
                    needed = minimum > good_before ? minimum - good_before : 1;
  const double budget = options_.budget / static_cast<double>(rounds);
  moorea::FrequencyMeter frequency;
  moorea::EnergyMeter& meter = energy(simulation.device());
  const bool whole = !configuration.kernel.skips;  // else the time between the samples is work, too
  meter.joules();
  frequency.start();
  const auto timed = Clock::now();
  watch = CpuWatch(threads);  // without the warm-up
  std::vector<TimedSample> samples;
  const auto enough = [&] {
    if (since(timed) >= 20 * budget) return true;
    const bool in_budget = since(timed) < budget;
    if (good_of(samples) < needed) return !in_budget && samples.size() >= tries_for_a_sample * needed;
    return !in_budget || summarise(keep(samples, needed).seconds).noise <= enough_noise;
  };
  do {
    samples.push_back(one());
  } while (!was_interrupted() && !enough());
  frequency.stop();
  const std::optional<double> joules = meter.joules();
  const double spent = since(timed);
  if (was_interrupted()) return;  // a part of a round would be measured again
  if (died()) return shorter();
  if (const moorea::TileCounts counts = simulation.tile_counts(); counts.computed + counts.skipped > 0) {
    row.facts["skipped_tiles"] =
        static_cast<double>(counts.skipped) / static_cast<double>(counts.computed + counts.skipped);
  }
  row.round_medians.push_back(summarise(keep(samples, 1).seconds).median);
  row.samples.insert(row.samples.end(), samples.begin(), samples.end());
  row.watched_seconds += watch.watched_seconds();
  row.taken_seconds += watch.taken_seconds();
  row.stolen_seconds += watch.stolen_seconds();
  if (joules && whole) {
    row.joules += *joules;
    row.joule_seconds += spent;
  }
  for (const auto& [core, megahertz] : frequency.megahertz())
    row.facts["core_megahertz"][std::to_string(core)].push_back(megahertz);
  document_["core_frequency"] =
      frequency.absent().empty() ? Json("sampled") : Json("absent: " + frequency.absent());
  document_["energy"][simulation.device()] =
      meter.absent().empty() ? Json("measured") : Json("absent: " + meter.absent());
}

moorea::EnergyMeter& Sweep::energy(const std::string& device) {
  return energy_.try_emplace(device, device).first->second;
}

// Other processes do not use a GPU's time, and its host thread waits most of its own.
bool Sweep::uses_cpus(const std::string& device) const {
  return std::any_of(devices_.begin(), devices_.end(),
                     [&](const auto& each) { return each.name == device && each.uses_cpus; });
}

const moorea::Ceilings& Sweep::ceilings(const std::string& device, int threads) {
  const auto key = std::make_pair(device, threads);
  const auto found = ceilings_.find(key);
  if (found != ceilings_.end()) return found->second;
  CpuWatch watch(device == "cpu" ? threads : 0);
  watch.begin();
  const moorea::Ceilings& measured = ceilings_[key] = moorea::measure_ceilings(device, threads);
  Json json = {{"device", device},
               {"threads", threads},
               {"copy_bytes_per_second", measured.copy_bytes_per_second},
               {"logic_words_per_second", measured.logic_words_per_second},
               {"logic_instruction", measured.logic_instruction}};
  if (uses_cpus(device) && watch.end() > max_part_taken) json["busy"] = true;
  document_["ceilings"].push_back(std::move(json));
  return measured;
}

Json Sweep::row_json(const Row& row) {
  const Configuration& configuration = row.configuration;
  const moorea::KernelInfo& kernel = configuration.kernel;
  const Start& start = configuration.start;
  const KeptSamples kept = keep(row.samples, std::min(min_samples, row.samples.size()));
  const Summary summary = summarise(kept.seconds);
  const double generations_per_second = static_cast<double>(row.generations) / summary.median;
  const double cells_per_second = start.size.area() * generations_per_second;
  const int pass = configuration.options.generations_a_pass.value_or(kernel.max_steps);
  const double bytes_per_second = cells_per_second * kernel.bits_moved_per_cell / 8 / pass;
  const moorea::Ceilings& limit =
      ceilings(row.facts["device"].get<std::string>(), row.facts["threads"].get<int>());
  const double logic = cells_per_second / 64 * kernel.operations_per_word / limit.logic_words_per_second;
  // What is left out is neither moved nor computed
  const bool moves = !kernel.skips,
             computes = !kernel.skips && kernel.operations_per_word > 0 && limit.logic_words_per_second > 0;
  Json json = {{"kernel", kernel.name},          {"device", row.facts["device"]},
               {"rule", start.rule.str()},       {"topology", moorea::to_string(start.topology)},
               {"width", start.size.width},      {"height", start.size.height},
               {"start", start.world},           {"after", start.after},
               {"threads", row.facts["threads"]}};
  for (const char* key : {"tiling", "block", "bytes_per_thread"}) {
    if (row.facts.contains(key)) json[key] = row.facts[key];
  }
  if (configuration.options.generations_a_pass) json["generations_per_pass"] = pass;
  const Json measured = {
      {"generations", row.generations},
      {"samples", kept.seconds.size()},
      {"rounds", row.rounds_done},
      {"median_seconds", summary.median},
      {"spread", summary.spread},
      {"noise", summary.noise},
      {"generations_per_second", generations_per_second},
      {"cells_per_second", cells_per_second},
      {"bytes_per_second", moves ? Json(bytes_per_second) : Json()},
      {"part_of_copy_bandwidth", moves ? Json(bytes_per_second / limit.copy_bytes_per_second) : Json()},
      {"part_of_logic_throughput", computes ? Json(logic) : Json()},
      {"operations_per_word", kernel.operations_per_word > 0 ? Json(kernel.operations_per_word) : Json()},
      {"layout", kernel.layout}};
  json.update(measured);
  for (const auto& [key, value] : row.facts.items()) {
    if (!json.contains(key)) json[key] = value;
  }
  json["busy"] = kept.busy;
  json["discarded_samples"] = row.discarded_before + kept.discarded;
  json["cpu_taken"] = row.watched_seconds > 0 ? Json(row.taken_seconds / row.watched_seconds) : Json();
  if (row.stolen_seconds > 0) json["cpu_stolen"] = row.stolen_seconds / row.watched_seconds;
  json["watched_seconds"] = row.watched_seconds;
  if (row.joule_seconds > 0) {
    json["joules_per_billion_updates"] = row.joules / row.joule_seconds / cells_per_second * 1e9;
    json["energy"] = {{"joules", row.joules}, {"seconds", row.joule_seconds}};
  }
  if (json.contains("core_megahertz")) {
    for (auto& [core, rounds] : json["core_megahertz"].items())
      rounds = summarise(rounds.get<std::vector<double>>()).median;
  }
  json["round_median_seconds"] = row.round_medians;
  json["sample_seconds"] = kept.seconds;
  json["asked"] = row.asked;
  return json;
}

void Sweep::finish_row(Row& row) {
  status_.clear();
  if (on_measured) on_measured(row_json(row));
}

void Sweep::write() {
  document_["results"] = Json::array();
  for (const Row& row : rows_) {
    if (row.rounds_done > 0) document_["results"].push_back(row_json(row));
  }
  for (const Json& row : others_) document_["results"].push_back(row);
  if (options_.output.empty()) return;
  moorea::OutputFile file(options_.output);
  file.write(document_.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  file.finish();
}

// Rows that the output has already are taken over, those that were not asked for as they are.
void Sweep::resume() {
  if (!std::filesystem::exists(options_.output)) return;
  std::ifstream in(options_.output);
  Json before;
  try {
    in >> before;
    if (in >> std::ws; in.peek() != std::ifstream::traits_type::eof())
      throw moorea::Error(
          fmt::format("{}: several results behind each other cannot be gone on with", options_.output));
    for (const char* key : {"machine", "revision", "compiler"}) {
      if (identity(before, key) != identity(document_, key)) {
        throw moorea::Error(fmt::format("{}: measured with another {}; what it has cannot be gone on with",
                                        options_.output, key));
      }
    }
    if (document_["revision"].get<std::string>().ends_with("-dirty"))
      say(fmt::format("{}: both builds have changes of their own; whether they are the same cannot be told",
                      options_.output));
    for (const Json& limit : before.at("ceilings")) {
      ceilings_[{limit.at("device").get<std::string>(), limit.at("threads").get<int>()}] = {
          limit.at("copy_bytes_per_second").get<double>(), limit.at("logic_words_per_second").get<double>(),
          limit.at("logic_instruction").get<std::string>()};
      document_["ceilings"].push_back(limit);
    }
    for (const char* key : {"core_frequency", "energy"}) {
      if (before.contains(key)) document_[key] = before[key];
    }
    for (const Json& kept : before.at("results")) {
      const auto row = std::find_if(rows_.begin(), rows_.end(),
                                    [&](const Row& each) { return each.asked == kept.at("asked"); });
      if (row == rows_.end()) {
        others_.push_back(kept);
      } else if (!kept.value("busy", false)) {
        take_over(*row, kept);  // else it is measured again, on a machine that is quieter now perhaps
      }
    }
  } catch (const Json::exception& error) {
    throw moorea::Error(fmt::format("{}: not what moorea bench wrote: {}", options_.output, error.what()));
  }
}

void Sweep::take_over(Row& row, const Json& kept) {
  row.checked = true;
  row.rounds_done = kept.at("rounds").get<int>();
  row.generations = kept.at("generations").get<std::uint64_t>();
  row.samples.clear();
  for (const double seconds : kept.at("sample_seconds").get<std::vector<double>>())
    row.samples.push_back({seconds, 0});
  row.discarded_before = kept.value("discarded_samples", std::size_t{0});
  row.watched_seconds = kept.value("watched_seconds", 0.0);
  if (const auto taken = kept.find("cpu_taken"); taken != kept.end() && taken->is_number())
    row.taken_seconds = taken->get<double>() * row.watched_seconds;
  row.stolen_seconds = kept.value("cpu_stolen", 0.0) * row.watched_seconds;
  row.round_medians = kept.at("round_median_seconds").get<std::vector<double>>();
  for (const std::string_view key : facts_kept) {
    if (const auto found = kept.find(std::string(key)); found != kept.end())
      row.facts[std::string(key)] = *found;
  }
  if (kept.contains("energy")) {
    row.joules = kept["energy"].at("joules").get<double>();
    row.joule_seconds = kept["energy"].at("seconds").get<double>();
  }
  if (!kept.contains("core_megahertz")) return;
  for (const auto& [core, median] : kept["core_megahertz"].items())
    row.facts["core_megahertz"][core] = {median.get<double>()};
}

}  // namespace app
