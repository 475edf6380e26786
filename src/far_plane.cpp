// SPDX-License-Identifier: MIT
#include "moorea/far_plane.h"

#include <fmt/core.h>

#include <utility>

#include "boards/plane_board.h"
#include "choose/plan.h"
#include "hashlife_state.h"
#include "model/coordinates.h"
#include "model/placed_quadtree.h"
#include "moorea/error.h"
#include "patterns/macrocell.h"
#include "patterns/requirements.h"
#include "trees/quadtrees.h"

namespace moorea {
namespace {

std::string refusal_of(const WorldSpec& world, const PlannedChoice& planned) {
  if (world.rule.states() > 2)
    return fmt::format(
        "a plane of cells of two states can become a tree, and {} has {}: choose fewer "
        "generations or a rule such as B3/S23",
        world.rule.str(), world.rule.states());
  if (!world.rule.has_nine_cells())
    return fmt::format(
        "a plane can become a tree under rules of a cell and its eight neighbours, such as B3/S23, not under "
        "{}: choose fewer generations",
        world.rule.str());
  if (planned.choice.may_be_tree) return "";
  if (!world.is_unbounded())
    return "the world has a size: choose an unbounded plane, or the kernel hashlife for a torus of powers of "
           "two";
  if (world.rule.births_from_nothing())
    return fmt::format("all cells far away are born under {}: choose the kernel hashlife", world.rule.str());
  return fmt::format(
      "{} on {} was named: leave kernel and device out, so that the plane can become a tree, or choose "
      "the kernel hashlife",
      planned.plan.kernel, planned.plan.device);
}

void require_far(const WorldSpec& world, const PlannedChoice& planned) {
  const std::string refusal = refusal_of(world, planned);
  if (!refusal.empty()) throw Error("generations end at 2^63 here: " + refusal, ErrorKind::usage);
}

}  // namespace

struct FarPlane::State {
  RunPlan plan;
  WorldSpec world;
  int threads;
  std::unique_ptr<PlaneBoard> board;
  BigInteger first, generation;  // of the pattern, and at present
  std::optional<BigInteger> edge_met;

  State(const WorldSpec& asked, const Options& options, PlannedChoice planned)
      : plan(std::move(planned.plan)), world(asked), threads(planned.choice.threads) {
    require_far(world, {plan, planned.choice});
    board = make_plane_board(world.rule, planned.choice, options.memory);
  }
  State(const WorldSpec& asked, const Options& options)
      : State(asked, options, choose_planned(asked, options)) {}

  void load_tree(const std::function<Universe(NodeStore&)>& universe) {
    board->load_tree([&](TreeWorld& tree) { tree.adopt(trimmed(tree.store(), universe(tree.store()))); });
  }
};

FarPlane::FarPlane(std::unique_ptr<State> state) : state_(std::move(state)) {}
FarPlane::FarPlane(FarPlane&&) noexcept = default;
FarPlane& FarPlane::operator=(FarPlane&&) noexcept = default;
FarPlane::~FarPlane() = default;

std::string FarPlane::refusal(const WorldSpec& world, const Options& options) {
  return refusal_of(world, choose_planned(world, options));
}

FarPlane FarPlane::of(const Pattern& start, const WorldSpec& world, const Options& options) {
  FarPlane plane(std::make_unique<State>(world, options));
  require_states(start, 2);
  const Position at =
      start.position.value_or(Position{-(start.cells.width() / 2), -(start.cells.height() / 2)});
  require_coordinates(at.x, at.y, "a pattern");
  plane.state_->board->load(start.cells, at);
  plane.set_generation(start.generation);
  return plane;
}

FarPlane FarPlane::of(const CellTree& start, const WorldSpec& world, const Options& options) {
  FarPlane plane(std::make_unique<State>(world, options));
  plane.state_->load_tree([&](NodeStore& store) { return universe_of(store, at_origin(start.cells())); });
  return plane;
}

std::optional<FarPlane> FarPlane::read_tree(const std::string& path, const std::string& rule,
                                            const Options& options, Pattern* facts) {
  std::optional<patterns::Macrocell> file = patterns::read_macrocell_file(path);
  if (!file) return std::nullopt;
  const WorldSpec world = rule.empty() ? file->facts.world() : WorldSpec::parse(rule);
  if (!refusal(world, options).empty()) return std::nullopt;
  FarPlane plane(std::make_unique<State>(world, options));
  plane.state_->load_tree([&](NodeStore& store) { return universe_of(store, file->tree); });
  plane.set_generation(file->facts.generation);
  if (facts != nullptr) *facts = std::move(file->facts);
  return plane;
}

bool FarPlane::step(const BigInteger& generations, const std::function<bool()>& go_on) {
  if (generations.is_negative())
    throw Error("a step of " + generations.str() + " generations: expected 0 or more", ErrorKind::usage);
  State& state = *state_;
  BigInteger checked = state.generation;
  const auto follow = [&] {
    state.generation = state.first + state.board->generations();
    if (!state.edge_met && state.board->at_edge()) state.edge_met = checked;
    checked = state.generation;
  };
  try {
    const bool completed = state.board->advance_far(generations, [&] {
      follow();
      return !go_on || go_on();
    });
    follow();
    return completed;
  } catch (...) {
    follow();
    throw;
  }
}

const BigInteger& FarPlane::generation() const { return state_->generation; }

void FarPlane::set_generation(const BigInteger& generation) {
  state_->first = generation - state_->board->generations();
  state_->generation = generation;
}

BigInteger FarPlane::population() const { return state_->board->far_population(); }

std::optional<BigBox> FarPlane::bounding_box() const {
  const std::optional<Extent> extent = state_->board->extent();
  if (!extent) return {};
  return BigBox{extent->left, extent->top, extent->right, extent->bottom};
}

std::uint64_t FarPlane::hash() const { return state_->board->hash({}); }

std::optional<TreeFacts> FarPlane::tree() const {
  TreeBoard* const board = state_->board->tree();
  return board == nullptr ? std::nullopt : std::optional(facts_of(board->tree()));
}

const std::vector<PlaneChange>& FarPlane::changes() const { return state_->board->changes(); }
const std::optional<BigInteger>& FarPlane::edge_met() const { return state_->edge_met; }
const WorldSpec& FarPlane::world() const { return state_->world; }
const RunPlan& FarPlane::plan() const { return state_->plan; }
int FarPlane::threads() const { return state_->threads; }

HashLife FarPlane::into_tree() && {
  HashLife tree(std::make_unique<HashLife::State>(state_->board->take_tree()));
  tree.set_generation(state_->generation);
  return tree;
}

}  // namespace moorea
