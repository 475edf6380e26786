// SPDX-License-Identifier: MIT
// The monitor: which thread computed which tile in the last generations, over the cells, and how busy each thread was.

// A palette for colour vision deficiencies (Okabe and Ito); more threads repeat it
const colours = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999"];
const strongest = 0.55, weakest = 0.18;  // opacity of the tile that took longest, and of the shortest

const $ = (id) => document.getElementById(id);
const colourOf = (thread) => colours[thread % colours.length];

export class Monitor {
  /** `ask` requests the next record; `screen` is the canvas. */
  constructor(screen, ask) {
    this.screen = screen;
    this.ask = ask;
    this.on = false;
    this.record = null;
    screen.overlays.push((context) => this.draw(context));
    $("monitor-button").onclick = () => this.turn(!this.on);
    $("monitor-close").onclick = () => this.turn(false);
  }

  turn(on) {
    this.on = on;
    this.record = null;
    $("monitor").hidden = !on;
    $("monitor-button").setAttribute("aria-pressed", String(on));
    $("monitor-says").textContent = "Waiting for the world to run\u2026";
    $("monitor-threads").replaceChildren();
    if (on) this.ask();
    this.screen.paint();
  }

  /** After a new connection, whose server knows nothing of this. */
  begin() { if (this.on) this.ask(); }

  arrived(record) {
    if (!this.on) return;
    this.record = record.reason ? null : record;
    if (record.reason) {
      $("monitor-says").textContent = record.reason;
      $("monitor-threads").replaceChildren();
    } else {
      const all = record.computed + record.asleep;
      const sleeping = all > 0 ? `, ${Math.round(100 * record.asleep / all)} % of the tiles asleep` : "";
      $("monitor-says").textContent = `${record.kernel}: ${record.generations} generation${record.generations === 1 ? "" : "s"} in ${(1000 * record.seconds).toPrecision(2)} ms${sleeping}`;
      $("monitor-threads").replaceChildren(...record.busy.map((seconds, thread) => this.bar(thread, record.seconds > 0 ? seconds / record.seconds : 0)));
    }
    this.ask();
    this.screen.paint();
  }

  bar(thread, share) {
    const row = document.createElement("div"), name = document.createElement("span"), track = document.createElement("i"), part = document.createElement("b");
    name.textContent = `thread ${thread}: ${Math.round(100 * share)} %`;
    part.style.width = `${Math.min(100, 100 * share)}%`;
    part.style.background = colourOf(thread);
    track.append(part);
    row.append(name, track);
    return row;
  }

  draw(context) {
    if (!this.record || !context) return;  // (surfaces have no canvas to draw on)
    const longest = Math.max(...this.record.tiles.map(([, , , , , micros]) => micros), 1e-9);
    context.save();
    for (const [x, y, width, height, thread, micros] of this.record.tiles) {
      const from = this.screen.pointOf(x, y), to = this.screen.pointOf(x + width, y + height);
      context.globalAlpha = weakest + (strongest - weakest) * micros / longest;
      context.fillStyle = colourOf(thread);
      context.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
      if (to.x - from.x < 12) continue;
      context.globalAlpha = 0.8;
      context.strokeStyle = colourOf(thread);
      context.strokeRect(from.x + 0.5, from.y + 0.5, to.x - from.x - 1, to.y - from.y - 1);
    }
    context.restore();
  }
}
