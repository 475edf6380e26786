// SPDX-License-Identifier: MIT
#include "report/timeline.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/cpu_watch.h"
#include "report/page.h"
#include "report/svg.h"

namespace app {
namespace {

// The page draws on canvases, because a generation can have thousands of tiles. All runs have the scale of
// time of the one that takes longest, and show the generation of the one slider.
constexpr const char* view = R"page(<section class="timeline__KIND__">
<p><label>Generation <input class="generation" type="range" min="0" step="1" value="0"></label></p>
<div class="panels">
__PANELS__</div>
<style>canvas { width: 100%; display: block; touch-action: pan-y; } input[type=range] { width: 60%; } .details { min-height: 3em; } .timeline { break-inside: avoid; }
.panels { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); } .panel { min-width: 0; } .panel h3 { margin: 0; overflow-wrap: anywhere; }
.several { --wide: min(100vw - 2rem, 1500px); width: var(--wide); margin-left: calc(50% - var(--wide) / 2); }</style>
<script>
(root => {
"use strict";
const data = __DATA__;
const colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#707070", "#882255"];
const slider = root.querySelector(".generation");
slider.max = Math.max(...data.runs.map(run => run.generations.length)) - 1;
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
// A run in its element
function panel(run, element) {
  const part = name => element.querySelector("." + name);
  const rows = part("rows"), map = part("map"), details = part("details");
  let events = [], chosen = -1, places = [], tiles = [], first = 0, span = 1;
  function bar(context, place, event, index) {
    const [x, y, w, h] = place;
    context.globalAlpha = chosen < 0 || chosen === index ? 1 : 0.45;
    context.fillStyle = colours[event[0] % colours.length];
    context.fillRect(x, y, w, h);
    context.globalAlpha = 1;
    if (chosen === index) { context.strokeStyle = ink("--ink"); context.lineWidth = 2; context.strokeRect(x, y, w, h); }
  }
  function drawRows() {
    const [context, width] = prepare(rows, 26 * run.threads + 38);
    const left = 70, right = width - 76, bottom = 26 * run.threads, own = Math.max(...events.map(e => e[2])) - first;
    context.fillStyle = ink("--soft"); context.strokeStyle = ink("--line"); context.lineWidth = 1; context.textAlign = "center";
    for (const tick of ticks(span, Math.max(2, Math.floor((right - left) / 90)))) {
      const x = left + tick / span * (right - left);
      context.beginPath(); context.moveTo(x, 0); context.lineTo(x, bottom + 4); context.stroke();
      context.fillText(tick >= 100 ? Math.round(tick).toString() : Number(tick.toPrecision(3)).toString(), x, bottom + 16);
    }
    context.fillText("microseconds", (left + right) / 2, bottom + 32);
    context.textAlign = "left";
    context.fillStyle = ink("--ink");
    for (let thread = 0; thread < run.threads; ++thread) {
      const busy = events.reduce((sum, e) => e[0] === thread ? sum + e[2] - e[1] : sum, 0) / Math.max(own, 1e-9);
      context.fillText(run.names[thread], 4, 26 * thread + 17);
      context.fillText((100 * busy).toFixed(0) + " % busy", right + 4, 26 * thread + 17);
    }
    places = events.map(e => [left + (e[1] - first) / span * (right - left), 26 * e[0] + 4, Math.max((e[2] - e[1]) / span * (right - left) - 0.5, 1), 18]);
    events.forEach((event, i) => bar(context, places[i], event, i));
  }
  function drawMap() {
    const scale = Math.min(map.clientWidth / run.world[2], 560 / run.world[3]);
    const [context] = prepare(map, Math.max(run.world[3] * scale, 8));
    context.strokeStyle = ink("--line"); context.strokeRect(0, 0, run.world[2] * scale, run.world[3] * scale);
    tiles = events.map(e => [(e[3] - run.world[0]) * scale, (e[4] - run.world[1]) * scale, e[5] * scale, e[6] * scale]);
    const gap = tiles.length && Math.min(...tiles.map(t => Math.min(t[2], t[3]))) > 6 ? 1 : 0;
    tiles.forEach((t, i) => bar(context, [t[0], t[1], Math.max(t[2] - gap, 0.5), Math.max(t[3] - gap, 0.5)], events[i], i));
  }
  function draw(common) { span = common; drawRows(); drawMap(); }
  function describe() {
    if (chosen < 0) { details.textContent = "Point at a bar or at a tile."; return; }
    const e = events[chosen];
    details.textContent = `Tile at ${e[3]}, ${e[4]}, ${e[5]} x ${e[6]} cells: ${run.names[e[0]]}` + (e[7] >= 0 ? ` on CPU ${e[7]}` : "") +
      `, ${number(e[2] - e[1])} microseconds` + (e[8] ? ", changed" : "") + ".";
  }
  function choose(index) { if (index !== chosen) { chosen = index; describe(); draw(span); } }
  function at(canvas, list) {
    return event => {
      const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
      choose(list().findIndex(p => x >= p[0] - 1 && x < p[0] + p[2] + 1 && y >= p[1] && y < p[1] + p[3]));
    };
  }
  rows.addEventListener("pointermove", at(rows, () => places));
  map.addEventListener("pointermove", at(map, () => tiles));
  for (const canvas of [rows, map]) canvas.addEventListener("pointerleave", () => choose(-1));
  // Selects a generation and returns how long it took
  function select(index) {
    const generation = run.generations[Math.min(index, run.generations.length - 1)];
    events = generation[1];
    chosen = -1;
    first = Math.min(...events.map(e => e[1]));
    part("which").textContent = `${generation[0]}: ${events.length} tiles computed`;
    describe();
    return Math.max(...events.map(e => e[2])) - first;
  }
  return {select, draw};
}
const panels = data.runs.map((run, i) => panel(run, root.querySelectorAll(".panel")[i]));
function show() {
  const span = Math.max(...panels.map(each => each.select(Number(slider.value))), 1e-9);
  for (const each of panels) each.draw(span);
}
slider.addEventListener("input", show);
window.addEventListener("resize", show);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
show();
})(document.currentScript.parentElement);
</script>
</section>
)page";

