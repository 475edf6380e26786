// SPDX-License-Identifier: MIT
#include "serve/monitor.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "cli/app.h"

namespace app {
namespace {

constexpr auto pause_of_records = std::chrono::milliseconds(250);
constexpr std::uint64_t generations_at_once = 96;  // of a record: a multiple of the passes of tiles
constexpr std::size_t max_tiles = 1500;            // of a record, some thirty bytes each

// What threads did in one square.
struct WatchedSquare {
  moorea::Box box;
  std::map<int, double> seconds;  // of each thread
  bool changed = false;
};
using WatchedSquares = std::map<std::pair<std::int64_t, std::int64_t>, WatchedSquare>;

// By the place of a tile's corner, in squares of `side` cells.
WatchedSquares squares_of(const std::vector<moorea::TileEvent>& events, std::int64_t side) {
  WatchedSquares squares;
  const auto place = [&](std::int64_t at) { return at >= 0 ? at / side : -((side - 1 - at) / side); };
  for (const moorea::TileEvent& event : events) {
    const auto [found, is_new] =
        squares.try_emplace({place(event.tile.y), place(event.tile.x)}, WatchedSquare{event.tile, {}, false});
    WatchedSquare& square = found->second;
    if (!is_new) square.box = unite(square.box, event.tile);
    square.seconds[event.thread] += event.end - event.begin;
    square.changed = square.changed || event.changed;
  }
  return squares;
}

// Seconds of each thread, and from the beginning of the first event to the end of the last one.
Json times_json(const std::vector<moorea::TileEvent>& events, int threads) {
  std::vector<double> busy(static_cast<std::size_t>(std::max(threads, 1)));
  double begin = events.empty() ? 0 : events.front().begin, end = begin;
  for (const moorea::TileEvent& event : events) {
    const auto thread = static_cast<std::size_t>(event.thread);
    if (thread >= busy.size()) busy.resize(thread + 1);
    busy[thread] += event.end - event.begin;
    begin = std::min(begin, event.begin);
    end = std::max(end, event.end);
  }
  return {{"seconds", end - begin}, {"busy", busy}};
}

}  // namespace

std::vector<MonitoredTile> monitored_tiles(const std::vector<moorea::TileEvent>& events,
                                           std::size_t maximum) {
  WatchedSquares squares = squares_of(events, 1);
  for (std::int64_t side = 64; squares.size() > maximum; side *= 2) squares = squares_of(events, side);
  std::vector<MonitoredTile> tiles;
  for (const auto& [at, square] : squares) {
    MonitoredTile tile{square.box, 0, 0, square.changed};
    double most = -1;
    for (const auto& [thread, seconds] : square.seconds) {
      tile.seconds += seconds;
      if (seconds > most) tile.thread = thread, most = seconds;
    }
    tiles.push_back(tile);
  }
  return tiles;
}

bool Monitor::is_due() const { return !clients_.empty() && Clock::now() >= next_; }

std::set<ClientId> Monitor::take_clients() { return std::exchange(clients_, {}); }

Reply Monitor::record(WorldEditor& editor, Player& player) {
  next_ = Clock::now() + pause_of_records;
  std::vector<moorea::TileEvent> events;
  const std::string reason = editor.record_tiles(&events);
  const moorea::TileCounts before = moorea::tile_counts(editor.simulation());
  const std::uint64_t first = editor.generation();
  // Nothing may write to the events later
  struct Ending {
    WorldEditor& editor;
    ~Ending() { editor.record_tiles(nullptr); }
  };
  {
    const Ending ending{editor};
    player.run(frame_seconds, reason.empty() ? generations_at_once : UINT64_MAX);
  }
  if (!reason.empty()) return {{{"event", "tiles"}, {"reason", reason}}, ""};

  const moorea::TileCounts now = moorea::tile_counts(editor.simulation());
  Json json = times_json(events, editor.simulation().threads());
  json["event"] = "tiles";
  json["generation"] = editor.generation();
  json["generations"] = editor.generation() - first;
  json["kernel"] = editor.simulation().kernel();
  json["computed"] = now.computed - std::min(now.computed, before.computed);
  json["asleep"] = now.skipped - std::min(now.skipped, before.skipped);
  json["tiles"] = Json::array();
  for (const MonitoredTile& tile : monitored_tiles(events, max_tiles))
    json["tiles"].push_back({tile.box.x, tile.box.y, tile.box.width, tile.box.height, tile.thread,
                             tile.seconds * 1e6, tile.changed});
  return {json, ""};
}

}  // namespace app
