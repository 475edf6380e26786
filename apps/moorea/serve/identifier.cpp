// SPDX-License-Identifier: MIT
#include "serve/identifier.h"

#include <fmt/core.h>

#include <exception>
#include <vector>

#include "cli/identification.h"
#include "moorea/error.h"

namespace app {
namespace {

// A copy of the cells to be searched: the world runs on meanwhile.
moorea::CellTree copied_cells(const moorea::Simulation& world, const std::optional<moorea::Box>& box) {
  if (world.world().is_surface())
    throw moorea::Error("identify needs a flat world: a surface has no plane on which cells evolve alone");
  if (world.rule().births_from_nothing())
    throw moorea::Error(
        "identify needs a rule without B0: cells would be born everywhere on an unbounded plane");
  const std::optional<moorea::Box> live = world.bounding_box();
  const moorea::Box wanted =
      moorea::intersect(live.value_or(moorea::Box()), box.value_or(live.value_or(moorea::Box())));
  std::vector<moorea::Position> cells;
  const std::uint64_t max_cells = moorea::IdentifyOptions().max_population;
  const auto require = [&](std::uint64_t number) {
    if (number > max_cells)
      throw moorea::Error(
          fmt::format("there are more than {} live cells: select fewer to identify them", max_cells));
  };
  if (wanted == live) require(world.population());
  world.for_each_live(wanted, [&](moorea::Position at) {
    require(cells.size() + 1);
    cells.push_back(at);
  });
  return moorea::CellTree::of(cells);
}

}  // namespace

Identifier::~Identifier() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    searching_.reset();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Identifier::identify(ClientId client, const moorea::Simulation& world,
                          const std::optional<moorea::Box>& box) {
  stop(client);
  Job job{client, world.rule(), copied_cells(world, box)};
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  }
  changed_.notify_all();
}

void Identifier::stop(ClientId client) {
  const std::lock_guard lock(mutex_);
  std::erase_if(jobs_, [&](const Job& job) { return job.client == client; });
  if (searching_ == client) searching_.reset();
}

bool Identifier::is_wanted() {
  const std::lock_guard lock(mutex_);
  return searching_.has_value();
}

void Identifier::run() {
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ending_ || !jobs_.empty(); });
      if (ending_) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
      searching_ = job.client;
    }
    Reply reply = search(job);
    if (is_wanted()) answer_(job.client, std::move(reply));
  }
}

Reply Identifier::search(const Job& job) {
  Json json = {{"event", "identified"}};
  try {
    moorea::Options options;
    options.device = "cpu";
    options.threads = 1;  // the others are for the world
    moorea::Simulation plane = moorea::Simulation::unbounded(job.rule, {}, options);
    job.cells.paste_to(plane);
    moorea::IdentifyOptions search;
    search.threads = 1;
    search.go_on = [this] { return is_wanted(); };
    const moorea::Identification found = moorea::identify(plane, search);
    json["text"] = verdict_text(found);
    json.update(identification_json(found));
  } catch (const std::exception& error) {
    return refusal(error);
  }
  return {json, {}};
}

Reply Identifier::refusal(const std::exception& error) {
  return {{{"event", "identified"}, {"error", error.what()}}, {}};
}

}  // namespace app