constexpr const char* panel = R"page(<div class="panel">
__HEAD____BUSY__<p class="soft">__ABOUT__</p>
<p>Generation <output class="which"></output></p>
<canvas class="rows" role="img" aria-label="When each thread computed which tile"></canvas>
<p class="soft details" aria-live="polite">Point at a bar or at a tile.</p>
<canvas class="map" role="img" aria-label="Which thread computed which tile"></canvas>
<p class="soft">__COST__</p>
</div>
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

std::string busy_warning(const Timeline& timeline) {
  const std::string text = busy_text(timeline);
  return text.empty() ? "" : fmt::format("<p class=\"warning\">{}</p>\n", escaped(text));
}

std::string thread_name(const Timeline& timeline, int thread) {
  return timeline.names.empty() ? fmt::format("thread {}", thread)
                                : timeline.names[static_cast<std::size_t>(thread)];
}

// By generation, as lists of numbers: thread, begin, end, x, y, width, height, CPU, changed
Json run_json(const Timeline& timeline) {
  std::map<std::uint64_t, Json> generations;
  for (const moorea::TileEvent& event : timeline.events) {
    generations[event.generation].push_back({event.thread, microseconds(event.begin), microseconds(event.end),
                                             event.tile.x, event.tile.y, event.tile.width, event.tile.height,
                                             event.cpu, event.changed ? 1 : 0});
  }
  Json run = {{"threads", timeline.threads},
              {"world", {timeline.world.x, timeline.world.y, timeline.world.width, timeline.world.height}},
              {"names", Json::array()},
              {"generations", Json::array()}};
  for (int thread = 0; thread < timeline.threads; ++thread)
    run["names"].push_back(thread_name(timeline, thread));
  for (const auto& [generation, events] : generations) run["generations"].push_back({generation, events});
  return run;
}

