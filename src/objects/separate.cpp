// SPDX-License-Identifier: MIT
// Most objects of ash are still lifes and blinkers far from everything else. They are set aside, and come
// back if one of the other cells comes near them, so that labels are followed for the few other cells only.
#include "objects/separate.h"

#include <map>
#include <numeric>
#include <optional>

#include "objects/cycle.h"
#include "objects/guard.h"

namespace moorea {
namespace {

// Sets of labels that were united.
class Labels {
 public:
  explicit Labels(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }

  std::uint32_t find(std::uint32_t label) {
    while (parent_[label] != label) label = parent_[label] = parent_[parent_[label]];
    return label;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return;
    parent_[std::max(a, b)] = std::min(a, b);
    ++unions_;
  }
  std::size_t unions() const { return unions_; }

 private:
  std::vector<std::uint32_t> parent_;
  std::size_t unions_ = 0;
};

// The parts whose live cells are around a position: how many neighbours are of each, and whether the centre
// is.
struct Parts {
  struct Part {
    std::uint32_t label = 0;
    int neighbours = 0;
    bool centre = false;
  };
  std::array<Part, 9> parts;
  std::size_t count = 0;

  Parts(const Neighbourhood& around, Labels& labels) {
    around.for_each_cell([&](const LabelledCell& cell) {
      Part& part = of(labels.find(cell.label));
      if (cell.at == around.at)
        part.centre = true;
      else
        ++part.neighbours;
    });
  }
  std::span<const Part> all() const { return {parts.data(), count}; }

 private:
  Part& of(std::uint32_t label) {
    for (std::size_t i = 0; i < count; ++i) {
      if (parts[i].label == label) return parts[i];
    }
    parts[count] = {label};
    return parts[count++];
  }
};

// Label of the next state of a position whose neighbourhood has cells of several parts. Unites them if they
// influence each other.
std::uint32_t label_of_several(const Rule& rule, const Neighbourhood& around, bool alive, Labels& labels) {
  const Parts parts(around, labels);
  std::uint32_t label = parts.parts[0].label;
  int alone = 0;  // parts of which the cell would be alive without the others
  for (const Parts::Part& part : parts.all()) {
    if (!rule.next(part.centre, part.neighbours)) continue;
    ++alone;
    label = part.label;
  }
  if (alone != (alive ? 1 : 0)) {
    for (const Parts::Part& part : parts.all()) labels.unite(label, part.label);
  }
  return label;
}

// Unites the labels of neighbouring cells.
void connect(const std::vector<LabelledCell>& cells, Labels& labels) {
  NeighbourhoodSweep().run(
      cells, [](const LabelledCell& cell) { return cell.label; },
      [&](const Neighbourhood& around) {
        if (!around.centre || around.label != Neighbourhood::mixed) return;
        std::optional<std::uint32_t> first;
        around.for_each_cell([&](const LabelledCell& cell) {
          if (!first) first = cell.label;
          labels.unite(*first, cell.label);
        });
      });
}

// Evolution of cells with the label of the part from which they come.
class LabelledEvolution {
 public:
  LabelledEvolution(const Rule& rule, const Cells& cells) : rule_(rule), labels_(cells.size()) {
    first_.reserve(cells.size());
    for (const Position& cell : cells) first_.push_back({cell, static_cast<std::uint32_t>(first_.size())});
    connect(first_, labels_);
  }

  /// Calls `visit` with the cells of generations 0 to `generations`; returns false if it does. Parts that
  /// were united may have influenced a third one before, so that all begins again until none are united any
  /// more.
  template <class Visit>
  bool run(std::uint64_t generations, Visit visit) {
    while (true) {
      const std::size_t before = labels_.unions();
      now_ = first_;
      for (std::uint64_t g = 0;; ++g) {
        if (!visit(std::span<const LabelledCell>(now_))) return false;
        if (g == generations) break;
        advance();
      }
      if (labels_.unions() == before) return true;
    }
  }

  /// The first cells by parts, in the order of their first cells.
  std::vector<Cells> parts() {
    std::map<std::uint32_t, Cells> by_label;  // a set's label is that of its first cell
    for (const LabelledCell& cell : first_) by_label[labels_.find(cell.label)].push_back(cell.at);
    std::vector<Cells> result;
    for (auto& [label, part] : by_label) result.push_back(std::move(part));
    return result;
  }

 private:
  void advance() {
    next_.clear();
    sweep_.run(
        now_, [this](const LabelledCell& cell) { return labels_.find(cell.label); },
        [this](const Neighbourhood& around) {
          const bool alive = rule_.next(around.centre, around.neighbours);
          const std::uint32_t label = around.label == Neighbourhood::mixed
                                          ? label_of_several(rule_, around, alive, labels_)
                                          : around.label;
          if (alive) next_.push_back({around.at, label});
        });
    now_.swap(next_);
  }

