// SPDX-License-Identifier: MIT
// The page of moorea serve: passes events of the server to the screen, the numbers and the panel, and actions of the
// user to the server. An update is displayed before the next one is requested.
import { Colours } from "./colours.js";
import { Identify } from "./identify.js";
import { keep, kept } from "./kept.js";
import { Link } from "./link.js";
import { Monitor } from "./monitor.js";
import { awaitUpdate, block, hush, stopWaiting, tell } from "./notices.js";
import { Panel } from "./panel.js";
import { Plot } from "./plot.js";
import { Screen } from "./screen.js";
import { patternOf, worldIn } from "./share.js";
import { Tools } from "./tools.js";
import { Views } from "./views.js";
import { generationOf, lastGeneration, pace, plain, short, whole } from "./words.js";

const $ = (id) => document.getElementById(id);
const calmSeconds = 0.5;  // between two pictures: at most three flashes a second are harmless (WCAG 2.3.1)

function use(icon, name) { icon.querySelector("use").setAttribute("href", `#i-${name}`); }

// --- light and dark, calm or not: kept for the next visit

function setTheme(light) {
  document.documentElement.classList.toggle("light", light);
  flat?.readColours();
  views?.surface?.readColours();
  plot?.paint();
  if (state) tools.states.update(state);
}
const systemLight = matchMedia("(prefers-color-scheme: light)");
let flat, screen, views, plot;  // `screen` is the view that is shown
let state = null;
setTheme(kept("theme") ? kept("theme") === "light" : systemLight.matches);
systemLight.addEventListener("change", () => { if (!kept("theme")) setTheme(systemLight.matches); });

function setCalm(calm) {
  flat.calm = calm;
  $("calm").setAttribute("aria-pressed", String(calm));
}

// --- parts

let link = null, fitted = false, strobed = false, instance = null;
screen = flat = new Screen($("world"), (raster) => link?.say("look", raster));
plot = new Plot($("plot"));
const colours = new Colours(flat, tell), monitor = new Monitor(flat, () => link?.say("tiles"));

// A link that contains a world has no secret: that of the last link of this server is used
let shared = worldIn(location.hash);
const token = location.hash.slice(1).replace(/&?world=[\w-]*/, "").replace(/^token=/, "") || (shared && kept("token")) || "";

async function openShared(controls) {
  const letters = shared;
  shared = null;
  history.replaceState(null, "", `#${token}`);
  if (!controls) {
    tell("This link is for watching only: the world in it is not opened.");
    return;
  }
  try {
    const pattern = await patternOf(letters);
    if (confirm("This link contains a world. Open it here, in place of the present one?")) panel.openShared(pattern);
  } catch {
    tell("The link to a world is damaged or too long.");
  }
}

link = new Link(token, {
  up() { block(""); },
  down(text) {
    stopWaiting();
    block(text);
  },
  hello(event) {
    document.body.classList.toggle("audience", !event.controls);
    tools.controls = event.controls;
    tools.reading = [];
    panel.hello(event);
    colours.hello(event);
    monitor.begin();
    identify.begin();
    plot.begin(event.populations);
    // Another process has another world
    views.hello(event, event.instance !== instance);
    if (event.instance !== instance) fitted = false;
    instance = event.instance;
    awaitUpdate(event.busy);
    link.say("ready");
    if (!fitted) link.say("live");
    if (event.controls) keep("token", token);
    if (shared) openShared(event.controls);
  },
  async update(now, frame, bytes) {
    stopWaiting();
    block("");
    document.body.classList.remove("waiting");
    if (now.name !== state?.name || now.rule !== state?.rule) hush();
    state = now;
    views.update(now, frame, bytes);
    tools.updated(now, frame);
    showState();
    // The next one is requested when this one has been painted
    const socket = link.socket;
    setTimeout(() => requestAnimationFrame(() => { if (link.socket === socket) link.say("ready"); }), flat.calm ? 1000 * calmSeconds : 0);
  },
  event(event, bytes) {
    if (event.event === "error") {
      tell(plain(event.text));
      panel.opening = null;
    } else if (event.event === "rule") panel.checked(event);
    else if (event.event === "kernels") panel.kernelsAre(event.kernels);
    else if (event.event === "identified") identify.arrived(event);
    else if (event.event === "tiles") monitor.arrived(event);
    else if (event.event === "opened") panel.opened(event);
    else if (event.event === "file") panel.saved(event, bytes);
    else if (event.event === "copied") tools.copied(new TextDecoder().decode(bytes));
    else if (event.event === "live") fitTo(event);
    else if (event.event === "mesh") views.arrived(event, bytes);
    else if (event.event === "pattern") tools.arrived(event, new TextDecoder().decode(bytes));
  },
});
const tools = new Tools(screen, link, tell);
const panel = new Panel(link, tools, tell);
tools.open = (pattern) => panel.openShared(pattern);
const identify = new Identify(link, tools, tell);
views = new Views(flat, link, tell, (view) => {
  screen = view;
  tools.use(view);
});
setCalm(kept("calm") ? kept("calm") === "on" : matchMedia("(prefers-reduced-motion: reduce)").matches);

