// SPDX-License-Identifier: MIT
#include "report/timeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/page.h"
#include "report/svg.h"

namespace app {
namespace {

// The page draws on canvases, because a generation can have thousands of tiles.
constexpr const char* view = R"page(<section class="timeline">
<p class="soft">__ABOUT__</p>
<p><label>Generation <input class="generation" type="range" min="0" step="1" value="0"></label> <output class="which"></output></p>
<canvas class="rows" role="img" aria-label="When each thread computed which tile"></canvas>
<p class="soft details" aria-live="polite">Point at a bar or at a tile.</p>
<canvas class="map" role="img" aria-label="Which thread computed which tile"></canvas>
<p class="soft">__COST__</p>
<style>canvas { width: 100%; display: block; touch-action: pan-y; } input[type=range] { width: 60%; } .details { min-height: 3em; } .timeline { break-inside: avoid; }</style>
<script>
(root => {
"use strict";
const data = __DATA__;
const colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#707070", "#882255"];
const part = name => root.querySelector("." + name);
const rows = part("rows"), map = part("map"), details = part("details"), slider = part("generation");
let events = [], chosen = -1, places = [], tiles = [];
slider.max = data.generations.length - 1;
const number = value => value >= 100 ? Math.round(value).toString() : value.toPrecision(3);
// About `many` round numbers
function ticks(span, about) {
  const power = 10 ** Math.floor(Math.log10(span / about)), step = [1, 2, 5, 10].find(s => s * power * about >= span) * power, list = [];
  for (let at = 0; at <= span * (1 + 1e-9); at += step) list.push(at);
  return list;
}
const ink = name => getComputedStyle(document.documentElement).getPropertyValue(name);
function prepare(canvas, height) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth;
  canvas.style.height = height + "px";
  canvas.width = width * ratio; canvas.height = height * ratio;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = "12px system-ui, sans-serif";
  return [context, width];
}
function bar(context, place, event, index) {
  const [x, y, w, h] = place;
  context.globalAlpha = chosen < 0 || chosen === index ? 1 : 0.45;
  context.fillStyle = colours[event[0] % colours.length];
  context.fillRect(x, y, w, h);
  context.globalAlpha = 1;
  if (chosen === index) { context.strokeStyle = ink("--ink"); context.lineWidth = 2; context.strokeRect(x, y, w, h); }
}
function draw() {
  const first = Math.min(...events.map(e => e[1])), last = Math.max(...events.map(e => e[2])), span = Math.max(last - first, 1e-9);
  let [context, width] = prepare(rows, 26 * data.threads + 38);
  const left = 70, right = width - 76, bottom = 26 * data.threads;
  context.fillStyle = ink("--soft"); context.strokeStyle = ink("--line"); context.lineWidth = 1; context.textAlign = "center";
  for (const tick of ticks(span, Math.max(2, Math.floor((right - left) / 90)))) {
    const x = left + tick / span * (right - left);
    context.beginPath(); context.moveTo(x, 0); context.lineTo(x, bottom + 4); context.stroke();
    context.fillText(tick >= 100 ? Math.round(tick).toString() : Number(tick.toPrecision(3)).toString(), x, bottom + 16);
  }
  context.fillText("microseconds", (left + right) / 2, bottom + 32);
  context.textAlign = "left";
  context.fillStyle = ink("--ink");
  for (let thread = 0; thread < data.threads; ++thread) {
    const busy = events.reduce((sum, e) => e[0] === thread ? sum + e[2] - e[1] : sum, 0) / span;
    context.fillText("thread " + thread, 4, 26 * thread + 17);
    context.fillText((100 * busy).toFixed(0) + " % busy", right + 4, 26 * thread + 17);
  }
  places = events.map(e => [left + (e[1] - first) / span * (right - left), 26 * e[0] + 4, Math.max((e[2] - e[1]) / span * (right - left) - 0.5, 1), 18]);
  events.forEach((event, i) => bar(context, places[i], event, i));
  const scale = Math.min(width / data.world[2], 560 / data.world[3]);
  [context, width] = prepare(map, Math.max(data.world[3] * scale, 8));
  context.strokeStyle = ink("--line"); context.strokeRect(0, 0, data.world[2] * scale, data.world[3] * scale);
  tiles = events.map(e => [(e[3] - data.world[0]) * scale, (e[4] - data.world[1]) * scale, e[5] * scale, e[6] * scale]);
  const gap = tiles.length && Math.min(...tiles.map(t => Math.min(t[2], t[3]))) > 6 ? 1 : 0;
  tiles.forEach((t, i) => bar(context, [t[0], t[1], Math.max(t[2] - gap, 0.5), Math.max(t[3] - gap, 0.5)], events[i], i));
}
function describe() {
  if (chosen < 0) { details.textContent = "Point at a bar or at a tile."; return; }
  const e = events[chosen];
  details.textContent = `Tile at ${e[3]}, ${e[4]}, ${e[5]} x ${e[6]} cells: thread ${e[0]}` + (e[7] >= 0 ? ` on CPU ${e[7]}` : "") +
    `, ${number(e[2] - e[1])} microseconds` + (e[8] ? ", changed" : "") + ".";
}
function choose(index) { if (index !== chosen) { chosen = index; describe(); draw(); } }
function at(canvas, list) {
  return event => {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    choose(list().findIndex(p => x >= p[0] - 1 && x < p[0] + p[2] + 1 && y >= p[1] && y < p[1] + p[3]));
  };
}
function show() {
  const generation = data.generations[slider.value];
  events = generation[1];
  chosen = -1;
  part("which").textContent = `${generation[0]}: ${events.length} tiles computed`;
  describe(); draw();
}
rows.addEventListener("pointermove", at(rows, () => places));
map.addEventListener("pointermove", at(map, () => tiles));
for (const canvas of [rows, map]) canvas.addEventListener("pointerleave", () => choose(-1));
slider.addEventListener("input", show);
window.addEventListener("resize", draw);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
show();
})(document.currentScript.parentElement);
</script>
</section>
)page";

