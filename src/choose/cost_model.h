// SPDX-License-Identifier: MIT
// Cost models: by what the plans for a world are compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "moorea/lab/tuning.h"
#include "moorea/simulation.h"
#include "moorea/world_spec.h"

namespace moorea {

/// A plan that a model knows, and what it costs for a world.
struct PlanCost {
  Options options;
  std::string name;
  double cost = 0;                ///< the plan of minimum cost is taken; of this model only
  std::optional<double> seconds;  ///< predicted duration; empty if the model has preferences alone
  double start_seconds = 0;       ///< part of `seconds` until the device is ready
  bool can_be_taken = true;       ///< false if it becomes slow in a world that becomes quiet
};

class CostModel {
 public:
  virtual ~CostModel() = default;

  /// All plans for a world and a number of generations, in any order.
  virtual std::vector<PlanCost> costs(const WorldSpec& world, std::uint64_t generations) const = 0;

  /// Whether the plan's device is there. Asked only of plans of minimum cost, because the question may start
  /// a driver.
  virtual bool is_there(const PlanCost& plan) const = 0;
};

/// Preferences between the devices of this machine: large worlds go to the first GPU.
class BuiltInPreferences final : public CostModel {
 public:
  std::vector<PlanCost> costs(const WorldSpec& world, std::uint64_t generations) const override;
  bool is_there(const PlanCost& plan) const override;
};

/// Durations from a tuning file, for worlds of fixed size.
class MeasuredCosts final : public CostModel {
 public:
  explicit MeasuredCosts(const Tuning& tuning) : tuning_(tuning) {}
  std::vector<PlanCost> costs(const WorldSpec& world, std::uint64_t generations) const override;
  bool is_there(const PlanCost& plan) const override;

 private:
  bool can_be_taken(const TunedPlan& plan) const;
  Options options_for(const TunedPlan& plan) const;

  const Tuning& tuning_;
};

/// The plans with those of less cost first, and those that cannot be taken last; the first one whose device
/// is there is taken.
std::vector<Estimate> compare(std::vector<PlanCost> plans, const CostModel& model);

}  // namespace moorea
