// SPDX-License-Identifier: MIT
#include "lab/studies.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/simulation.h"
#include "report/statistics.h"
#include "report/svg.h"
#include "report/timeline.h"

namespace app {
namespace {

double rate(const Measurement& measurement) { return measurement.row["cells_per_second"].get<double>(); }
std::string kernel_of(const Measurement& measurement) { return measurement.row["kernel"].get<std::string>(); }

// Those of the names that run here.
std::vector<std::string> that_run(std::initializer_list<const char*> names) {
  const std::vector<moorea::KernelInfo> all = moorea::list_kernels();
  std::vector<std::string> found;
  for (const std::string name : names) {
    if (std::any_of(all.begin(), all.end(),
                    [&](const auto& kernel) { return kernel.name == name && kernel.runs; }))
      found.push_back(name);
  }
  return found;
}

// The fastest kernel of a kind that this processor has.
std::string best_of(std::initializer_list<const char*> names) { return that_run(names).front(); }

std::vector<const Measurement*> where(const Results& results,
                                      const std::function<bool(const Measurement&)>& holds) {
  std::vector<const Measurement*> list;
  for (const Measurement& measurement : results.measurements) {
    if (holds(measurement)) list.push_back(&measurement);
  }
  return list;
}

const Measurement* fastest(const std::vector<const Measurement*>& list) {
  const auto found =
      std::max_element(list.begin(), list.end(), [](auto a, auto b) { return rate(*a) < rate(*b); });
  return found == list.end() ? nullptr : *found;
}

const Measurement* slowest(const std::vector<const Measurement*>& list) {
  const auto found =
      std::min_element(list.begin(), list.end(), [](auto a, auto b) { return rate(*a) < rate(*b); });
  return found == list.end() ? nullptr : *found;
}

// The values of a key, in the order in which they were measured.
std::vector<Json> values_of(const Results& results, const char* key) {
  std::vector<Json> values;
  for (const Measurement& measurement : results.measurements) {
    const Json value = measurement.row.value(key, Json());
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

std::string times(double factor) { return human_number(factor) + " times"; }

// Whether no other process had the CPUs.
bool quiet(const Measurement& measurement) { return !is_busy(measurement.row); }

// Why two measurements are not compared.
constexpr const char* not_quiet = "measured while other processes used the CPUs, so nothing is said of it";

// "A is 1.5 times as fast as B.", or that their samples do not tell them apart.
std::string against(const std::string& a, const Measurement& of_a, const std::string& b,
                    const Measurement& of_b) {
  const Comparison found = compare(of_b.seconds, of_a.seconds, 0.02);
  if (is_busy(of_a.row) || is_busy(of_b.row))
    return fmt::format(
        "{} and {}: measured while other processes used the CPUs, which is too unsure to compare them.", a,
        b);
  if (found.verdict == Verdict::better || found.verdict == Verdict::worse)
    return fmt::format("{} is {} as fast as {}.", a, times(found.speed), b);
  if (found.verdict == Verdict::cannot_tell)
    return fmt::format("{} and {}: too few or too different samples to tell which is faster ({}).", a, b,
                       medians_apart(found.speed));
  return fmt::format("{} and {} are not told apart by their samples ({}).", a, b, medians_apart(found.speed));
}

// All threads, or few of many.
std::vector<std::string> thread_counts() {
  const int maximum = moorea::list_devices().front().threads;
  std::vector<std::string> counts;
  for (int threads = 1; threads < maximum; threads = maximum <= 8 ? threads + 1 : threads * 2)
    counts.push_back(std::to_string(threads));
  counts.push_back(std::to_string(maximum));
  return counts;
}

// The number of a rung: that of its file, or of the production kernels that go on where a ladder ends, as in
// docs/ladder.md; 0 for kernels that are on none.
int rung_of(const std::string& kernel) {
  static const std::map<std::string, int> production = {{"cpu/bits", 10},
                                                        {"cpu/bits_avx2", 11},
                                                        {"cpu/bits_avx512", 12},
                                                        {"cpu/strided", 15},
                                                        {"cpu/strided_avx2", 15},
                                                        {"cpu/strided_avx512", 15},
                                                        {"cpu/tiles", 16},
                                                        {"cpu/tiles_avx2", 16},
                                                        {"cpu/tiles_avx512", 16},
                                                        {"cuda/strided", 16},
                                                        {"cuda/chip", 17},
                                                        {"cuda/strided_lazy", 18},
                                                        {"opencl/bits", 7},
                                                        {"opencl/bits_vector", 8},
                                                        {"opencl/bits_lazy", 9},
                                                        {"opencl/strided", 10},
                                                        {"opencl/strided_vector", 11}};
  if (const std::size_t at = kernel.find("/ladder/"); at != std::string::npos)
    return std::atoi(kernel.c_str() + at + 8);
  const auto found = production.find(kernel);
  return found == production.end() ? 0 : found->second;
}

// A kernel's place: its backend and device, its rung, its name.
auto place_of(const Measurement& each) {
  const std::string kernel = kernel_of(each);
  return std::tuple(words(each.row["device"]), rung_of(kernel), kernel);
}

// "_avx512" of a kernel whose name ends so.
std::string vectors_of(const std::string& kernel) {
  for (const std::string ending : {"_avx2", "_avx512"}) {
    if (kernel.ends_with(ending)) return ending;
  }
  return "";
}

struct Rung {
  const Measurement* measurement;
  const Measurement* below;  // the rung before: of its variants that with the same vectors, else the fastest
};

std::vector<Rung> climbed(const Results& results) {
  std::vector<const Measurement*> list = where(results, [](const Measurement&) { return true; });
  std::stable_sort(list.begin(), list.end(),
                   [](const auto* a, const auto* b) { return place_of(*a) < place_of(*b); });
  std::vector<Rung> rungs;
  for (const Measurement* each : list) {
    const auto [device, number, kernel] = place_of(*each);
    int before = 0;
    for (const Measurement* other : list) {
      const auto [its_device, its_number, name] = place_of(*other);
      if (its_device == device && its_number < number) before = std::max(before, its_number);
    }
    const auto below = where(results, [&, d = device](const Measurement& other) {
      return before > 0 && std::get<0>(place_of(other)) == d && rung_of(kernel_of(other)) == before;
    });
    const auto alike = std::find_if(below.begin(), below.end(), [&, k = kernel](const auto* other) {
      return vectors_of(kernel_of(*other)) == vectors_of(k);
    });
    rungs.push_back({each, alike != below.end() ? *alike : fastest(below)});
  }
  return rungs;
}

// The bars of a ladder, rung by rung, with what each gains over the one before and what it teaches.
Chart ladder_chart(const Results& results, const std::vector<Rung>& rungs) {
  Chart chart = make_charts(results, {ChartKind::bars, "", "", "", "The ladder, rung by rung"}).front();
  const std::vector<ChartPoint> points = chart.series.front().points;
  const std::vector<moorea::KernelInfo> kernels = moorea::list_kernels();
  chart.series.front().points.clear();
  chart.y.names.clear();
  for (const Rung& rung : rungs) {
    const std::string kernel = kernel_of(*rung.measurement);
    ChartPoint point = points[static_cast<std::size_t>(rung.measurement - results.measurements.data())];
    const int number = rung_of(kernel);
    const std::string name = kernel.substr(kernel.rfind('/') + 1);
    point.label = number > 0 && kernel.find("/ladder/") == std::string::npos
                      ? fmt::format("{:02}_{}", number, name)
                      : name;
    point.group = words(rung.measurement->row["device"]);
    const auto info = std::find_if(kernels.begin(), kernels.end(),
                                   [&](const moorea::KernelInfo& each) { return each.name == kernel; });
    if (info != kernels.end()) point.note = info->summary;
    if (point.note.starts_with("ladder: ")) point.note = point.note.substr(8);
    if (rung.below != nullptr && quiet(*rung.measurement) && quiet(*rung.below)) {
      const std::string before = kernel_of(*rung.below);
      point.note = fmt::format("{} {}: {}", times(rate(*rung.measurement) / rate(*rung.below)),
                               before.substr(before.rfind('/') + 1), point.note);
    }
    point.x = static_cast<double>(chart.y.names.size());
    chart.y.names.push_back(point.label);
    chart.series.front().points.push_back(point);
  }
  return chart;
}

void ladder(Report& report) {
  Selection selection;
  selection.sizes = {report.quick() ? "512" : "4096"};
  const Results results = report.measure(selection);
  for (const Json& device : values_of(results, "device")) {
    const auto here =
        where(results, [&](const Measurement& each) { return each.row["device"] == device && quiet(each); });
    if (here.empty()) {
      report.find(fmt::format("All kernels on {} were {}.", words(device), not_quiet));
      continue;
    }
    const Measurement *best = fastest(here), *worst = slowest(here);
    report.find(fmt::format(
        "On {} the fastest of {} kernels is {}: {} cells a second{}, {} as many as the slowest, {}.",
        words(device), here.size(), kernel_of(*best), short_number(rate(*best)),
        is_mostly_skipped(best->row) ? " (mostly skipped: ash)" : "", times(rate(*best) / rate(*worst)),
        kernel_of(*worst)));
  }
  const std::vector<Rung> rungs = climbed(results);
  double maximum = 0;
  std::pair<const Measurement*, const Measurement*> step;
  for (const Rung& rung : rungs) {
    // A rung that leaves out what rests is as fast as the world is still
    if (rung.below == nullptr || is_mostly_skipped(rung.measurement->row)) continue;
    if (!quiet(*rung.measurement) || !quiet(*rung.below)) continue;
    if (words(rung.measurement->row["device"]) != "cpu") continue;
    if (const double factor = rate(*rung.measurement) / rate(*rung.below); factor > maximum) {
      maximum = factor;
      step = {rung.below, rung.measurement};
    }
  }
  if (maximum > 0)
    report.find(fmt::format("The greatest step between two rungs of the CPU's ladder is from {} to {}: {}.",
                            kernel_of(*step.first), kernel_of(*step.second), times(maximum)));
  report.add_chart("The ladder, rung by rung", ladder_chart(results, rungs));
  report.add_charts("Against what memory and logic allow", results, {ChartKind::roofline, "", "", "", ""});
}

void threads(Report& report) {
  Selection selection;
  selection.kernels = that_run({"cpu/ladder/03_vectorised", "cpu/bits"});
  selection.kernels.push_back(best_of({"cpu/strided_avx512", "cpu/strided_avx2", "cpu/strided"}));
  selection.sizes =
      report.quick() ? std::vector<std::string>{"2048"} : std::vector<std::string>{"4096", "16384"};
  selection.threads = thread_counts();
  if (selection.threads.size() < 2)
    throw moorea::Error("this machine offers one thread", moorea::ErrorKind::unavailable);
  const Results results = report.measure(selection);
  for (const std::string& kernel : selection.kernels) {
    for (const Json& size : values_of(results, "width")) {
      const auto rows = where(results, [&](const Measurement& each) {
        return kernel_of(each) == kernel && each.row["width"] == size;
      });
      if (rows.size() < 2) continue;
      if (!quiet(*rows.front()) || !quiet(*rows.back())) {
        report.find(fmt::format("{} at {} square: {}.", kernel, size.dump(), not_quiet));
        continue;
      }
      const double n = rows.back()->row["threads"].get<double>(),
                   gained = rate(*rows.back()) / rate(*rows.front());
      std::string sentence =
          fmt::format("{} at {} square: {} threads are {} as fast as one, an efficiency of {:.0f} %", kernel,
                      size.dump(), n, times(gained), 100 * gained / n);
      // Amdahl's law, turned over: the part that would have to be serial if nothing else were in the way
      if (gained > 1 && gained < n)
        sentence += fmt::format("; by Amdahl's law as if {:.1f} % of the work were done by one thread",
                                100 * (n / gained - 1) / (n - 1));
      report.find(sentence + ".");
    }
  }
  report.add_charts("Speed-up by threads", results, {ChartKind::speedup, "threads", "", "", ""});
  report.add_charts("Cells per second by threads", results, {ChartKind::line, "threads", "", "", ""});
}

std::string tile_text(const Measurement& measurement) {
  const Json& tiling = measurement.row["tiling"];
  return fmt::format("{} x {}", tiling["width"].dump(), tiling["height"].dump());
}

void tiles(Report& report) {
  Selection selection;
  selection.kernels = {"cpu/ladder/03_vectorised"};
  selection.sizes = {report.quick() ? "1024" : "4096"};
  selection.axes.tiles = {report.quick() ? "16:1024:x4x16:1024:x4" : "16:4096:x2x16:4096:x2"};
  const Results results = report.measure(selection);
  const auto all = where(results, quiet);
  if (all.empty()) report.find(fmt::format("All tiles were {}.", not_quiet));
  const Measurement *best = fastest(all), *worst = slowest(all);
  const auto near = where(results, [&](const Measurement& each) {
    return best != nullptr && quiet(each) && rate(each) >= 0.95 * rate(*best);
  });
  if (best != nullptr)
    report.find(fmt::format("The best tile is {} cells: {} cells a second, {} as many as the worst, {}.",
                            tile_text(*best), short_number(rate(*best)), times(rate(*best) / rate(*worst)),
                            tile_text(*worst)));
  if (best != nullptr)
    report.find(fmt::format("{} of {} tiles are within 5 % of it.", near.size(), all.size()));
  // Of tiles with the same number of cells, wide against tall ones
  double wide = 0, tall = 0;
  int pairs = 0;
  for (const Measurement* a : all) {
    for (const Measurement* b : all) {
      const Json &at = a->row["tiling"], &bt = b->row["tiling"];
      if (at["width"] != bt["height"] || at["height"] != bt["width"] || at["width"] <= at["height"]) continue;
      wide += rate(*a), tall += rate(*b), ++pairs;
    }
  }
  if (pairs > 0)
    report.find(fmt::format(
        "Of two tiles that are each other turned by 90 degrees the wide one is on average {} as fast.",
        times(wide / tall)));
  report.add_charts("Tile width and tile height", results,
                    {ChartKind::heatmap, "tile-width", "", "tile-height", ""});
}

void schedule(Report& report) {
  Selection selection;
  selection.kernels = {"cpu/ladder/09_lazy"};
  selection.sizes = {report.quick() ? "1024" : "4096"};
  selection.axes.tiles = {"64x32"};
  selection.axes.schedules = {"static", "dynamic", "guided"};
  selection.axes.chunks = {report.quick() ? "1:8:x8" : "1:64:x2"};
  selection.starts = {"random:0.5:0", "guns:256", "spaceships:512"};
  const Results results = report.measure(selection);
  for (const std::string& start : selection.starts) {
    const auto rows = where(results, [&](const Measurement& each) { return each.row["start"] == start; });
    const Measurement *best = fastest(rows), *worst = slowest(rows);
    if (best == nullptr) continue;
    report.find(start + ": " +
                against("schedule " + words(best->row["tiling"]["schedule"]), *best,
                        words(worst->row["tiling"]["schedule"]), *worst));
  }
  report.add_charts("Schedule and chunk", results, {ChartKind::heatmap, "schedule", "", "chunk", ""});
}

void vectors(Report& report) {
  Selection selection;
  selection.kernels = that_run({"cpu/ladder/01_serial", "cpu/ladder/03_vectorised", "cpu/ladder/04_avx2",
                                "cpu/ladder/05_fewer_loads_avx2", "cpu/ladder/06_avx512", "cpu/bits",
                                "cpu/bits_avx2", "cpu/bits_avx512"});
  selection.sizes = {report.quick() ? "1024" : "4096"};
  selection.threads = {"1"};
  const Results results = report.measure(selection);
  const auto row = [&](const char* name) {
    const auto rows = where(results, [&](const Measurement& each) { return kernel_of(each) == name; });
    return rows.empty() ? nullptr : rows.front();
  };
  for (const auto& [narrow, wide] :
       std::vector<std::pair<const char*, const char*>>{{"cpu/ladder/01_serial", "cpu/ladder/03_vectorised"},
                                                        {"cpu/ladder/04_avx2", "cpu/ladder/06_avx512"},
                                                        {"cpu/bits", "cpu/bits_avx2"},
                                                        {"cpu/bits_avx2", "cpu/bits_avx512"}}) {
    if (row(narrow) == nullptr || row(wide) == nullptr) continue;
    report.find(against(wide, *row(wide), narrow, *row(narrow)));
  }
  // One core works, and it is the fastest then
  double minimum = INFINITY, maximum = 0;
  for (const Measurement& each : results.measurements) {
    const Json cores = each.row.value("core_megahertz", Json::object());
    double busiest = 0;
    for (const auto& [core, megahertz] : cores.items()) busiest = std::max(busiest, megahertz.get<double>());
    if (busiest > 0) minimum = std::min(minimum, busiest), maximum = std::max(maximum, busiest);
  }
  report.find(
      maximum > 0
          ? fmt::format("The core that worked ran at {:.0f} to {:.0f} MHz, by kernel.", minimum, maximum)
          : "This system does not tell how fast its cores run, so speed and clock cannot be told apart.");
  report.add_charts("One thread", results, {ChartKind::bars, "", "", "", ""});
}

void lazy(Report& report) {
  const std::vector<std::pair<const char*, const char*>> pairs = {
      {"cpu/ladder/03_vectorised", "cpu/ladder/09_lazy"},
      {"cpu/bits", "cpu/ladder/14_bits_lazy"},
      {"opencl/bits", "opencl/bits_lazy"},
      {"cuda/strided", "cuda/strided_lazy"}};
  Selection selection;
  for (const auto& [eager, leaves_out] : pairs) {
    const std::vector<std::string> both = that_run({eager, leaves_out});
    if (both.size() == 2) selection.kernels.insert(selection.kernels.end(), both.begin(), both.end());
  }
  selection.sizes =
      report.quick() ? std::vector<std::string>{"1024"} : std::vector<std::string>{"1024:8192:x2"};
  selection.starts = {"spaceships:512", "r-pentominoes:512", "random:0.5:0"};
  const Results results = report.measure(selection);
  for (const auto& [eager, leaves_out] : pairs) {
    for (const std::string& start : selection.starts) {
      const auto of = [&](const char* name) {
        return fastest(where(results, [&](const Measurement& each) {
          return kernel_of(each) == name && each.row["start"] == start &&
                 each.row["width"] == results.measurements.back().row["width"];
        }));
      };
      const Measurement *a = of(eager), *b = of(leaves_out);
      if (a == nullptr || b == nullptr) continue;
      report.find(start + ": " + against(leaves_out, *b, eager, *a));
    }
  }
  for (const std::string& start : selection.starts) {
    Results part = results;
    std::erase_if(part.measurements, [&](const Measurement& each) { return each.row["start"] != start; });
    report.add_charts(
        "From " + start, part,
        {report.quick() ? ChartKind::bars : ChartKind::line, report.quick() ? "" : "size", "", "", ""});
  }
}

// What a number of threads a block and of bytes a thread do, of all worlds of a size.
void blocks(Report& report) {
  Selection selection;
  selection.kernels = that_run({"cuda/ladder/11_bits_bytes"});
  if (selection.kernels.empty())
    throw moorea::Error("thread blocks are studied on an NVIDIA GPU; moorea kernels says why there is none",
                        moorea::ErrorKind::unavailable);
  selection.sizes = {report.quick() ? "1024" : "1024:16384:x4"};
  selection.axes.blocks = {report.quick() ? "64:256:x4" : "32:1024:x2"};
  selection.axes.bytes_a_thread = {report.quick() ? "4:16:x4" : "1:64:x4"};
  const Results results = report.measure(selection);
  for (const Json& size : values_of(results, "width")) {
    const auto rows = where(results, [&](const Measurement& each) { return each.row["width"] == size; });
    const Measurement *best = fastest(rows), *worst = slowest(rows);
    report.find(fmt::format(
        "At {0} square {1} threads a block and {2} bytes a thread are the best of {3}: {4} cells a second, "
        "{5} as many as with {6} and {7}. The way of its cells from packed rows takes as long as {8} "
        "generations.",
        size.dump(), best->row["block"]["width"].dump(), best->row["bytes_per_thread"].dump(), rows.size(),
        short_number(rate(*best)), times(rate(*best) / rate(*worst)), worst->row["block"]["width"].dump(),
        worst->row["bytes_per_thread"].dump(),
        human_number(best->row["encode_seconds"].get<double>() *
                     best->row["generations_per_second"].get<double>())));
  }
  report.add_charts("Threads a block and bytes a thread", results,
                    {ChartKind::heatmap, "block", "", "bytes-per-thread", ""});
}

void registers(Report& report) {
  Selection selection;
  selection.kernels = that_run({"cpu/strided", "cpu/strided_avx2", "cpu/strided_avx512", "cuda/strided"});
  selection.sizes = {report.quick() ? "1024" : "16384"};
  selection.threads = {"1"};
  selection.rules = {"Life", "B3678/S345"};
  const Results results = report.measure(selection);
  const double named = moorea::gates_per_word(moorea::Rule()),
               unnamed = moorea::gates_per_word(moorea::Rule::parse("B3678/S345"));
  report.find(
      fmt::format("Life's network has {:.3g} gates a word and was compiled with the program; that of "
                  "B3678/S345 has {:.3g} and was made when it "
                  "was asked for.",
                  named, unnamed));
  for (const std::string& kernel : selection.kernels) {
    const auto rows = where(results, [&](const Measurement& each) { return kernel_of(each) == kernel; });
    if (rows.size() < 2) continue;
    if (!quiet(*rows[0]) || !quiet(*rows[1])) {
      report.find(fmt::format("{}: {}.", kernel, not_quiet));
      continue;
    }
    const double part = rate(*rows[1]) / rate(*rows[0]);
    std::string sentence =
        fmt::format("{} runs it at {:.0f} % of Life's speed; by the gates alone it would be {:.0f} %", kernel,
                    100 * part, 100 * named / unnamed);
    if (rows[0]->row.contains("registers_per_thread"))
      sentence += fmt::format("; registers a thread {} and {}", rows[0]->row["registers_per_thread"].dump(),
                              rows[1]->row["registers_per_thread"].dump());
    report.find(sentence + ".");
  }
  report.add_charts("A rule of the program against a rule of the moment", results,
                    {ChartKind::bars, "", "", "", ""});
  const char *at_run_time = "cuda/ladder/09_runtime_rule", *by_template = "cuda/ladder/10_template_rule";
  Selection ladder;
  ladder.kernels = that_run({at_run_time, by_template});
  ladder.sizes = {report.quick() ? "1024" : "16384"};
  if (ladder.kernels.size() < 2) return;
  const Results rungs = report.measure(ladder);
  const auto row = [&](const char* name) {
    return fastest(where(rungs, [&](const Measurement& each) { return kernel_of(each) == name; }));
  };
  if (row(at_run_time) == nullptr || row(by_template) == nullptr) return;
  const Measurement &asked = *row(at_run_time), &known = *row(by_template);
  const auto takes = [](const Measurement& each) {
    return fmt::format("{} registers a thread, {:.0f} % of the threads that a multiprocessor can hold",
                       each.row["registers_per_thread"].dump(), 100 * each.row["occupancy"].get<double>());
  };
  report.find(
      "A byte a cell on a GPU, the rule's family asked for in every cell or known when the kernel was "
      "compiled: " +
      against(by_template, known, at_run_time, asked) +
      fmt::format(" It takes {}; asked for, {}.", takes(known), takes(asked)));
  report.add_charts("The same kernel with the rule's family asked for and known", rungs,
                    {ChartKind::bars, "", "", "", ""});
}

void anneal(Report& report) {
  const std::int64_t side = report.quick() ? 512 : 1024;
  const std::uint64_t last = report.quick() ? 1024 : 4096;
  moorea::Simulation simulation(moorea::Rule::parse("Anneal"), moorea::Topology::torus,
                                moorea::Grid::random(side, side, 0.5, 1));
  const double cells = static_cast<double>(side) * static_cast<double>(side);
  std::vector<Report::Picture> pictures;
  Chart live, changed;
  ChartSeries alive{"live", {}}, flips{"changed", {}};
  for (std::uint64_t target = 0; target <= last; target = target == 0 ? 4 : target * 4) {
    auto generation = static_cast<double>(simulation.generation());
    for (const moorea::Activity& did :
         simulation.step_comparing(target - simulation.generation(), [] { return !was_interrupted(); })) {
      const double part = static_cast<double>(did.population) / cells,
                   moved = static_cast<double>(did.changed) / cells;
      generation += 1;
      alive.points.push_back({generation, part, part, part, ""});
      flips.points.push_back({generation, moved, moved, moved, ""});
    }
    if (was_interrupted()) throw moorea::Error("interrupted");
    pictures.push_back({fmt::format("generation {}", target), simulation.grid()});
  }
  // A point for each power of the square root of two is enough for a curve over a logarithm
  const auto thinned = [](const ChartSeries& series) {
    ChartSeries thin{series.name, {}};
    double next = 1;
    for (const ChartPoint& point : series.points) {
      if (point.x < next) continue;
      thin.points.push_back(point);
      next = std::max(point.x + 1, point.x * 1.41421356);
    }
    return thin;
  };
  report.find(fmt::format(
      "From noise of density one half {:.1f} % of the cells live after one generation, {:.1f} % after {}.",
      100 * alive.points.front().y, 100 * alive.points.back().y, last));
  report.find(
      fmt::format("The cells that a generation changes, those at the edges between regions, go from {:.2g} % "
                  "to {:.2g} % of all.",
                  100 * flips.points.front().y, 100 * flips.points.back().y));
  const std::string where = fmt::format(
      "Anneal (B4678/S35678), a torus of {0} x {0} cells, noise of density 0.5 and seed 1.", side);
  live = {ChartKind::line,
          "Live cells by generation",
          {"generation", true, {}},
          {"part of all cells", false, {}},
          "",
          {thinned(alive)},
          {},
          where};
  changed = {ChartKind::line,
             "Changed cells by generation",
             {"generation", true, {}},
             {"part of all cells", true, {}},
             "",
             {thinned(flips)},
             {},
             where};
  report.add_pictures("The world", pictures);
  report.add_chart("Live cells", live);
  report.add_chart("Cells that a generation changes", changed);
}

// Some generations of a world that has been running for a while, under one schedule.
Timeline recorded(const moorea::Grid& start, const char* schedule) {
  constexpr std::uint64_t before = 64, passes = 8, apart = 16;
  moorea::Options options;
  options.kernel = "cpu/ladder/09_lazy";
  options.tile = moorea::TileSize{64, 32};
  options.schedule = moorea::parse_schedule(schedule);
  moorea::Simulation simulation({}, moorea::Topology::torus, start, options);
  simulation.step(before);
  Timeline timeline;
  timeline.kernel = options.kernel;
  timeline.threads = simulation.threads();
  timeline.world = {0, 0, start.width(), start.height()};
  timeline.about = fmt::format("Life on a torus of {} x {} cells, tiles of 64 x 32, {} threads, schedule {}",
                               start.width(), start.height(), simulation.threads(), schedule);
  for (std::uint64_t i = 0; i < passes; ++i) {
    const std::vector<moorea::TileEvent> events = simulation.step_tracing(1);
    timeline.events.insert(timeline.events.end(), events.begin(), events.end());
    simulation.step(apart - 1);
  }
  return timeline;
}

void timeline(Report& report) {
  const std::int64_t side = report.quick() ? 1024 : 4096;
  // Noise in one corner, so that equal parts of the world are unequal parts of the work
  moorea::Grid start(side, side);
  start.paste(moorea::Grid::random(side / 2, side / 2, 0.4, 1), {});
  for (const char* schedule : {"static", "static,1", "dynamic,4", "guided"}) {
    Timeline timeline = recorded(start, schedule);
    report.find(
        fmt::format("Schedule {}: the busiest thread worked {:.2f} times as long as the average of {}.",
                    schedule, imbalance(timeline), timeline.threads));
    if (!timeline.events.empty())
      report.add_html(fmt::format("Schedule {}: which thread computed which tile, when", schedule),
                      timeline_view(timeline));
  }
}

constexpr Study all[] = {
    {"ladder", "The ladder",
     "How fast is each technique, from a byte a cell to bits several generations deep, on this machine?",
     ladder},
    {"threads", "Threads",
     "How much faster do more threads make it, and what keeps them from being as many times as fast?",
     threads},
    {"tiles", "Tiles", "Which width and height of tiles suits the caches and the loops?", tiles},
    {"schedule", "Schedule, chunk and starting pattern",
     "How should threads share tiles, when all of them cost the same and when few cost anything?", schedule},
    {"vectors", "Vector width", "What do wider vectors gain, and what do they cost in clock frequency?",
     vectors},
    {"blocks", "Threads a block and bytes a thread",
     "How many threads should a GPU's block have, and how much should each do?", blocks},
    {"lazy", "Lazy against eager", "When does it pay to look for what rests and to leave it out?", lazy},
    {"registers", "Rules compiled with the program and rules of the moment",
     "What does it cost to make a rule's code when it is asked for?", registers},
    {"timeline", "Timeline of tiles by thread",
     "Which thread computes which tile when, and who waits for whom?", timeline},
    {"reduction", "Ways to add up an array on a GPU",
     "Which ways of adding up an array come near a GPU's memory, and what does each step gain?",
     study_reduction},
    {"anneal", "The evolution of Anneal", "What becomes of noise under the rule Anneal?", anneal},
};

}  // namespace

std::span<const Study> studies() { return all; }

std::string medians_apart(double speed) {
  if (speed > 0.5 && speed < 2) return fmt::format("medians {:+.1f} %", 100 * (speed - 1));
  return fmt::format("medians {} times apart", human_number(speed < 1 ? 1 / speed : speed));
}

}  // namespace app
