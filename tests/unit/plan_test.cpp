// SPDX-License-Identifier: MIT
#include "moorea/plan.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "choose/cost_model.h"
#include "moorea/error.h"
#include "moorea/inventory.h"
#include "moorea/lab/tuning.h"
#include "tests/unit/temporary_cache.h"

namespace moorea {
namespace {

const WorldSpec small_torus = {Rule(), Topology::torus, 100, 80};

Options on(const std::string& device, const std::string& kernel = "") {
  Options options;
  options.kernel = kernel;
  options.device = device;
  return options;
}

// The fastest kernel that computes as cpu/strided does; empty if this machine runs no other.
std::string wider_strided() {
  std::string wider;
  for (const KernelInfo& kernel : list_kernels(Rule()))
    if (kernel.runs && (kernel.name == "cpu/strided_avx2" || kernel.name == "cpu/strided_avx512"))
      wider = std::max(wider, kernel.name,
                       [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  return wider;
}

class Plan : public TemporaryCache {
 protected:
  // A tuning file in which the CPU's kernels can all alternate with one for quiet worlds.
  Tuning tuning_ = {"2026-11-23", {{"cpu", {"", 0, "cpu/tiles"}}, {"cuda:99", {"a dream", 0.5, {}}}}, {}, {}};

  void add(const Options& options, double seconds, const Rule& rule = {}) {
    tuning_.add(options, rule, 8000, seconds);
  }
  void write(const std::string& text) const {
    std::filesystem::create_directories(folder());
    std::ofstream(tuning_file()) << text;
  }
  void write() const { write(format_tuning(tuning_)); }

  // Whether plan and simulation agree, and a run has the right result.
  static RunPlan checked(const Options& options) {
    const Grid cells = Grid::random(small_torus.width, small_torus.height, 0.4, 1);
    const RunPlan plan = plan_run(small_torus, options);
    Simulation simulation(small_torus.rule, small_torus.topology, cells, options),
        expected(small_torus.rule, small_torus.topology, cells, on("cpu", "cpu/reference"));
    EXPECT_EQ(simulation.kernel(), plan.kernel);
    EXPECT_EQ(simulation.device(), plan.device);
    EXPECT_EQ(simulation.plan().explanation(), plan.explanation());
    simulation.step(20);
    expected.step(20);
    EXPECT_EQ(simulation.hash(), expected.hash());
    return plan;
  }
};

TEST_F(Plan, WithoutMeasurementsItIsTheDefault) {
  const RunPlan plan = checked({});
  EXPECT_EQ(plan.device, "cpu");
  EXPECT_EQ(plan.kernel, checked(on("cpu")).kernel);
  EXPECT_EQ(plan.reason, "Moorea's own choice: moorea tune was not run here yet");
  EXPECT_TRUE(plan.estimates.empty());
  EXPECT_EQ(plan.prediction(), nullptr);
  EXPECT_EQ(plan.explanation(), plan.kernel + " on cpu: " + plan.reason);
}

TEST_F(Plan, TheFastestMeasuredPlanIsTaken) {
  add(on("cpu"), 2e-3);
  add(on("cpu", "cpu/bits"), 1e-3);
  add(on("cuda:99"), 1e-6);
  write();
  const RunPlan plan = checked({});
  EXPECT_EQ(plan.kernel, "cpu/bits + cpu/tiles");
  EXPECT_EQ(plan.reason, "predicted to be done first");
  EXPECT_EQ(plan.generations, default_generations);
  ASSERT_NE(plan.prediction(), nullptr);
  EXPECT_EQ(plan.prediction()->name, "cpu/bits on cpu");
  EXPECT_NEAR(plan.prediction()->seconds, 10, 1e-9);
  EXPECT_EQ(
      plan.explanation(),
      "10000 generations (assumed) of 100 x 80 cells, busy all over, as predicted from what was measured "
      "on 2026-11-23:\n"
      "    0.51 s  auto on cuda:99: its device is not there now, or is another one\n"
      "      10 s  cpu/bits on cpu: taken\n"
      "      20 s  auto on cpu: 2 times as long\n"
      "cpu/bits + cpu/tiles on cpu: predicted to be done first");
}

TEST_F(Plan, OptionsLeaveNothingToMeasurements) {
  add(on("cpu"), 2e-3);
  add(on("cpu", "cpu/bits"), 1e-3);
  write();
  Options options;
  options.use_tuning = false;
  EXPECT_EQ(checked(options).kernel, checked(on("cpu")).kernel);
  EXPECT_NE(checked(options).reason.find("not to be used"), std::string::npos);
  EXPECT_EQ(checked(on("cpu", "cpu/strided")).reason, "how it runs was named");
  EXPECT_EQ(checked(on("cpu", "cpu/reference")).explanation().find("portable"), std::string::npos);
  const std::string wider = wider_strided();
  EXPECT_EQ(
      checked(on("cpu", "cpu/strided")).explanation(),
      std::string("cpu/strided on cpu: how it runs was named") +
          (wider.empty() ? ""
                         : "\n  cpu/strided is the portable form of " + wider + ", which is faster here"));
  options = {};
  options.threads = 1;
  EXPECT_EQ(checked(options).reason, "how it runs was named");
  options = {};
  options.generations = 0;
  EXPECT_NE(checked(options).reason.find("nothing to compute"), std::string::npos);
  options.generations = 100;
  options.memory = 1 << 30;
  EXPECT_EQ(checked(options).reason, "predicted to be done first");
  EXPECT_EQ(plan_run(small_torus, options).options.memory, options.memory);
  const RunPlan growing = plan_run({Rule(), Topology::unbounded, 0, 0});
  EXPECT_NE(growing.reason.find("a plane that grows"), std::string::npos);
  EXPECT_EQ(Simulation::unbounded(Rule(), Pattern()).plan().explanation(), growing.explanation());
}

TEST_F(Plan, AFileThatCannotBeUsedIsNoError) {
  add(on("cpu", "cpu/bits"), 1e-3);
  const std::string good = format_tuning(tuning_);
  std::string other = good;
  other.replace(other.find("\"threads\":"), 10, "\"threads\":9");
  for (const std::string& text : {std::string("{"), std::string("[]"), std::string(), other}) {
    write(text);
    const RunPlan plan = checked({});
    EXPECT_EQ(plan.prediction(), nullptr);
    EXPECT_NE(plan.reason.find("tuning.json cannot be used ("), std::string::npos) << plan.reason;
  }
  write(good);
  EXPECT_NE(checked({}).prediction(), nullptr) << "the file is read again when it has changed";
}

TEST_F(Plan, APlanThatCannotRunIsReplaced) {
  Options impossible = on("cpu", "cpu/ladder/02_tiled");
  impossible.tile = {std::int64_t{1} << 40, 1};
  add(impossible, 1e-9);
  add(on("cpu", "cpu/no such kernel"), 1e-8);
  add(on("cpu"), 1e-3);
  for (const char* problem : {"tile 1099511627776x1", "no such kernel"}) {
    write();
    const RunPlan plan = checked({});
    EXPECT_EQ(plan.kernel, checked(on("cpu")).kernel);
    EXPECT_EQ(plan.prediction(), nullptr);
    EXPECT_EQ(plan.estimates.front().verdict, "cannot run here");
    EXPECT_NE(plan.reason.find("the predicted plan cannot run here"), std::string::npos);
    EXPECT_NE(plan.reason.find(problem), std::string::npos) << plan.reason;
    forget_plan(plan.estimates.front().name);
    tuning_ = parse_tuning(format_tuning(tuning_));
    tuning_.plans.erase(tuning_.plans.begin());
  }
}

// Its buffers are found not to fit when the board is made.
TEST_F(Plan, APlanWithoutMemoryIsReplaced) {
  tuning_.add(on("cpu", "cpu/reference"), {}, 4096 * 4096, 1e-9);
  write();
  const Grid cells = Grid::random(4096, 4096, 0.5, 1);
  setenv("MOOREA_MEMORY", "16M", 1);
  const Simulation simulation({}, Topology::torus, cells);
  unsetenv("MOOREA_MEMORY");
  EXPECT_EQ(simulation.kernel(), plan_run({{}, Topology::torus, 4096, 4096}, on("cpu")).kernel);
  EXPECT_EQ(simulation.plan().prediction(), nullptr);
  EXPECT_NE(simulation.plan().reason.find("cannot run here: a world of 4096 x 4096 cells"), std::string::npos)
      << simulation.plan().reason;
  EXPECT_EQ(simulation.population(), cells.population());
}

TEST_F(Plan, MistakesOfTheOptionsAreErrors) {
  EXPECT_THROW(plan_run(small_torus, on("cpu", "cpu/none")), Error);
  EXPECT_THROW(plan_run(small_torus, on("none")), Error);
  Options options;
  options.threads = -1;
  EXPECT_THROW(plan_run(small_torus, options), Error);
}

TEST_F(Plan, ForgottenPlansLeaveTheFile) {
  add(on("cpu"), 2e-3);
  add(on("cpu", "cpu/bits"), 1e-3);
  write();
  forget_plan("cpu/bits on cpu");
  EXPECT_EQ(plan_run(small_torus).prediction()->name, "auto on cpu");
  forget_plan("auto on cpu");
  EXPECT_FALSE(std::filesystem::exists(tuning_file())) << "nothing is left to compare with";
  EXPECT_THROW(forget_plan("auto on cpu"), Error);
}

TEST_F(Plan, RulesThatWereNotMeasuredHaveTheTimesOfTheNearest) {
  const Rule expensive = Rule::parse("B36/S124"), similar = Rule::parse("HighLife");
  add(on("cpu"), 1e-3);
  add(on("cpu"), 8e-3, expensive);
  tuning_.gates_per_word = {{Rule().str(), gates_per_word(similar) + 2},
                            {expensive.str(), gates_per_word(similar) - 1}};
  const auto seconds = [&](const Rule& rule, std::int64_t height) {
    return estimate_runs(tuning_, {rule, Topology::plane, 100, height}, 1000).front().seconds;
  };
  EXPECT_NEAR(seconds(Rule(), 80), 1, 1e-9);
  EXPECT_NEAR(seconds(similar, 80), 8, 1e-9);
  EXPECT_NEAR(seconds(Rule(), 160), 2, 1e-9) << "in proportion to the cells";
}

// Costs of plans in a fictitious unit; one device is missing.
class Fictitious final : public CostModel {
 public:
  std::vector<PlanCost> costs(const WorldSpec&, std::uint64_t) const override { return {}; }
  bool is_there(const PlanCost& plan) const override { return plan.options.device != "missing"; }
};

TEST(CostModel, TheMinimumThatIsThereIsTaken) {
  const auto plan = [](const char* name, double seconds, bool can_be_taken = true) {
    return PlanCost{on(name), name, seconds, seconds, 0, can_be_taken};
  };
  const std::vector<Estimate> estimates = compare(
      {plan("slow", 6), plan("missing", 1), plan("fast", 2), plan("busy only", 1.5, false)}, Fictitious());
  const auto text = [&](std::size_t i) { return estimates[i].name + ": " + estimates[i].verdict; };
  ASSERT_EQ(estimates.size(), 4u);
  EXPECT_EQ(text(0), "missing: its device is not there now, or is another one");
  EXPECT_EQ(text(1), "fast: taken");
  EXPECT_EQ(text(2), "slow: 3 times as long");
  EXPECT_EQ(text(3).substr(0, 37), "busy only: 33 % faster while all is b");
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(estimates[i].taken, i == 1);
}

TEST(CostModel, LargeWorldsPreferAGpu) {
  const BuiltInPreferences preferences;
  const auto names = [&](std::int64_t size, const Rule& rule = {}) {
    std::vector<PlanCost> plans = preferences.costs({rule, Topology::torus, size, size}, 1000);
    std::string text;
    for (const Estimate& each : compare(plans, Fictitious()))
      text += each.name + (each.taken ? " taken; " : "; ");
    return text;
  };
  EXPECT_EQ(names(4095), "auto on cpu taken; ");
  EXPECT_EQ(names(4096), "auto on cuda taken; auto on cpu; ");
  EXPECT_EQ(names(4096, Rule(1u << 2, 0).with_states(3)), "auto on cpu taken; ");
}

TEST(Tuning, OptionsAreWrittenAndRead) {
  Options options = on("cuda:0", "cuda/bits");
  options.threads = 3;
  options.tile = {64, 32};
  options.schedule = parse_schedule("dynamic,4");
  options.placement = parse_placement("close");
  options.wide_share = 0.25;
  options.block = parse_thread_block("128");
  options.bytes_a_thread = 8;
  options.generations_a_pass = 4;
  const std::string text = format_options(options);
  EXPECT_EQ(format_options(parse_options(text)), text);
  EXPECT_EQ(
      text,
      R"({"kernel":"cuda/bits","device":"cuda:0","threads":3,"tile":[64,32],"schedule":"dynamic,4",)"
      R"("placement":"close","wide_share":0.25,"block":"128x1","bytes_per_thread":8,"generations_per_pass":4})");
  EXPECT_TRUE(parse_options(format_options({})).kernel.empty());
  for (const char* wrong : {"", "{}", "[]", R"({"kernel": 1, "device": "cpu", "threads": 0})"})
    EXPECT_THROW(parse_options(wrong), Error) << wrong;
}

}  // namespace
}  // namespace moorea