// Shows the live cells, or the whole world if there are none: first without the few cells far away, then with them.
function fitTo(live) {
  const bounded = state && state.topology !== "unbounded";
  if (!state) {
    waitingFor = live;
    return;
  }
  if (selecting) {
    selecting = false;
    tools.select(live.box ?? null);
    return;
  }
  const all = pressed && live.left_out > 0 && screen.fits === "most";
  const box = all ? live.box : live.most;
  if (middle) {
    middle = false;
    if (box) screen.centre(box.x + box.width / 2, box.y + box.height / 2);
  } else {
    screen.fit(box ?? (bounded ? { x: 0, y: 0, width: state.width, height: state.height } : { x: -32, y: -24, width: 64, height: 48 }));
    screen.fits = !pressed ? null : all ? "all" : "most";
    if (all) $("says").classList.remove("shown");
    else if (pressed && live.left_out > 0) tell(`${whole(live.left_out)} ${live.left_out === 1 ? "cell lies" : "cells lie"} far away. Fit again shows them, too.`);
  }
  pressed = false;
  fitted = true;
  showZoom();
}
let waitingFor;
// Purpose of the requested box: Fit was pressed, its middle is to be shown, or it is to be selected
let pressed = false, middle = false, selecting = false;

function fit() {
  pressed = true;
  link.say("live");
}

// The link of a restarted server, or one for watching
addEventListener("hashchange", () => location.reload());

// --- state

let moving = false;  // the slider of time is held
let worldIs = "";

function showState() {
  $("name").textContent = state.name;
  $("generation").textContent = whole(state.generation);
  // An update without a count keeps the last population
  if (state.population !== null) $("population").textContent = whole(state.population);
  $("speed").textContent = !state.busy ? "stopped" : state.generations_per_second > 0 ? `${short(state.generations_per_second)} gen/s` : "\u2026";
  $("speed").title = state.busy ? `${short(state.cells_per_second)} cells per second` : "";
  $("pace").textContent = pace(state.exponent, state.hyperspeed);
  $("hyperspeed").setAttribute("aria-pressed", state.hyperspeed);
  use($("play"), state.busy ? "pause" : "play");
  $("play").setAttribute("aria-label", state.busy ? "Stop" : "Play");
  $("undo").disabled = !state.undo;
  $("redo").disabled = !state.redo;
  $("back").disabled = state.generation <= state.first;
  if (!moving) {
    $("time").min = state.first;
    $("time").max = Math.max(state.last, state.first + 1);
    $("time").value = state.generation;
    $("time").disabled = state.last <= state.first || state.last > Number.MAX_SAFE_INTEGER;
  }
  document.title = `${whole(state.generation)} - Moorea`;
  plot.add(state);
  panel.update(state);
  // All live cells of another world are shown
  const now = `${state.topology} ${state.topology === "unbounded" ? "" : `${state.width} ${state.height}`} ${state.name} ${state.first}`;
  if (worldIs && now !== worldIs) {
    link.say("live");
    tools.select(null);
  }
  worldIs = now;
  if (state.strobes && !strobed && !kept("calm") && !flat.calm) {
    setCalm(true);
    tell("This rule inverts the whole world each generation. Calm play is on; C ends it.");
  }
  strobed = state.strobes;
  if (waitingFor !== undefined) {
    const live = waitingFor;
    waitingFor = undefined;
    fitTo(live);
  }
  showZoom();
}

