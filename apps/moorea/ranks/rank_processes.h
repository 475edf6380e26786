// SPDX-License-Identifier: MIT
// The ranks of a run, which decide together when checkpoints are due and which one the run continues from,
// and write and read them by rows.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "media/run_processes.h"
#include "moorea/ranks.h"

namespace app {

class RankProcesses final : public RunProcesses {
 public:
  /// Each rank saves with so many threads; 0: as many as it has CPUs.
  RankProcesses(std::shared_ptr<moorea::RankLink> link, int threads)
      : link_(std::move(link)), threads_(threads) {}

  bool are_several() const override { return true; }
  bool leads() const override { return link_->rank() == 0; }
  std::uint64_t any(std::uint64_t bits) const override;
  /// Whether it exists for rank 0.
  bool exists(const std::string& file) const override;
  /// Each rank reads some of the chunks.
  void verify(const std::string& file) const override;
  /// Each rank reads or makes some of the rows.
  DescribedStart start_of(const WorldOptions& options) const override;
  std::unique_ptr<RunSaver> make_saver(const std::string& file) const override;

 private:
  std::shared_ptr<moorea::RankLink> link_;
  int threads_;
};

}  // namespace app
