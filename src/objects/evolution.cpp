// SPDX-License-Identifier: MIT
#include "objects/evolution.h"

#include <algorithm>
#include <bit>

namespace moorea {
namespace {

constexpr std::size_t centre = 4;

constexpr Position offset(std::size_t around) {
  return {static_cast<std::int64_t>(around % 3) - 1, static_cast<std::int64_t>(around / 3) - 1};
}

// Cells of a bitboard that cells of the one at this place around it see.
constexpr Bitboard edge_towards(std::size_t around) { return bitboards::seen[8 - around]; }

}  // namespace

std::size_t BitboardTable::first_slot(const Position& at) const {
  const auto key = static_cast<std::uint64_t>(at.x) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(at.y);
  const std::uint64_t hash = (key ^ key >> 32) * 0xD6E8FEB86659FD93u;
  return static_cast<std::size_t>(hash >> 32) & (slots_.size() - 1);
}

std::uint32_t BitboardTable::find(const Position& at) const {
  for (std::size_t slot = first_slot(at);; slot = (slot + 1) & (slots_.size() - 1)) {
    if (slots_[slot].index == 0 || slots_[slot].at == at) return slots_[slot].index;
  }
}

void BitboardTable::add(const Position& at, std::uint32_t index) {
  if (2 * ++used_ > slots_.size()) {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    used_ = 1;
    for (const Slot& slot : old) {
      if (slot.index != 0) add(slot.at, slot.index);
    }
  }
  std::size_t slot = first_slot(at);
  while (slots_[slot].index != 0) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = {at, index};
}

std::uint32_t Evolution::tile_at(const Position& at) {
  if (const std::uint32_t found = table_.find(at); found != 0) return found;
  const auto index = static_cast<std::uint32_t>(tiles_.size());
  Tile& tile = tiles_.emplace_back();
  tile.at = at;
  table_.add(at, index);
  for (std::size_t i = 0; i < tile.around.size(); ++i) {
    const std::uint32_t other = table_.find(at + offset(i));
    tile.around[i] = other;
    if (other != 0) tiles_[other].around[8 - i] = index;
  }
  return index;
}

void Evolution::add_layer(std::uint32_t index, const LabelledBits& layer) {
  Tile& tile = tiles_[index];
  if (tile.difference == 0) changed_.push_back(index);
  tile.difference |= layer.bits;
  population_ += static_cast<std::uint64_t>(std::popcount(layer.bits));
  if (tile.bits == 0) tile.label = layer.label;
  if (tile.layers.empty() && tile.label != layer.label) tile.layers.push_back({tile.label, tile.bits});
  tile.bits |= layer.bits;
  if (tile.layers.empty()) return;
  const auto same = std::find_if(tile.layers.begin(), tile.layers.end(),
                                 [&](const LabelledBits& other) { return other.label == layer.label; });
  if (same != tile.layers.end())
    same->bits |= layer.bits;
  else
    tile.layers.push_back(layer);
}

void Evolution::add_cell(const Position& cell, std::uint32_t label) {
  add_layer(tile_at(bitboard_of(cell)), {labels_.find(label), bit_of(cell)});
}

void Evolution::add(const Evolution& other) {
  for (const Tile& tile : other.tiles_) {
    if (tile.bits == 0) continue;
    const std::uint32_t index = tile_at(tile.at);
    if (tile.layers.empty()) add_layer(index, {tile.label, tile.bits});
    for (const LabelledBits& layer : tile.layers) add_layer(index, layer);
  }
  crowds_.insert(crowds_.end(), other.crowds_.begin(), other.crowds_.end());
}

void Evolution::enlist(std::uint32_t index) {
  if (tiles_[index].enlisted == time_) return;
  tiles_[index].enlisted = time_;
  work_.push_back({index});
}

// A tile is computed if it has changed, or if cells that it sees have.
void Evolution::enlist_around(std::uint32_t index) {
  const Bitboard difference = tiles_[index].difference, bits = tiles_[index].bits;
  for (std::size_t i = 0; i < 9; ++i) {
    if (!(difference & edge_towards(i))) continue;
    std::uint32_t other = tiles_[index].around[i];
    if (other == 0 && (bits & edge_towards(i))) other = tile_at(tiles_[index].at + offset(i));
    if (other != 0) enlist(other);
  }
}

void Evolution::step() {
  ++time_;
  work_.clear();
  layers_.clear();
  for (const std::uint32_t index : changed_) enlist_around(index);
  for (const std::uint32_t index : changed_) tiles_[index].difference = 0;
  changed_.clear();
  for (Work& work : work_) compute(work);
  for (const Work& work : work_) commit(work);
  context_.add_work(work_.size() + 1);
}

void Evolution::compute(Work& work) {
  Surroundings cells;
  const Tile& tile = tiles_[work.tile];
  std::optional<std::uint32_t> label;
  for (std::size_t i = 0; i < 9; ++i) {
    const Tile& other = tiles_[tile.around[i]];
    cells[i] = other.bits & bitboards::seen[i];
    if (cells[i] == 0) continue;
    if (!label) label = other.label;
    if (other.layers.empty() && (other.label == *label || labels_.find(other.label) == labels_.find(*label)))
      continue;
    compute_parts(work);
    return;
  }
  work.label = label.value_or(0);
  if (label) work.bits = context_.next_state(cells, count_neighbours(cells));
}

// The same for cells with several labels: each part evolves alone.
void Evolution::compute_parts(Work& work) {
  parts_.clear();
  Surroundings all = {};
  const auto add = [&](std::size_t place, const LabelledBits& layer) {
    const Bitboard bits = layer.bits & bitboards::seen[place];
    if (bits == 0) return;
    const std::uint32_t label = labels_.find(layer.label);
    auto part = std::find_if(parts_.begin(), parts_.end(), [&](const Part& p) { return p.label == label; });
    if (part == parts_.end()) part = parts_.insert(part, Part{label, {}, 0, 0});
    part->cells[place] |= bits;
    all[place] |= bits;
  };
  for (std::size_t i = 0; i < 9; ++i) {
    const Tile& other = tiles_[tiles_[work.tile].around[i]];
    if (other.layers.empty()) add(i, {other.label, other.bits});
    for (const LabelledBits& layer : other.layers) add(i, layer);
  }
  Bitboard once = 0, several = 0;
  for (Part& part : parts_) {
    const NeighbourCounts counts = count_neighbours(part.cells);
    part.near = part.cells[centre] | counts.any();
    part.next = context_.next_state(part.cells, counts);
    several |= once & part.next;
    once |= part.next;
  }
  work.bits = context_.next_state(all, count_neighbours(all));
  const Bitboard conflicts = several | (once ^ work.bits);
  unite_parts(conflicts);
  work.first_layer = static_cast<std::uint32_t>(layers_.size());
  Bitboard left = work.bits;
  for (const Part& part : parts_) {
    const Bitboard bits = left & (part.next | (conflicts & part.near));
    if (bits == 0) continue;
    left &= ~bits;
    const std::uint32_t label = labels_.find(part.label);
    const auto same = std::find_if(layers_.begin() + work.first_layer, layers_.end(),
                                   [&](const LabelledBits& layer) { return layer.label == label; });
    if (same != layers_.end())
      same->bits |= bits;
    else
      layers_.push_back({label, bits});
  }
  work.layers = static_cast<std::uint32_t>(layers_.size()) - work.first_layer;
  if (work.layers > 0) work.label = layers_.back().label;
  if (work.layers > 1) return;
  layers_.resize(work.first_layer);
  work.layers = 0;
}

void Evolution::unite_parts(Bitboard conflicts) {
  for (; conflicts != 0; conflicts &= conflicts - 1) {
    const Bitboard cell = conflicts & -conflicts;
    std::vector<std::uint32_t> near;
    for (const Part& part : parts_)
      if (part.near & cell) near.push_back(part.label);
    if (near.size() == 2)
      labels_.unite(near[0], near[1]);
    else
      crowds_.push_back(std::move(near));
  }
}

void Evolution::commit(const Work& work) {
  Tile& tile = tiles_[work.tile];
  const LabelledBits old_layer = {tile.label, tile.bits}, new_layer = {work.label, work.bits};
  std::span<const LabelledBits> old_layers = tile.layers,
                                new_layers(layers_.data() + work.first_layer, work.layers);
  if (old_layers.empty()) old_layers = {&old_layer, 1};
  if (new_layers.empty()) new_layers = {&new_layer, 1};
  Bitboard same = 0;
  for (const LabelledBits& before : old_layers) {
    for (const LabelledBits& now : new_layers) {
      if (now.label == before.label || labels_.find(now.label) == labels_.find(before.label))
        same |= now.bits & before.bits;
    }
  }
  population_ += static_cast<std::uint64_t>(std::popcount(work.bits));
  population_ -= static_cast<std::uint64_t>(std::popcount(tile.bits));
  tile.difference = (tile.bits | work.bits) & ~same;
  tile.bits = work.bits;
  tile.label = work.label;
  if (!tile.layers.empty() || work.layers != 0)
    tile.layers.assign(layers_.begin() + work.first_layer, layers_.begin() + work.first_layer + work.layers);
  if (tile.difference != 0) changed_.push_back(work.tile);
}

CellList Evolution::cells() const {
  std::vector<const Tile*> live;
  for (const Tile& tile : tiles_) {
    if (tile.bits != 0) live.push_back(&tile);
  }
  std::sort(live.begin(), live.end(), [](const Tile* a, const Tile* b) { return RowOrder()(a->at, b->at); });
  CellList cells;
  cells.reserve(population_);
  for (std::size_t first = 0, end = 0; first < live.size(); first = end) {
    while (end < live.size() && live[end]->at.y == live[first]->at.y) ++end;
    for (std::int64_t row = 0; row < 8; ++row) {
      for (std::size_t i = first; i < end; ++i) {
        for (Bitboard bits = live[i]->bits >> 8 * row & 0xFF; bits != 0; bits &= bits - 1)
          cells.push_back({live[i]->at.x * 8 + std::countr_zero(bits), live[i]->at.y * 8 + row});
      }
    }
  }
  context_.add_work(cells.size() / 4);
  return cells;
}

std::optional<Box> Evolution::bounding_box() const {
  std::optional<Box> box;
  for (const Tile& tile : tiles_) {
    if (tile.bits == 0) continue;
    Bitboard columns = tile.bits | tile.bits >> 32;
    columns |= columns >> 16;
    columns = (columns | columns >> 8) & 0xFF;
    const int left = std::countr_zero(columns), right = 64 - std::countl_zero(columns);
    const int top = std::countr_zero(tile.bits) / 8, bottom = 8 - std::countl_zero(tile.bits) / 8;
    const Box live = {tile.at.x * 8 + left, tile.at.y * 8 + top, right - left, bottom - top};
    box = box ? unite(*box, live) : live;
  }
  return box;
}

}  // namespace moorea