// Explains an empty world and how to begin.
function showEmpty() {
  const empty = state?.population === 0 && !state.busy && $("placing").hidden && $("selection").hidden && screen.pending.size === 0;
  if ($("empty").hidden === !empty) return;
  $("empty").hidden = !empty;
  if (!empty) return;
  const now = state.generation === 0 ? "Nothing lives here yet." : "Nothing lives here any more.";
  $("empty-says").textContent = tools.controls ? `${now} Draw some cells, place a pattern, or fill the world with noise.` : now;
}
$("empty-draw").onclick = () => tools.choose("draw");
$("empty-patterns").onclick = () => {
  panel.toggle(true);
  panel.show("patterns");
};
$("empty-noise").onclick = () => {
  panel.toggle(true);
  panel.show("world");
};
screen.overlays.push(showEmpty);

function showZoom() { $("scale").textContent = screen.scaleText; }

// --- actions

const acts = {
  play() { link.say(state?.busy ? "stop" : "play"); },
  one() { link.say("step", { generations: 1 }); },
  step() { link.say("stride", { back: false }); },
  back() { link.say("stride", { back: true }); },
  reset() { link.say("reset"); },
  faster() { link.say("faster", { by: 1 }); },
  slower() { link.say("faster", { by: -1 }); },
  hyperspeed() { link.say("hyperspeed", { on: !state?.hyperspeed }); },
  undo() { link.say("undo"); },
  redo() { link.say("redo"); },
};
for (const [name, act] of Object.entries(acts)) $(name).onclick = act;
const zoom = (factor) => { screen.zoomBy(factor); showZoom(); };
$("closer").onclick = () => zoom(2);
$("farther").onclick = () => zoom(1 / 2);
$("fit").onclick = fit;
screen.overlays.push(showZoom);
$("help").onclick = () => $("keys").showModal();
$("theme").onclick = () => {
  const light = !document.documentElement.classList.contains("light");
  keep("theme", light ? "light" : "dark");
  setTheme(light);
};
const toggleCalm = () => {
  setCalm(!flat.calm);
  keep("calm", flat.calm ? "on" : "off");
};
$("calm").onclick = toggleCalm;

$("time").oninput = () => {
  moving = true;
  $("generation").textContent = whole(Number($("time").value));
};
for (const end of ["pointerup", "pointercancel", "blur"]) $("time").addEventListener(end, () => { moving = false; });
// As a click on a button, a pointer leaves the keys to the world
$("time").addEventListener("pointerup", () => setTimeout(() => $("time").blur()));
$("time").onchange = () => {
  moving = false;
  link.say("go", { generation: Number($("time").value) });
};

$("go").onclick = () => {
  if (!tools.controls) return;
  $("go-to").value = "";
  $("go-says").textContent = `This is generation ${whole(state.generation)}. The run goes there, back or forth.`;
  $("going").showModal();
};
$("go-form").onsubmit = (event) => {
  const generation = generationOf($("go-to").value, Number(state.generation));
  if (generation !== null && generation >= state.first) {
    link.say("go", { generation });
    if (generation > state.generation) tell(`Going to generation ${whole(generation)}. Stop, or Enter, ends it before.`);
    return;
  }
  event.preventDefault();
  $("go-says").textContent = `Expected a whole number from ${whole(state.first)} to ${whole(lastGeneration)}, such as 1000, 10k, 2^20, +100, or -100.`;
};

// The cell under the pointer, in each picture
let pointer = null;
function showCursor() {
  const at = pointer ? screen.cellAt(pointer.clientX, pointer.clientY) : null;
  if (!at) {
    $("cursor").textContent = "-";
    return;
  }
  const x = Math.floor(at.x), y = Math.floor(at.y), known = state?.states > 2 ? screen.stateAt(x, y) : undefined;
  $("cursor").textContent = `${whole(x)}, ${whole(y)}${known === undefined ? "" : `: ${known}`}`;
}
document.addEventListener("pointermove", (event) => {
  pointer = event.target === screen.canvas ? event : null;
  showCursor();
});
screen.overlays.push(showCursor);

function move(right, down) {
  screen.dragBy(-right * innerWidth, -down * innerHeight);
}