// Two decimals, the resolution of the clock: a page can contain many thousands of numbers.
double microseconds(double seconds) { return std::round(seconds * 1e8) / 100; }

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  const std::size_t at = text.find(word);
  return text.replace(at, word.size(), by);
}

std::string cost_text(const Timeline& timeline) {
  if (timeline.seconds_a_generation <= 0) return "";
  return fmt::format("Recording cost {:+.1f} %: a generation took {} with it and {} without, in the median.",
                     100 * (timeline.seconds_a_generation_traced / timeline.seconds_a_generation - 1),
                     human_seconds(timeline.seconds_a_generation_traced),
                     human_seconds(timeline.seconds_a_generation));
}

}  // namespace

Json chrome_trace(const Timeline& timeline) {
  Json events = Json::array();
  events.push_back(
      {{"name", "process_name"}, {"ph", "M"}, {"pid", 1}, {"args", {{"name", "moorea " + timeline.kernel}}}});
  for (int thread = 0; thread < timeline.threads; ++thread) {
    events.push_back({{"name", "thread_name"},
                      {"ph", "M"},
                      {"pid", 1},
                      {"tid", thread},
                      {"args", {{"name", fmt::format("thread {}", thread)}}}});
  }
  for (const moorea::TileEvent& event : timeline.events) {
    events.push_back({{"name", fmt::format("tile {},{}", event.tile.x, event.tile.y)},
                      {"cat", "tile"},
                      {"ph", "X"},
                      {"ts", event.begin * 1e6},
                      {"dur", (event.end - event.begin) * 1e6},
                      {"pid", 1},
                      {"tid", event.thread},
                      {"args",
                       {{"generation", event.generation},
                        {"x", event.tile.x},
                        {"y", event.tile.y},
                        {"width", event.tile.width},
                        {"height", event.tile.height},
                        {"cpu", event.cpu},
                        {"changed", event.changed}}}});
  }
  return {{"traceEvents", events},
          {"displayTimeUnit", "ns"},
          {"otherData",
           {{"kernel", timeline.kernel},
            {"about", timeline.about},
            {"seconds_a_generation", timeline.seconds_a_generation},
            {"seconds_a_generation_traced", timeline.seconds_a_generation_traced}}}};
}

std::string timeline_view(const Timeline& timeline) {
  // By generation, as lists of numbers: thread, begin, end, x, y, width, height, CPU, changed
  std::map<std::uint64_t, Json> generations;
  for (const moorea::TileEvent& event : timeline.events) {
    generations[event.generation].push_back({event.thread, microseconds(event.begin), microseconds(event.end),
                                             event.tile.x, event.tile.y, event.tile.width, event.tile.height,
                                             event.cpu, event.changed ? 1 : 0});
  }
  Json data = {{"threads", timeline.threads},
               {"world", {timeline.world.x, timeline.world.y, timeline.world.width, timeline.world.height}},
               {"generations", Json::array()}};
  for (const auto& [generation, events] : generations) data["generations"].push_back({generation, events});
  std::string text = replaced(view, "__ABOUT__", escaped(timeline.about));
  text = replaced(text, "__COST__", escaped(cost_text(timeline)));
  return replaced(text, "__DATA__", data.dump());
}

std::string timeline_page(const Timeline& timeline) {
  const std::string title = "Timeline of " + timeline.kernel;
  return html_page(title, fmt::format("<h1>{}</h1>\n{}", escaped(title), timeline_view(timeline)));
}

double imbalance(const Timeline& timeline) {
  std::map<std::uint64_t, std::vector<double>> passes;
  for (const moorea::TileEvent& event : timeline.events) {
    std::vector<double>& busy =
        passes.try_emplace(event.generation, static_cast<std::size_t>(timeline.threads)).first->second;
    busy[event.thread] += event.end - event.begin;
  }
  double sum = 0;
  for (const auto& [generation, busy] : passes) {
    double all = 0;
    for (const double seconds : busy) all += seconds;
    sum += all > 0 ? *std::max_element(busy.begin(), busy.end()) / (all / timeline.threads) : 1;
  }
  return passes.empty() ? 1 : sum / static_cast<double>(passes.size());
}

}  // namespace app
