// SPDX-License-Identifier: MIT
// Records of a survey are those of a Simulation for each world, whatever the number of lanes and threads.
#include "moorea/survey.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "ensemble_cases.h"

namespace {

using moorea::EnsembleSpec;
using moorea::Grid;
using moorea::Rule;
using moorea::SurveyOptions;
using moorea::Topology;
using moorea::WorldRecord;

EnsembleSpec soups(std::uint64_t worlds) {
  EnsembleSpec spec;
  spec.size = {16, 12};
  spec.groups = {{Rule::parse("B3/S23"), worlds / 2}, {Rule::parse("B36/S23"), worlds - worlds / 2}};
  spec.density = 0.375;
  spec.seed = 3;
  return spec;
}

std::vector<WorldRecord> records_of(const EnsembleSpec& spec, const SurveyOptions& options) {
  std::vector<WorldRecord> all;
  const moorea::SurveyTotals totals =
      moorea::survey(spec, options, [&](std::span<const WorldRecord> records) {
        all.insert(all.end(), records.begin(), records.end());
        return true;
      });
  EXPECT_EQ(totals.worlds, all.size());
  EXPECT_EQ(all.size(), spec.worlds() - options.first);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].world, options.first + i);
  return all;
}

// The record of a world by its definition.
WorldRecord expected_record(const EnsembleSpec& spec, const SurveyOptions& options, std::uint64_t world) {
  const std::uint64_t limit = options.generations_of ? options.generations_of(world) : options.generations;
  moorea::Simulation simulation = ensembles::simulation_of(spec, world);
  WorldRecord record;
  record.world = world;
  std::uint64_t changed = 0;
  const auto step_to = [&](std::uint64_t generation) {
    while (simulation.generation() < generation) changed = simulation.step_comparing(1).front().changed;
  };
  const std::uint64_t interval = moorea::period_search_interval(options.max_period);
  for (std::uint64_t begin = 0; begin < limit && record.period == 0; begin += interval) {
    if (!options.period && !options.until_periodic) break;
    step_to(begin);
    const std::uint64_t reach = std::min<std::uint64_t>(options.max_period, limit - begin);
    record.period = ensembles::period_of(simulation, static_cast<std::uint32_t>(reach));
    if (record.period != 0) record.period_generation = begin;
  }
  if (!options.until_periodic || record.period == 0) step_to(limit);
  record.generation = simulation.generation();
  record.population = simulation.population();
  record.hash = simulation.hash();
  record.bounding_box = simulation.bounding_box();
  if (options.changed) record.changed = changed;
  return record;
}

void expect_record(const WorldRecord& record, const WorldRecord& expected) {
  SCOPED_TRACE("world " + std::to_string(expected.world));
  EXPECT_EQ(record.world, expected.world);
  EXPECT_EQ(record.generation, expected.generation);
  EXPECT_EQ(record.population, expected.population);
  EXPECT_EQ(record.hash, expected.hash);
  EXPECT_EQ(record.bounding_box, expected.bounding_box);
  EXPECT_EQ(record.changed, expected.changed);
  EXPECT_EQ(record.period, expected.period);
  EXPECT_EQ(record.period_generation, expected.period_generation);
}

void expect_records(const EnsembleSpec& spec, const SurveyOptions& options, std::uint64_t every) {
  const std::vector<WorldRecord> records = records_of(spec, options);
  for (const WorldRecord& record : records) {
    if ((record.world - options.first) % every == 0)
      expect_record(record, expected_record(spec, options, record.world));
  }
}

TEST(Surveys, OfFixedLength) {
  SurveyOptions options;
  options.generations = 150;
  options.period = true;
  options.changed = true;
  for (const std::string& kernel : ensembles::kernels()) {
    options.engine = {kernel, 2};
    expect_records(soups(1300), options, 61);
  }
}

TEST(Surveys, UntilPeriodic) {
  SurveyOptions options;
  options.generations = 2000;
  options.until_periodic = true;
  options.changed = true;
  for (const std::string& kernel : ensembles::kernels()) {
    for (const int threads : {1, 3}) {
      options.engine = {kernel, threads};
      expect_records(soups(1500), options, 149);
    }
  }
}

TEST(Surveys, OfLongPeriods) {
  SurveyOptions options;
  options.generations = 3000;
  options.until_periodic = true;
  options.max_period = 4 * 16 * 12;
  expect_records(soups(200), options, 17);
}

TEST(Surveys, WithTheirOwnGenerations) {
  SurveyOptions options;
  options.generations_of = [](std::uint64_t world) { return world % 5 * 41; };
  options.period = true;
  options.changed = true;
  expect_records(soups(700), options, 1);
}

TEST(Surveys, FromALaterWorldOn) {
  SurveyOptions options;
  options.generations = 100;
  const std::vector<WorldRecord> all = records_of(soups(300), options);
  options.first = 211;
  const std::vector<WorldRecord> rest = records_of(soups(300), options);
  for (std::size_t i = 0; i < rest.size(); ++i) expect_record(rest[i], all[i + 211]);
}

TEST(Surveys, OfNearlyAllWorlds) {
  EnsembleSpec spec = soups(2);
  spec.groups = {{Rule(), ~std::uint64_t{0}}};
  SurveyOptions options;
  options.generations = 1;
  const auto stop = [](std::span<const WorldRecord>) { return false; };
  EXPECT_GT(moorea::survey(spec, options, stop).worlds, 0u);
  options.first = ~std::uint64_t{0} - 5;
  EXPECT_EQ(records_of(spec, options).size(), 5u);
}

TEST(Surveys, StopWhenTheyAreTold) {
  SurveyOptions options;
  options.generations = 64;
  options.engine = {"cpu/strided", 2};
  std::uint64_t received = 0;
  const auto totals = moorea::survey(soups(100'000), options, [&](std::span<const WorldRecord> records) {
    received += records.size();
    return received < 100;
  });
  EXPECT_EQ(totals.worlds, received);
  EXPECT_LT(received, 10'000u);
  int calls = 0;
  moorea::survey(soups(100'000), options, {}, [&](const moorea::SurveyTotals&) { return ++calls < 3; });
  EXPECT_EQ(calls, 3);
}

// An interval of the search is as long as the maximum period: it must not end before the survey does.
TEST(Surveys, StopWithinAnInterval) {
  for (const bool period : {false, true}) {
    SurveyOptions options;
    options.generations = std::uint64_t{1} << 60;
    options.period = period;
    options.max_period = 0xFFFFFFFF;
    options.engine.threads = 2;
    EnsembleSpec spec = soups(1000);
    spec.size = {64, 64};
    int calls = 0;
    const auto totals =
        moorea::survey(spec, options, {}, [&](const moorea::SurveyTotals&) { return ++calls < 3; });
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(totals.worlds, 0u);
  }
}

TEST(Surveys, PassExceptionsOn) {
  SurveyOptions options;
  options.generations = 10;
  options.engine.threads = 2;
  EnsembleSpec spec = soups(2000);
  spec.start = [](std::uint64_t world) {
    if (world == 1700) throw std::runtime_error("no world 1700");
    return Grid(16, 12);
  };
  EXPECT_THROW(moorea::survey(spec, options, {}), std::runtime_error);
  options.max_period = 0;
  EXPECT_THROW(moorea::survey(spec, options, {}), moorea::Error);
}

}  // namespace