  const Rule& rule_;
  Labels labels_;
  NeighbourhoodSweep sweep_;
  std::vector<LabelledCell> first_, now_, next_;
};

// Partition into groups of cells that are at least `block` columns or rows apart.
constexpr std::int64_t block = 5;
std::vector<Cells> distant_groups(const Cells& cells) {
  std::vector<LabelledCell> blocks;
  blocks.reserve(cells.size());
  const auto block_of = [](const Position& cell) {
    const auto floor_of = [](std::int64_t a) { return (a >= 0 ? a : a - block + 1) / block; };
    return Position{floor_of(cell.x), floor_of(cell.y)};
  };
  for (const Position& cell : cells) blocks.push_back({block_of(cell), 0});
  const auto before = [](const LabelledCell& a, const LabelledCell& b) { return RowOrder()(a.at, b.at); };
  std::sort(blocks.begin(), blocks.end(), before);
  blocks.erase(std::unique(blocks.begin(), blocks.end(),
                           [](const LabelledCell& a, const LabelledCell& b) { return a.at == b.at; }),
               blocks.end());
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i].label = static_cast<std::uint32_t>(i);
  Labels labels(blocks.size());
  connect(blocks, labels);
  std::map<std::uint32_t, Cells> groups;
  for (const Position& cell : cells) {
    const auto found = std::lower_bound(blocks.begin(), blocks.end(), LabelledCell{block_of(cell)}, before);
    groups[labels.find(found->label)].push_back(cell);
  }
  std::vector<Cells> result;
  for (auto& [label, group] : groups) result.push_back(std::move(group));
  return result;
}

// Periods of groups that are set aside: those of nearly all ash.
constexpr std::uint64_t max_quiet_period = 6;
// Attempts to evolve the other groups alone, before all are evolved
constexpr int max_attempts = 8;

class Separation {
 public:
  Separation(const Rule& rule, const Cells& cells) : rule_(rule) {
    for (Cells& cells_of_group : distant_groups(cells)) {
      Group group{std::move(cells_of_group), {}, 0};
      const std::optional<Cycle> cycle = find_cycle(rule, group.cells, max_quiet_period);
      if (cycle && !cycle->moves()) {
        for (const Cells& phase : cycle->phases) {
          group.swept.insert(group.swept.end(), phase.begin(), phase.end());
        }
        group.quiet_period = cycle->period();
      }
      groups_.push_back(std::move(group));
    }
  }

  std::vector<Cells> parts(std::uint64_t generations) {
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
      if (std::optional<std::vector<Cells>> parts = attempt_parts(generations)) return std::move(*parts);
    }
    for (Group& group : groups_) group.quiet_period = 0;
    return *attempt_parts(generations);
  }

 private:
  struct Group {
    Cells cells;
    std::vector<Position> swept;     ///< live cells of all generations, if it is quiet
    std::uint64_t quiet_period = 0;  ///< 0: it is not set aside
  };

  // Empty if a group that was set aside may be influenced; then it no longer is.
  std::optional<std::vector<Cells>> attempt_parts(std::uint64_t generations) {
    Guard guard;
    Cells active;
    for (std::uint32_t i = 0; i < groups_.size(); ++i) {
      const Group& group = groups_[i];
      if (group.quiet_period != 0)
        guard.add(group.swept, i);
      else
        active.insert(active.end(), group.cells.begin(), group.cells.end());
    }
    std::sort(active.begin(), active.end(), RowOrder());
    bool disturbed = false;
    const auto disturb = [&](std::uint32_t group) {
      groups_[group].quiet_period = 0;
      disturbed = true;
    };
    guard.finish(disturb);
    LabelledEvolution evolution(rule_, active);
    const auto undisturbed = [&](std::span<const LabelledCell> cells) {
      for (const LabelledCell& cell : cells) guard.meet(cell.at, disturb);
      return !disturbed;
    };
    if (!evolution.run(generations, undisturbed)) return std::nullopt;
    std::vector<Cells> result = evolution.parts();
    for (const Group& group : groups_) {
      if (group.quiet_period == 0) continue;
      LabelledEvolution alone(rule_, group.cells);
      alone.run(group.quiet_period, [](std::span<const LabelledCell>) { return true; });
      for (Cells& part : alone.parts()) result.push_back(std::move(part));
    }
    return result;
  }

  const Rule& rule_;
  std::vector<Group> groups_;
};

}  // namespace

std::vector<Cells> separate(const Rule& rule, const Cells& cells, std::uint64_t generations) {
  std::vector<Cells> parts = Separation(rule, cells).parts(generations);
  std::sort(parts.begin(), parts.end(),
            [](const Cells& a, const Cells& b) { return RowOrder()(a.front(), b.front()); });
  return parts;
}

}  // namespace moorea