const watchKeys = {
  "]": () => zoom(2), "[": () => zoom(1 / 2), f: fit, m() { middle = true; link.say("live"); }, c: toggleCalm, v: () => views.toggle(), k: () => colours.next("show"), l: () => colours.next("palette"), o: () => panel.film.toggle(), t: () => monitor.turn(!monitor.on), "?": () => $("keys").showModal(),
  ArrowLeft: () => move(-0.1, 0), ArrowRight: () => move(0.1, 0), ArrowUp: () => move(0, -0.1), ArrowDown: () => move(0, 0.1),
  PageUp: () => move(0, -0.5), PageDown: () => move(0, 0.5),
};
const controlKeys = {
  Enter: acts.play, " ": acts.one, Tab: acts.step, b: acts.back, "+": acts.faster, "=": acts.faster, "-": acts.slower, _: acts.slower, H: acts.hyperspeed,
  h: () => tools.choose("hand"), d: () => tools.choose("draw"), e: () => tools.choose("erase"), s: () => tools.choose("select"),
  g: () => $("go").click(), i: () => identify.ask(), p: () => panel.toggle(), Escape: () => tools.escape(), Delete: () => tools.clear(), Backspace: () => tools.clear(),
};
for (let state = 1; state < 10; ++state) controlKeys[state] = () => tools.states.choose(state);
const withCtrl = {
  r: acts.reset, z: acts.undo, y: acts.redo, c: () => tools.copy(false), x: () => tools.copy(true),
  a() { if (state && state.topology !== "unbounded") tools.select({ x: 0, y: 0, width: state.width, height: state.height }); else selectAll(); },
};
const withCtrlShift = { z: acts.redo };

function selectAll() {
  selecting = true;
  link.say("live");
}

addEventListener("keydown", (event) => {
  const target = event.target;
  const writes = target.matches?.("input:not([type=range]):not([type=radio]), select, textarea") || $("keys").open || $("going").open;
  if (writes) {
    if (event.key === "Escape") {
      target.blur();
      panel.showRule();  // discards a rule that was not applied
    }
    return;
  }
  if (event.key === "Escape" && target !== document.body && target !== screen.canvas) target.blur();
  // A button or slider with the focus keeps its own keys; Tab is a step only if the world has the focus
  if (target !== document.body && target !== screen.canvas && ["Enter", " ", "Tab", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(event.key)) return;
  if ((event.altKey && !event.getModifierState("AltGraph")) || (event.key === "Tab" && target !== screen.canvas)) return;
  let act;
  if ((event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph")) {
    // Without a selection in the world the browser copies
    if (event.key === "c" && !tools.selection) return;
    act = tools.controls ? (event.shiftKey ? withCtrlShift : withCtrl)[event.key.toLowerCase()] : undefined;
  } else {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (tools.placing && key === "r") act = () => $("rotate").click();
    else if (tools.placing && key === "x") act = () => $("flip").click();
    else if (tools.placing && key === "Enter") act = () => tools.place();
    else if (key === "r" && tools.controls) act = () => panel.openRule();
    else act = watchKeys[key] ?? (tools.controls ? controlKeys[event.key] ?? controlKeys[key] : undefined);
    if (event.key === "Tab" && event.shiftKey) act = undefined;
  }
  if (!act) return;
  event.preventDefault();
  act();
});

// A click on a button leaves the focus on the world
addEventListener("mousedown", (event) => { if (event.target.closest?.("button")) event.preventDefault(); });

addEventListener("paste", (event) => {
  if (tools.controls && !event.target.matches?.("input")) tools.pasted(event.clipboardData);
});

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  if (!tools.controls) return;
  const [file, ...others] = event.dataTransfer.files, text = event.dataTransfer.getData("text");
  const at = screen.cellAt(event.clientX, event.clientY) ?? screen.middle;
  const cell = { x: Math.floor(at.x), y: Math.floor(at.y) };
  if (!file && !text.trim()) return;
  const note = others.length > 0 ? `Only ${file.name} is taken: drop one file at a time.` : "";
  if (file?.name.toLowerCase().endsWith(".rule")) panel.open(file, note);  // has no cells
  else tools.begin(file ?? text, cell, note);
});
