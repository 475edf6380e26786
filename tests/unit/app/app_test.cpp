// SPDX-License-Identifier: MIT
#include "cli/numbers.h"

#include <gtest/gtest.h>

#include "cli/ranges.h"
#include "moorea/error.h"
#include "report/statistics.h"

namespace app {
namespace {

TEST(Numbers, AsPeopleWriteThem) {
  for (const auto& [text, value] :
       std::vector<std::pair<const char*, std::uint64_t>>{{"0", 0},
                                                          {"1000", 1000},
                                                          {"1e6", 1'000'000},
                                                          {"1.5e3", 1500},
                                                          {"2^20", 1 << 20},
                                                          {"10k", 10'000},
                                                          {"10K", 10'000},
                                                          {"1M", 1'000'000},
                                                          {"2.5M", 2'500'000},
                                                          {"3G", 3'000'000'000},
                                                          {"123456789012345678", 123456789012345678}}) {
    EXPECT_EQ(parse_count(text, "n"), value) << text;
  }
  for (const char* text : {"", "-1", "1.5", "x", "1e", "1kk", "2^", "^2", "1e30", "2^64", "0x10", "inf",
                           "nan", "1 000", "9223372036854775808", "1e-3", "2^0.5", "."}) {
    EXPECT_THROW(parse_count(text, "n"), moorea::Error) << text;
  }
}

TEST(Numbers, ListsAreJoined) {
  EXPECT_EQ(joined(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(joined(std::vector<std::string>{"", "b"}, ", "), ", b");
  const char* const parts[] = {"a", "b", "c"};
  EXPECT_EQ(joined(parts, "; "), "a; b; c");
}

TEST(Numbers, Sizes) {
  EXPECT_EQ(parse_size("640x480").width, 640);
  EXPECT_EQ(parse_size("640X480").height, 480);
  EXPECT_EQ(parse_size("2^12").height, 4096);
  for (const char* text : {"", "x", "5x", "x5", "0x5", "5x0", "-1x4", "1x2x3", "1.5x2"})
    EXPECT_THROW(parse_size(text), moorea::Error) << text;
}

TEST(Numbers, InSentencesHaveNoExponent) {
  for (const auto& [value, text] : std::vector<std::pair<double, const char*>>{{10500, "10,500"},
                                                                               {1.05e4, "10,500"},
                                                                               {1454.437, "1,450"},
                                                                               {9996, "10,000"},
                                                                               {999.4, "999"},
                                                                               {2.5, "2.5"},
                                                                               {1, "1"},
                                                                               {0.01234, "0.0123"},
                                                                               {1.2e-5, "0.000012"},
                                                                               {-1234567, "-1,230,000"},
                                                                               {0, "0"}})
    EXPECT_EQ(human_number(value), text);
  for (const auto& [value, text] : std::vector<std::pair<double, const char*>>{{999, "999"},
                                                                               {1.234e7, "12.3 million"},
                                                                               {9.999e11, "1 trillion"},
                                                                               {2.16e15, "2.16 quadrillion"},
                                                                               {4.2e21, "4,200 quintillion"}})
    EXPECT_EQ(human_rate(value), text);
  EXPECT_EQ(short_number(4.592e9, 4), "4.592 G");
  EXPECT_EQ(short_number(2.16e15), "2.16 P");
  EXPECT_EQ(short_number(123456), "123456");
  EXPECT_EQ(short_number(0.25), "0.25");
  EXPECT_EQ(short_number(99.26, 2), "99");
}

TEST(Ranges, OfNumbers) {
  using List = std::vector<std::string>;
  EXPECT_EQ(expand_numbers({"1:4"}, "n"), (List{"1", "2", "3", "4"}));
  EXPECT_EQ(expand_numbers({"7", "0:100:+25", "5:6"}, "n"),
            (List{"7", "0", "25", "50", "75", "100", "5", "6"}));
  EXPECT_EQ(expand_numbers({"32:500:x2"}, "n"), (List{"32", "64", "128", "256"}));
  EXPECT_EQ(expand_numbers({"2^10:4k:x2"}, "n"), (List{"1024", "2048"}));
  EXPECT_EQ(expand_numbers({"3:3"}, "n"), (List{"3"}));
  EXPECT_EQ(expand_numbers({"2:9223372036854775807:x9223372036854775807"}, "n"), (List{"2"}));
  for (const char* text :
       {"4:1", "1:", ":4", "1:4:", "1:4:x1", "0:4:x2", "1:4:+0", "1:4:2", "1:2:+1:3", "1:20000"})
    EXPECT_THROW(expand_numbers({text}, "n"), moorea::Error) << text;
}

TEST(Ranges, OfSizes) {
  using List = std::vector<std::string>;
  EXPECT_EQ(expand_sizes({"640x480", "100", "1024:4096:x2"}, "s"),
            (List{"640x480", "100", "1024", "2048", "4096"}));
  EXPECT_EQ(expand_sizes({"8:16:x2x1:3"}, "s"), (List{"8x1", "8x2", "8x3", "16x1", "16x2", "16x3"}));
  EXPECT_EQ(expand_sizes({"64x8:16:x2", "8:16:+8x5"}, "s"), (List{"64x8", "64x16", "8x5", "16x5"}));
  for (const char* text : {"8:16:x2x8:", "x8:16", "8:4x8"})
    EXPECT_THROW(expand_sizes({text}, "s"), moorea::Error) << text;
}

TEST(Statistics, KnownSamples) {
  const Summary same = summarise(std::vector<double>(10, 2.0));
  EXPECT_EQ(same.median, 2);
  EXPECT_EQ(same.spread, 0);
  EXPECT_EQ(same.noise, 0);
  const Summary one_to_nine = summarise({9, 1, 8, 2, 7, 3, 6, 4, 5});
  EXPECT_DOUBLE_EQ(one_to_nine.median, 5);
  EXPECT_DOUBLE_EQ(one_to_nine.spread, (7.0 - 3.0) / 5);     // quartiles 3 and 7
  EXPECT_DOUBLE_EQ(one_to_nine.noise, (9.0 - 2.0) / 2 / 5);  // places 1 and 8 of 0..8
  EXPECT_DOUBLE_EQ(summarise({1, 2}).median, 1.5);
  EXPECT_EQ(summarise({1, 2}).noise, 1);
  // One outlier changes neither
  EXPECT_LT(summarise({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 100}).noise, 0.01);
}

std::vector<double> samples_around(double median, double width) {
  std::vector<double> samples;
  for (int i = -5; i <= 5; ++i) samples.push_back(median * (1 + width * i / 5));
  return samples;
}

TEST(Statistics, ComparesSamplesWithKnownVerdicts) {
  const std::vector<double> usual = samples_around(1, 0.01);
  const auto verdict = [&](const std::vector<double>& now, double minimum = 0.02) {
    return compare({usual, {}}, {now, {}}, minimum).verdict;
  };
  EXPECT_EQ(verdict(usual), Verdict::no_difference);
  EXPECT_EQ(verdict(samples_around(1.005, 0.01)), Verdict::no_difference);  // they overlap
  EXPECT_EQ(verdict(samples_around(1.018, 0.001)),
            Verdict::no_difference);  // they do not, but the difference is small
  EXPECT_EQ(verdict(samples_around(1.018, 0.001), 0.01), Verdict::worse);
  EXPECT_EQ(verdict(samples_around(1.05, 0.01)), Verdict::worse);
  EXPECT_EQ(verdict(samples_around(0.95, 0.01)), Verdict::better);
  EXPECT_EQ(verdict(samples_around(1.05, 0.4)), Verdict::unclear);  // far apart, and too noisy
  EXPECT_EQ(verdict({2, 2, 2, 2, 2}), Verdict::unclear);            // too few
  EXPECT_EQ(compare({usual, {}}, {{2, 2, 2, 2, 2}, {}}, 0.02).reason, "5 samples, 6 are needed");
  EXPECT_EQ(compare({usual, {}}, {usual, {1, 1.5}}, 0.02).reason,
            "the speed drifts by 50 % from round to round, 10 % are allowed");
  EXPECT_EQ(compare({usual, {}}, {usual, {}}, 0.02).reason, "");
  EXPECT_EQ(verdict({2, 2, 2, 2, 2, 2}), Verdict::worse);
  // Some outliers do not hide a difference
  std::vector<double> disturbed = samples_around(0.9, 0.005);
  const std::vector<double> more = samples_around(0.9, 0.005);
  disturbed.insert(disturbed.end(), more.begin(), more.end());
  disturbed.push_back(7);
  EXPECT_EQ(verdict(disturbed), Verdict::better);
  const Comparison half = compare({samples_around(2, 0.01), {}}, {samples_around(1, 0.01), {}}, 0.02);
  EXPECT_DOUBLE_EQ(half.speed, 2);
  EXPECT_EQ(half.faster_pairs, 1);
  EXPECT_DOUBLE_EQ(compare({usual, {}}, {usual, {}}, 0).faster_pairs, 0.5);
}

TEST(Statistics, SpeedThatDriftsByItselfIsNoDifference) {
  const std::vector<double> usual = samples_around(1, 0.01), slower = samples_around(1.05, 0.01);
  const auto verdict = [&](const std::vector<double>& rounds, const std::vector<double>& now_rounds) {
    return compare({usual, rounds}, {slower, now_rounds}, 0.02).verdict;
  };
  EXPECT_EQ(verdict({1, 1.01, 1}, {1.05, 1.04, 1.05}), Verdict::worse);
  EXPECT_EQ(verdict({1, 1.06, 1}, {1.05, 1.04, 1.05}), Verdict::no_difference);
  EXPECT_EQ(verdict({1, 1.01, 1}, {1.05, 1.12, 1.05}), Verdict::no_difference);
  EXPECT_EQ(verdict({1, 1.2, 1}, {1.05, 1.04, 1.05}),
            Verdict::unclear);                        // drift too large for a verdict
  EXPECT_EQ(verdict({1.3}, {1.05}), Verdict::worse);  // one round shows no drift
}

}  // namespace
}  // namespace app
