// SPDX-License-Identifier: MIT
// Soups of a census on a GPU, in whose place the text of the kernel is compiled for the CPU.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "census/gpu_soup_stream.h"
#include "census/soup.h"
#include "census_cells.h"
#include "definition.h"
#include "devices/cuda.h"
#include "moorea/census.h"
#include "soups_on_cpu.h"

namespace moorea {
namespace {

// How many soups each stage of a stream has settled.
struct Settled {
  std::size_t on[2] = {0, 0};
};

// Counts what a GPU, or what stands for one, decides.
class Counting final : public GpuSoups {
 public:
  Counting(std::unique_ptr<GpuSoups> soups, std::size_t& settled)
      : soups_(std::move(soups)), settled_(settled) {}
  std::size_t max_soups() const override { return soups_->max_soups(); }
  void set_clusters(std::span<const gpu_soups::SoupCluster> places) override { soups_->set_clusters(places); }
  void begin(std::span<const std::uint64_t> soups) override { soups_->begin(soups); }
  std::span<const gpu_soups::word> board(const gpu_soups::SoupResult& result) const override {
    return soups_->board(result);
  }
  std::span<const gpu_soups::SoupResult> results() override {
    const auto results = soups_->results();
    for (const gpu_soups::SoupResult& each : results) settled_ += each.status == gpu_soups::settled ? 1 : 0;
    return results;
  }

 private:
  std::unique_ptr<GpuSoups> soups_;
  std::size_t& settled_;
};

void compare_stream_with_alone(const std::vector<CellList>& soups, const GpuSoupStream::Make& make,
                               const std::shared_ptr<SharedCatalogue>& shared, Settled& settled) {
  std::vector<Counts> found(soups.size());
  std::uint64_t next = 0;
  GpuSoupStream::Calls calls;
  calls.next = [&] { return next < soups.size() ? std::optional(next++) : std::nullopt; };
  calls.cells = [&](std::uint64_t soup) { return soups[soup]; };
  calls.rows = [&](std::uint64_t soup, std::span<std::uint64_t> rows) {
    return put_in_rows(soups[soup], rows);
  };
  std::optional<GpuSoupStream> stream;
  calls.complete = [&](std::uint64_t soup, const SoupObjects& objects) {
    found[soup] = counts_of(objects, stream->catalogue());
  };
  stream.emplace(
      Rule(), 100'000,
      [&](std::int64_t size) {
        return std::make_unique<Counting>(make(size), settled.on[size == 128 ? 0 : 1]);
      },
      calls, shared);
  stream->run();
  SoupRun alone(Rule(), 100'000, {});
  for (std::size_t i = 0; i < soups.size(); ++i)
    ASSERT_EQ(found[i], counts_of(alone.run(soups[i]), alone.catalogue())) << i;
}

std::vector<CellList> plain_soups(int count) {
  std::vector<CellList> soups;
  for (int i = 0; i < count; ++i) soups.push_back(soup_cells("census_test" + std::to_string(i), "C1"));
  return soups;
}

TEST(CensusOnGpu, SoupsInRowsAreThoseInLists) {
  for (const std::string& symmetry : soup_symmetries()) {
    std::vector<std::uint64_t> rows(64), expected(64);
    EXPECT_TRUE(put_soup_in_rows("census_test", symmetry, rows));
    EXPECT_TRUE(put_in_rows(soup_cells("census_test", symmetry), expected));
    EXPECT_EQ(rows, expected) << symmetry;
  }
  std::vector<std::uint64_t> few(15);
  EXPECT_FALSE(put_soup_in_rows("census_test", "C1", few));
}

TEST(CensusOnGpu, SoupsOfAGpuAreThoseAlone) {
  if (const char* const reason = cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  Settled settled;
  const auto make = [](std::int64_t size) {
    return std::make_unique<SoupsOnCpu>(GpuSoupsSpec{Rule(), size, 600, 20, 5, size == 256},
                                        testing::TempDir());
  };
  const auto shared = std::make_shared<SharedCatalogue>();
  SoupRun first(Rule(), 100'000, {}, shared);
  for (const CellList& cells : plain_soups(600)) first.run(cells);
  const int count = test::is_sanitized ? 10 : 40;
  compare_stream_with_alone(plain_soups(count), make, shared, settled);
  compare_stream_with_alone(crowded_soups(16, count), make, shared, settled);
  // In large squares those within the limit of generations
  EXPECT_GT(settled.on[0], test::is_sanitized ? 3u : 20u);
  EXPECT_GT(settled.on[1], test::is_sanitized ? 0u : 2u);
}

}  // namespace
}  // namespace moorea
