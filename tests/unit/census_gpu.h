// SPDX-License-Identifier: MIT
// Soups of a stream, compared with those alone.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "census/gpu_soup_stream.h"
#include "census/soup.h"
#include "census_cells.h"
#include "definition.h"
#include "object_cells.h"
#include "soups_on_cpu.h"

namespace moorea {

// How many soups each stage of a stream has settled, and how many of them have been moved.
struct Settled {
  std::size_t on[3] = {0, 0, 0}, moved[3] = {0, 0, 0}, cut_off[3] = {0, 0, 0};
};

// Counts what a GPU, or what stands for one, decides.
class Counting final : public GpuSoups {
 public:
  Counting(std::unique_ptr<GpuSoups> soups, std::size_t& settled, std::size_t& moved, std::size_t& cut_off)
      : soups_(std::move(soups)), settled_(settled), moved_(moved), cut_off_(cut_off) {}
  std::size_t max_soups() const override { return soups_->max_soups(); }
  void begin(std::span<const gpu_soups::word> soups, std::span<const gpu_soups::SoupStart> starts,
             std::shared_ptr<const GpuSoupTable> table) override {
    soups_->begin(soups, starts, std::move(table));
  }
  void begin(const gpu_soups::SoupNames& names, std::span<const std::uint64_t> numbers,
             std::shared_ptr<const GpuSoupTable> table) override {
    soups_->begin(names, numbers, std::move(table));
  }
  bool is_ready() override { return soups_->is_ready(); }
  std::span<const gpu_soups::word> clusters(const gpu_soups::SoupResult& result) const override {
    return soups_->clusters(result);
  }
  std::span<const gpu_soups::SoupShip> ships(const gpu_soups::SoupResult& result) const override {
    return soups_->ships(result);
  }
  std::span<const gpu_soups::word> board(const gpu_soups::SoupResult& result) const override {
    return soups_->board(result);
  }
  std::span<const gpu_soups::SoupResult> results() override {
    const auto results = soups_->results();
    for (const gpu_soups::SoupResult& each : results) {
      if (each.status == gpu_soups::cut_off) ++cut_off_;
      if (each.status != gpu_soups::settled) continue;
      ++settled_;
      moved_ += each.x != 0 || each.y != 0 ? 1 : 0;
    }
    return results;
  }

 private:
  std::unique_ptr<GpuSoups> soups_;
  std::size_t &settled_, &moved_, &cut_off_;
};

inline std::shared_ptr<SharedClusterTable> table_of(std::shared_ptr<SharedCatalogue> shared) {
  return std::make_shared<SharedClusterTable>(std::move(shared), std::make_unique<TablesOnCpu>());
}

inline void compare_stream_with_alone(const std::vector<CellList>& soups, const GpuSoupStream::Make& make,
                                      const std::shared_ptr<SharedCatalogue>& shared, Settled& settled,
                                      const std::optional<gpu_soups::SoupNames>& names = {},
                                      const Rule& rule = Rule(), std::int64_t reach = 0) {
  const auto state_of = [&](std::uint64_t soup) {
    SoupState state{soups[soup]};
    if (reach > 0) state.reach = middle_of_soup(state.cells, "", reach);
    return state;
  };
  std::vector<Counts> found(soups.size());
  std::uint64_t next = 0;
  GpuSoupStream::Calls calls;
  calls.next = [&] { return next < soups.size() ? std::optional(next++) : std::nullopt; };
  calls.state = state_of;
  calls.reach = reach;
  calls.rows = [&](std::uint64_t soup, std::span<std::uint64_t> rows) {
    return put_in_rows(soups[soup], rows);
  };
  calls.names = names;
  std::optional<GpuSoupStream> stream;
  calls.complete = [&](std::uint64_t soup, const SoupObjects& objects) {
    found[soup] = counts_of(objects, stream->catalogue());
  };
  stream.emplace(
      rule, 100'000,
      [&](std::int64_t size) {
        const int stage = size == 128 ? 0 : size == 256 ? 1 : 2;
        return std::make_unique<Counting>(make(size), settled.on[stage], settled.moved[stage],
                                          settled.cut_off[stage]);
      },
      calls, table_of(shared));
  stream->run();
  SoupRun alone(rule, 100'000, {});
  for (std::size_t i = 0; i < soups.size(); ++i)
    ASSERT_EQ(found[i], counts_of(alone.run(state_of(i)), alone.catalogue())) << i;
}

inline std::vector<CellList> plain_soups(int count) {
  std::vector<CellList> soups;
  for (int i = 0; i < count; ++i) soups.push_back(soup_cells("census_test" + std::to_string(i), "C1"));
  return soups;
}

// A table that has nothing but ships: gliders, and spaceships of three sizes.
inline ClusterTable table_of_ships(Catalogue& catalogue) {
  for (const char* const code : {"xq4_153", "xq4_6frc", "xq4_27dee6", "xq4_27deee6"}) {
    CellList ship = object_cells(code);
    for (int phase = 0; phase < 4; ++phase) {
      for (int turn = 0; turn < 8; ++turn) {
        CellList cells;
        for (const Position& cell : ship) {
          const Position at = (turn & 1) != 0 ? Position{cell.y, cell.x} : cell;
          cells.push_back({(turn & 2) != 0 ? -at.x : at.x, (turn & 4) != 0 ? -at.y : at.y});
        }
        EXPECT_NE(catalogue.find(cells, bounds_of_unsorted(cells), 60), nullptr);
      }
      ship = advance(Rule(), ship);
    }
  }
  ClusterTable table;
  table.update(catalogue.shared());
  return table;
}

// Appends a soup in the middle of the half of a square with which a GPU begins.
inline void add_start(const CellList& soup, std::int64_t size, std::vector<gpu_soups::word>& words) {
  const std::int64_t side = size / 2, first = (side - 16) / 2;
  words.resize(words.size() + static_cast<std::size_t>(side * side / 32));
  const auto mine = std::span(words).last(static_cast<std::size_t>(side * side / 32));
  for (const Position& cell : soup) {
    const std::int64_t x = first + cell.x, y = first + cell.y;
    mine[static_cast<std::size_t>(y * side / 32 + x / 32)] |= gpu_soups::word{1} << x % 32;
  }
}

}  // namespace moorea
