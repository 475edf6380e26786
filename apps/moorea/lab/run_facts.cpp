// SPDX-License-Identifier: MIT
#include "lab/run_facts.h"

#include <cstdint>
#include <vector>

#include "cli/clock.h"
#include "moorea/lab/instruments.h"
#include "moorea/picture.h"
#include "report/results.h"
#include "report/statistics.h"

namespace app {
namespace {

constexpr std::int64_t density_side = 2048;  // maximum width and height of the raster whose density is timed
constexpr int query_samples = 5;

template <class Query>
double median_seconds(const Query& query) {
  std::vector<double> samples;
  for (int i = 0; i < query_samples; ++i) {
    const auto begin = Clock::now();
    query();
    samples.push_back(since(begin));
  }
  return summarise(samples).median;
}

void add_launch(ResultRow& facts, const moorea::LaunchShape& shape) {
  Json json;
  add_launch_shape(json, shape);
  facts.block = value_at(json, "block");
  if (shape.bytes_a_thread > 0) facts.bytes_per_thread = shape.bytes_a_thread;
}

}  // namespace

ResultRow run_facts(moorea::Simulation& simulation) {
  ResultRow facts;
  facts.device = simulation.device();
  facts.threads = simulation.threads();
  if (const auto& tiling = simulation.tiling()) {
    facts.tiling = tiling_json(*tiling);
    facts.wide_share = tiling->wide_share;
  }
  if (simulation.launch_shape()) add_launch(facts, *simulation.launch_shape());
  if (const auto resources = moorea::kernel_resources(simulation)) {
    facts.registers_per_thread = resources->registers;
    facts.shared_bytes_per_block = resources->shared_bytes;
    facts.occupancy = resources->occupancy;
  }
  if (const auto bytes = moorea::bytes_per_pass(simulation))
    facts.bytes_per_cell = *bytes / simulation.box().area();
  if (simulation.numbering()) facts.numbering = to_string(*simulation.numbering());
  facts.population_seconds = median_seconds([&] { return simulation.population(); });
  facts.hash_seconds = median_seconds([&] { return simulation.hash(); });
  const moorea::View all = moorea::fitted(simulation.box(), density_side, 1);
  facts.density_seconds = median_seconds([&] { return simulation.density(all.raster); });
  if (const auto conversion = moorea::time_conversion(simulation)) {
    facts.encode_seconds = conversion->encode_seconds;
    facts.decode_seconds = conversion->decode_seconds;
  }
  return facts;
}

}  // namespace app
