// SPDX-License-Identifier: MIT
// Tools of the pointer: move the world, draw, erase, select a rectangle, place a pattern. Two fingers move and zoom
// with every tool, the wheel zooms, the middle button moves.
import { copyText, ownCopy, readText } from "./clipboard.js";
import { patternOf, worldIn } from "./share.js";
import { hush } from "./notices.js";
import { mirrored, readRle, turned, writeRle } from "./pattern.js";
import { States } from "./states.js";
import { clipped, maxFileBytes, tooLarge, whole } from "./words.js";

const $ = (id) => document.getElementById(id);
const farthest = 2 ** 53;  // coordinates in messages
const visible = 8;  // minimum pixels of a pattern that can be recognised while it is placed

export class Tools {
  /** `link` sends to the server, `tell` shows a message; `controls` is whether this page may change anything. */
  constructor(screen, link, tell) {
    this.screen = screen;
    this.link = link;
    this.tell = tell;
    this.controls = false;
    this.tool = "hand";
    this.pointers = new Map();
    this.states = new States();
    this.stroke = null;
    this.selection = null;
    this.placing = null;
    this.open = () => {};  // opens the pattern in a link that was pasted
    this.reading = [];  // patterns that the server was asked to read
    this.updates = 0;   // since something was drawn
    screen.overlays.push((context) => this.paint(context));
    this.attach(screen.canvas);
    for (const button of document.querySelectorAll("[data-tool]")) button.onclick = () => this.choose(button.dataset.tool);
    $("copy").onclick = () => this.copy(false);
    $("cut").onclick = () => this.copy(true);
    $("clear").onclick = () => this.clear();
    $("fill").onclick = () => this.fill();
    $("unselect").onclick = () => this.select(null);
    $("rotate").onclick = () => this.transform(turned);
    $("flip").onclick = () => this.transform(mirrored);
    $("place").onclick = () => this.place();
    $("unplace").onclick = () => this.endPlacing();
    $("placing-zoom").onclick = () => this.screen.fit(this.placing, 0.25);
  }

  attach(canvas) {
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.up(event));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Continues on another view of the same world. */
  use(screen) {
    this.endStroke();
    this.pointers.clear();
    this.pan = this.drag = this.hold = this.pinch = null;
    if (!screen.attached && screen.canvas !== this.screen.canvas) this.attach(screen.canvas);
    this.screen.attached = screen.attached = true;
    this.screen = screen;
    this.dress();
  }

  choose(tool) {
    this.endPlacing();
    this.tool = tool;
    for (const button of document.querySelectorAll("[data-tool]")) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    this.states.show(tool === "draw");
    this.dress();
  }

  dress() {
    const moving = this.pan ? " moving" : "";
    this.screen.canvas.className = (this.placing ? "place" : this.tool) + moving;
  }

  // The cell under the pointer; null if that is not on a surface.
  cell(event) {
    const at = this.screen.cellAt(event.clientX, event.clientY);
    return at && { x: Math.floor(at.x), y: Math.floor(at.y) };
  }

