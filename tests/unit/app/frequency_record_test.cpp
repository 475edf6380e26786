// SPDX-License-Identifier: MIT
#include "report/frequency.h"

#include <gtest/gtest.h>

#include "moorea/error.h"

namespace app {
namespace {

// Two CPUs over two rounds; the second CPU has no sample in the first tick.
FrequencyRecord recorded() {
  FrequencyRecord record;
  record.add("cpufreq", {0.01, {{0, {3000, 3000, 3000}}, {10, {0, 2000, 2600}}}, 0.03, 0.001});
  record.add("cpufreq", {0.01, {{0, {2400}}, {10, {2000}}}, 0.01, 0.002});
  return record;
}

TEST(FrequencyRecord, HasStatisticsOfAllSamplesAndOfTheCpusExtremes) {
  const FrequencyStatistics all = statistics_of(recorded()).value();
  EXPECT_EQ(all.samples, 7u);
  EXPECT_DOUBLE_EQ(all.mean, 18000.0 / 7);
  EXPECT_EQ(all.min, 2000);
  EXPECT_EQ(all.max, 3000);
  EXPECT_EQ(all.mean_of_min, (2400 + 2000) / 2.0);
  EXPECT_EQ(all.mean_of_max, (3000 + 2600) / 2.0);
  EXPECT_NEAR(all.standard_deviation, 419.913, 0.001);  // numpy.std of the seven
  EXPECT_FALSE(statistics_of({}));
  EXPECT_EQ(recorded().medians(), (std::map<int, double>{{0, 3000}, {10, 2000}}));
}

TEST(FrequencyRecord, IsCompactAndReadAsItIsWritten) {
  const Json json = frequency_json(recorded());
  EXPECT_EQ(json["megahertz"].dump(), R"({"0":"3000*3 2400","10":"- 2000 2600 2000"})");
  EXPECT_EQ(json["round_ticks"].dump(), "[3,1]");
  EXPECT_EQ(frequency_json(read_frequency(json)), json);
  EXPECT_TRUE(frequency_json({}).is_null());
}

TEST(FrequencyRecord, DiscardsRoundsThatCannotFollow) {
  FrequencyRecord record = recorded();
  record.add("cpuinfo", {0.01, {{0, {1}}, {10, {1}}}, 0.01, 0});
  record.add("cpufreq", {0.02, {{0, {1}}, {10, {1}}}, 0.01, 0});
  record.add("cpufreq", {0.01, {{0, {1}}, {11, {1}}}, 0.01, 0});
  record.add("cpufreq", {});
  EXPECT_EQ(frequency_json(record), frequency_json(recorded()));
}

TEST(FrequencyRecord, RefusesWhatIsNone) {
  const Json good = frequency_json(recorded());
  for (const char* series :
       {"3000*", "*3", "3000*x", "3e3", "-5", "3000*999999999999", "3000*99999999", "2000000", "+1"}) {
    Json json = good;
    json["megahertz"]["0"] = series;
    EXPECT_THROW(read_frequency(json), moorea::Error) << series;
  }
  for (const char* cpu : {"", "x", "-1", "9999999"}) {
    Json json = good;
    json["megahertz"][cpu] = "3000*4";
    EXPECT_THROW(read_frequency(json), moorea::Error) << cpu;
  }
  Json json = good;
  json["interval_seconds"] = 0;
  EXPECT_THROW(read_frequency(json), moorea::Error);
  json = good;
  json["megahertz"]["11"] = "3000*3";  // others have four
  EXPECT_THROW(read_frequency(json), moorea::Error);
  for (const char* key : {"source", "interval_seconds", "megahertz", "round_ticks", "seconds"}) {
    json = good;
    json.erase(key);
    EXPECT_THROW(read_frequency(json), Json::exception) << key;
  }
}

TEST(FrequencyRecord, MakesATableOfTheNamesThatHaveSamples) {
  const auto table = frequency_table({{"a", recorded()}, {"none", {}}});
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table[1],
            (std::vector<std::string>{"a", "2571.4", "2000", "3000", "2200.0", "2800.0", "419.9", "7"}));
}

}  // namespace
}  // namespace app