// Adds the events of a run as those of a process.
void add_process(Json& events, const Timeline& timeline, int process) {
  events.push_back({{"name", "process_name"},
                    {"ph", "M"},
                    {"pid", process},
                    {"args", {{"name", "moorea " + timeline.name}}}});
  for (int thread = 0; thread < timeline.threads; ++thread) {
    events.push_back({{"name", "thread_name"},
                      {"ph", "M"},
                      {"pid", process},
                      {"tid", thread},
                      {"args", {{"name", thread_name(timeline, thread)}}}});
  }
  // Few kernels report it; where none does, it is left out
  const bool has_changes =
      std::ranges::any_of(timeline.events, [](const moorea::TileEvent& event) { return event.changed; });
  for (const moorea::TileEvent& event : timeline.events) {
    events.push_back({{"name", fmt::format("tile {},{}", event.tile.x, event.tile.y)},
                      {"cat", "tile"},
                      {"ph", "X"},
                      {"ts", event.begin * 1e6},
                      {"dur", (event.end - event.begin) * 1e6},
                      {"pid", process},
                      {"tid", event.thread},
                      {"args",
                       {{"generation", event.generation},
                        {"x", event.tile.x},
                        {"y", event.tile.y},
                        {"width", event.tile.width},
                        {"height", event.tile.height},
                        {"cpu", event.cpu}}}});
    if (has_changes) events.back()["args"]["changed"] = event.changed;
  }
}

Json run_facts(const Timeline& timeline) {
  return {{"kernel", timeline.kernel},
          {"about", timeline.about},
          {"seconds_a_generation",
           timeline.seconds_a_generation > 0 ? Json(timeline.seconds_a_generation) : Json()},
          {"seconds_a_generation_traced", timeline.seconds_a_generation_traced},
          {"cpu_taken", timeline.cpu_taken},
          {"busy", !busy_text(timeline).empty()}};
}

}  // namespace

std::string busy_text(const Timeline& timeline) {
  if (timeline.cpu_taken <= max_part_taken) return "";
  return fmt::format(
      "Other processes held back the threads for {:.0f} % of the recorded time: bars and gaps are longer "
      "than "
      "on an idle machine.",
      100 * timeline.cpu_taken);
}

Json chrome_trace(const std::vector<Timeline>& timelines) {
  Json events = Json::array(), runs = Json::array();
  for (const Timeline& timeline : timelines) {
    add_process(events, timeline, static_cast<int>(runs.size()) + 1);
    runs.push_back(run_facts(timeline));
  }
  Json facts = runs.front();
  if (runs.size() > 1) facts["runs"] = runs;
  return {{"traceEvents", events}, {"displayTimeUnit", "ns"}, {"otherData", facts}};
}

std::string timeline_view(const std::vector<Timeline>& timelines) {
  const bool several = timelines.size() > 1;
  Json data = {{"runs", Json::array()}};
  std::string panels;
  for (const Timeline& timeline : timelines) {
    data["runs"].push_back(run_json(timeline));
    std::string text = replaced(panel, "__ABOUT__", escaped(timeline.about));
    text = replaced(text, "__HEAD__",
                    several ? fmt::format("<h3>{}</h3>\n", escaped(timeline.name)) : std::string());
    text = replaced(text, "__BUSY__", busy_warning(timeline));
    panels += replaced(text, "__COST__", escaped(cost_text(timeline)));
  }
  std::string text = replaced(view, "__KIND__", several ? " several" : "");
  text = replaced(text, "__PANELS__", panels);
  return replaced(text, "__DATA__", data.dump());
}

std::string timeline_page(const std::vector<Timeline>& timelines) {
  std::vector<std::string> names;
  for (const Timeline& timeline : timelines) names.push_back(timeline.name);
  const std::string title =
      fmt::format("Timeline{} of {}", names.size() > 1 ? "s" : "", joined(names, " and "));
  return html_page(title, fmt::format("<h1>{}</h1>\n{}", escaped(title), timeline_view(timelines)));
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