  down(event) {
    this.screen.canvas.focus({ preventScroll: true });
    this.screen.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pointers.size === 2) {  // the first finger did not begin a stroke
      this.dropStroke();
      this.drag = null;
      this.pinch = this.spread();
      return;
    }
    if (this.pointers.size > 2) return;
    const at = this.cell(event);
    const tool = event.button === 1 || !this.controls || !this.link.open || !at ? "hand" : this.placing ? "place" : this.tool;
    if (tool === "hand") {
      this.pan = { x: event.clientX, y: event.clientY };
    } else if (tool === "place") {
      this.hold = { x: at.x - this.placing.x, y: at.y - this.placing.y };
    } else if (tool === "select") {
      this.drag = at;
    } else if (this.screen.size < 1) {
      this.tell("Cells are smaller than a pixel: zoom in to draw.");
    } else {
      const { chosen } = this.states;
      const erases = tool === "erase" || event.button === 2 || this.screen.stateAt(at.x, at.y) === chosen;
      // A finger may be the first of two
      this.stroke = { state: erases ? 0 : chosen, last: null, cells: [], first: true, from: performance.now() + (event.pointerType === "touch" ? 120 : 0) };
      this.draw(event);
    }
    this.dress();
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (before) this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const at = this.drag || this.placing ? this.cell(event) : null;
    if (this.pinch && this.pointers.size === 2) {
      const now = this.spread();
      this.screen.moveBy(now.x - this.pinch.x, now.y - this.pinch.y);
      this.screen.zoomBy(now.distance / this.pinch.distance, now.x, now.y);
      this.pinch = now;
    } else if (this.pan) {
      this.screen.dragBy(event.clientX - this.pan.x, event.clientY - this.pan.y);
      this.pan = { x: event.clientX, y: event.clientY };
    } else if (this.stroke) {
      for (const each of event.getCoalescedEvents?.() ?? [event]) this.draw(each);
    } else if (!at) {
      return;
    } else if (this.drag) {
      this.select(this.between(this.drag, at));
    } else if (this.placing && (this.hold || event.pointerType === "mouse")) {
      const { placing, hold } = this;
      const x = hold && event.pointerType !== "mouse" ? at.x - hold.x : at.x - (placing.width >> 1);
      const y = hold && event.pointerType !== "mouse" ? at.y - hold.y : at.y - (placing.height >> 1);
      placing.x = x;
      placing.y = y;
      this.screen.paint();
    }
  }

  up(event) {
    this.pointers.delete(event.pointerId);
    if (this.hold && this.placing && event.type === "pointerup" && event.pointerType === "mouse") this.place();
    if (this.drag && !this.selection) this.select(null);
    this.endStroke();
    this.pan = this.drag = this.hold = null;
    this.pinch = this.pointers.size === 2 ? this.spread() : null;
    this.dress();
  }

  // Trackpads send many small turns, a wheel one large one. Two fingers on a trackpad are reported as a wheel with Ctrl.
  wheel(event) {
    event.preventDefault();
    if (this.stroke) this.stroke.last = null;
    const turn = Math.min(Math.max((event.deltaMode === 1 ? 33 : 1) * event.deltaY, -240), 240);
    this.screen.zoomBy(2 ** (-turn / (event.ctrlKey ? 70 : 200)), event.clientX, event.clientY);
  }

  spread() {
    const [a, b] = [...this.pointers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1) };
  }

  between(a, b) {
    const x = Math.min(a.x, b.x), y = Math.min(a.y, b.y);
    return { x, y, width: Math.abs(a.x - b.x) + 1, height: Math.abs(a.y - b.y) + 1 };
  }

  // The cells on the line from the last point of the page.
  draw(event) {
    const { stroke } = this, to = { x: event.clientX, y: event.clientY };
    for (const [x, y] of this.screen.line(stroke.last ?? to, to)) {
      if (!this.inWorld(x, y)) continue;
      stroke.cells.push(x, y);
      this.screen.pending.set(`${x},${y}`, stroke.state);
    }
    stroke.last = to;
    if (performance.now() >= stroke.from && !this.sent) this.sendStroke();
    this.screen.paint();
  }

  inWorld(x, y) {
    const state = this.screen.state;
    return !state || state.topology === "unbounded" || (x >= 0 && y >= 0 && x < state.width && y < state.height);
  }

  sendStroke() {
    const { stroke } = this;
    for (let i = 0; i < stroke.cells.length; i += 16384) {
      this.link.say("draw", { cells: stroke.cells.slice(i, i + 16384), state: stroke.state, first: stroke.first });
      stroke.first = false;
    }
    if (stroke.cells.length > 0) this.sent = true;
    this.updates = 0;
    stroke.cells = [];
  }

  endStroke() {
    if (!this.stroke) return;
    this.sendStroke();
    this.stroke = null;
  }

  dropStroke() {
    if (this.stroke && !this.stroke.first) this.link.say("undo");
    this.stroke = null;
    this.screen.pending.clear();
  }

  /** Handles an update: the next part of a stroke may be sent, and pending cells are drawn no more. The first update
   * without a frame may precede them; cells that the second does not contain have died. Updates with numbers only
   * are ignored. */
  updated(now, frame) {
    this.states.update(now);
    this.sent = false;
    if (this.stroke?.cells.length > 0 && performance.now() >= this.stroke.from) this.sendStroke();
    else if (!this.stroke && (frame || (now.population !== null && ++this.updates > 1))) this.screen.pending.clear();
  }

  select(box) {
    if (box && this.screen.state) {
      const { topology, width, height } = this.screen.state, first = topology === "unbounded" ? -farthest : 0;
      const [end, last] = first < 0 ? [farthest, farthest] : [width, height];
      const x = Math.max(box.x, first), y = Math.max(box.y, first);
      box = { x, y, width: Math.min(box.x + box.width, end) - x, height: Math.min(box.y + box.height, last) - y };
      if (box.width <= 0 || box.height <= 0) box = null;
    }
    this.selection = box;
    $("selection").hidden = !box;
    if (box) $("selection-size").textContent = `${whole(box.width)} \u00d7 ${whole(box.height)}`;
    this.screen.paint();
  }

  clear() {
    if (this.selection) this.link.say("clear", this.selection);
  }

  fill() {
    if (this.selection) this.link.say("fill", { ...this.selection, density: Number($("density").value) / 100, seed: Math.floor(Math.random() * 2 ** 32) });
  }

  copy(cuts) {
    if (!this.selection) return;
    this.link.say("copy", { ...this.selection, cut: cuts });
  }

  /** Receives the cells that copy() requested. */
  async copied(text) {
    const copied = await copyText(text, true);
    this.tell(copied ? "Copied." : "Copied within this page only: the browser denies access to the clipboard.");
  }

  /** What the browser pastes. */
  pasted(data) {
    const file = data.files[0], text = ownCopy() ?? data.getData("text");
    if (file || text.trim()) this.begin(file ?? text);
  }

  async paste() {
    const text = await readText();
    if (text.trim() === "") this.tell("The clipboard has no pattern, or the browser denies access to it: try Ctrl+V.");
    else this.begin(text);
  }

  /** Has the server parse text or a file. The pattern is placed at once at `at` if it was dropped, otherwise when the
   * user places it. */
  begin(text, dropped, note) {
    const shared = typeof text === "string" ? worldIn(text.trim()) : null;
    if (shared) {
      patternOf(shared).then((pattern) => this.open(pattern), () => this.tell("The link to a world is damaged or too long."));
      return;
    }
    if ((text.size ?? text.length) > maxFileBytes) {
      this.tell(tooLarge);
      return;
    }
    if (!this.link.open) return;
    this.reading.push({ given: text, dropped, note });
    this.link.sayBytes("read", { name: clipped(text.name ?? (dropped ? "the dropped text" : "the pasted text")) }, text);
  }

  /** Fetches a bundled pattern to be placed. */
  beginBundled(name) {
    if (!this.link.open) return;
    this.reading.push({});
    this.link.say("pattern", { name });
  }

  /** Receives a requested pattern. It follows the pointer until it is placed; one that is too large to be drawn is placed
   * at once. */
  arrived(event, text) {
    const { given, dropped, note } = this.reading.shift() ?? {};
    if (event.error) return this.tell(event.error);
    hush();
    const middle = dropped ?? this.screen.middle, at = { x: middle.x - Math.floor(event.width / 2), y: middle.y - Math.floor(event.height / 2) };
    const pattern = readRle(text, event), words = note ? [note] : [];
    if (!pattern || dropped) {
      this.link.sayBytes("paste", at, given ?? text);
      words.push(dropped ? "Placed where it was dropped. Ctrl+Z undoes it; Files opens it instead."
                         : "Placed: it is too large to be shown before. Ctrl+Z undoes it.");
    } else {
      this.select(null);
      this.setPlacing({ ...pattern, ...at });
    }
    const state = this.screen.state;
    if (!event.same_rule && state) {
      const here = state.rule_name || state.rule;
      words.push(event.rule_error ? `It is for the rule ${event.rule}, which Moorea cannot run; here its cells follow ${here}.`
                                  : `It is for the rule ${event.rule}; this world's is ${here}.`);
    }
    if (words.length > 0) this.tell(words.join(" "));
  }

  setPlacing(placing) {
    this.placing = placing;
    $("placing").hidden = false;
    $("placing-size").textContent = `${whole(placing.width)} \u00d7 ${whole(placing.height)}`;
    this.dress();
    this.screen.paint();
  }

  transform(how) {
    if (!this.placing) return;
    const { x, y, width, height } = this.placing;
    const next = how(this.placing);
    this.setPlacing({ ...next, x: x + (width >> 1) - (next.width >> 1), y: y + (height >> 1) - (next.height >> 1) });
  }

  place() {
    const { placing } = this;
    if (!placing) return;
    this.link.sayBytes("paste", { x: placing.x, y: placing.y }, writeRle(placing));
    this.endPlacing();
  }

  endPlacing() {
    this.placing = null;
    $("placing").hidden = true;
    this.dress();
    this.screen.paint();
  }

  escape() {
    if (this.placing) this.endPlacing();
    else if (this.selection) this.select(null);
    else this.choose("hand");
  }

  paint(context) {
    const { screen, selection, placing } = this;
    $("placing-zoom").hidden = !placing || Math.max(placing.width, placing.height) * screen.size >= visible * screen.ratio;
    if (!context) {
      screen.mark(selection, placing);
      return;
    }
    const rectangle = (box) => {
      const a = screen.pointOf(box.x, box.y), b = screen.pointOf(box.x + box.width, box.y + box.height);
      return [a.x, a.y, Math.max(b.x - a.x, 1), Math.max(b.y - a.y, 1)];
    };
    context.lineWidth = Math.max(1, Math.round(screen.ratio));
    if (selection) {
      const at = rectangle(selection);
      context.globalAlpha = 0.16;
      context.fillStyle = screen.style.accent;
      context.fillRect(...at);
      context.globalAlpha = 1;
      context.strokeStyle = screen.style.accent;
      context.strokeRect(at[0] - 0.5, at[1] - 0.5, at[2] + 1, at[3] + 1);
    }
    if (placing) {
      const hasStates = screen.state?.states > 2;
      context.fillStyle = screen.style.accent;
      context.globalAlpha = 0.85;
      const size = Math.max(screen.size, 1);
      for (const [x, y, state] of placing.cells) {
        if (hasStates) context.fillStyle = screen.colourOf(state);
        const at = screen.pointOf(placing.x + x, placing.y + y);
        context.fillRect(at.x, at.y, size, size);
      }
      context.globalAlpha = 1;
      const at = rectangle(placing);
      context.strokeStyle = screen.style.accent;
      context.setLineDash([4 * screen.ratio, 4 * screen.ratio]);
      context.strokeRect(at[0] - 2.5, at[1] - 2.5, at[2] + 5, at[3] + 5);
      context.setLineDash([]);
    }
  }
}
