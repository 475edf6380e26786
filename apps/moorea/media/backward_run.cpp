// SPDX-License-Identifier: MIT
#include "media/backward_run.h"

#include <fmt/core.h>

#include <cstdint>
#include <cstdio>
#include <optional>

#include "cli/clock.h"
#include "media/far_run.h"
#include "moorea/big_integer.h"

namespace app {

bool goes_back(const std::string& generations) { return generations.starts_with('-'); }

int run_back(const BackwardRun& run) {
  run.output.check();
  const bool to_stdout = run.output.path == "-";
  if (to_stdout && run.json) usage("-o - and --json both want standard output; write the pattern to a file");
  const std::optional<std::int64_t> back = parse_generations(run.generations.substr(1)).as_signed();
  if (!back) usage(fmt::format("-g {}: generations end at 2^63", run.generations));
  const auto generations = static_cast<std::uint64_t>(*back);
  const World world(run.world.for_engine(run.engine));
  catch_interruption();
  moorea::Simulation simulation = world.simulate(run.engine.options(generations));
  run.engine.say_plan(simulation.plan());
  const std::uint64_t start = simulation.generation();
  // The numbers of generations are not negative; whether they are odd decides where blocks begin
  simulation.set_generation(generations > start ? generations + (generations - start) % 2 : start);
  const auto begun = Clock::now();
  const std::uint64_t done = simulation.step_back(generations, [] { return !was_interrupted(); });
  const bool is_before_zero = done > start;
  simulation.set_generation(is_before_zero ? (done - start) % 2 : start - done);
  Json json = run.outcome_json(simulation, since(begun));
  json["went_back"] = done;
  CellOutput output = run.output;
  if (world.pattern()) output.keep_texts(*world.pattern());
  const std::exception_ptr failure = output.try_to_write(simulation, json);
  std::string text = run.outcome_text(json, simulation);
  if (is_before_zero)
    text += fmt::format("  note    {} before generation {}; numbered {}, as numbers are not negative\n",
                        counted(done, "generation"), start, simulation.generation());
  if (run.json)
    print_json(json);
  else if (to_stdout)
    std::fputs(text.c_str(), stderr);
  else
    print(text);
  if (failure) std::rethrow_exception(failure);
  return was_interrupted() ? interruption_exit() : 0;
}

}  // namespace app
