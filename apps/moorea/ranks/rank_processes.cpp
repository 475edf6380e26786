// SPDX-License-Identifier: MIT
#include "ranks/rank_processes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "moorea/error.h"
#include "moorea/rank_checkpoint.h"
#include "moorea/ranks.h"
#include "ranks/session.h"
#include "ranks/start.h"

namespace app {
namespace {

class RankedSaver final : public RunSaver {
 public:
  RankedSaver(const std::string& file, const std::shared_ptr<moorea::RankLink>& link, int threads)
      : saver_(file, link, threads) {}

  void save(const moorea::Simulation& simulation, const std::string& notes) override {
    saver_.save(simulation, notes);
  }
  void advance() override { saver_.advance(); }
  bool busy() const override { return saver_.busy(); }
  void wait() override { saver_.wait(); }
  moorea::CheckpointSaver::Report report() const override { return saver_.report(); }

 private:
  moorea::RankCheckpointSaver saver_;
};

// Reads every chunk whose number is this rank's, modulo the number of ranks.
void verify_chunks(const std::string& file, const moorea::RankLink& link) {
  const moorea::CheckpointReader reader(file);
  const auto chunks = reader.chunks();
  for (auto i = static_cast<std::size_t>(link.rank()); i < chunks.size();
       i += static_cast<std::size_t>(link.size())) {
    moorea::Grid cells(reader.header().box.width, chunks[i].rows);
    reader.read_rows(chunks[i].row, cells.view());
  }
}

}  // namespace

std::uint64_t RankProcesses::any(std::uint64_t bits) const {
  reduce_ranks(*link_, {&bits, 1}, [](std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
    into[0] |= from[0];
  });
  return bits;
}

bool RankProcesses::exists(const std::string& file) const {
  return any(leads() && RunProcesses::exists(file) ? 1 : 0) != 0;
}

void RankProcesses::verify(const std::string& file) const {
  std::string failure;
  try {
    verify_chunks(file, *link_);
  } catch (const moorea::Error& error) {
    failure = error.what();
  }
  if (any(failure.empty() ? 0 : 1) == 0) return;
  const std::vector<std::string> failures = gather_texts(*link_, failure);  // on rank 0, which reports one
  const auto first = std::ranges::find_if(failures, [](const std::string& text) { return !text.empty(); });
  throw moorea::Error(first != failures.end() ? *first : file + ": the checkpoint is damaged");
}

DescribedStart RankProcesses::start_of(const WorldOptions& options) const {
  constexpr std::int64_t band_cells = 1 << 26;
  const auto start = std::make_shared<RankedStart>(options);
  const auto hash = [start, rank_link = link_] {
    const moorea::WorldSpec& world = start->spec();
    const std::int64_t rank = rank_link->rank(), ranks = rank_link->size();
    const std::int64_t band = std::max<std::int64_t>(1, band_cells / std::max<std::int64_t>(1, world.width));
    const std::int64_t end = world.height * (rank + 1) / ranks;
    std::uint64_t sum = 0;
    for (std::int64_t y = world.height * rank / ranks; y < end; y += band)
      sum = (sum + start->rows(y, std::min(band, end - y)).hash({0, y})) % hash_modulus;
    reduce_ranks(*rank_link, {&sum, 1},
                 [](std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
                   into[0] = (into[0] + from[0]) % hash_modulus;
                 });
    return sum;
  };
  return {start->spec(), start->generation(), hash};
}

std::unique_ptr<RunSaver> RankProcesses::make_saver(const std::string& file) const {
  return std::make_unique<RankedSaver>(file, link_, threads_);
}

}  // namespace app
