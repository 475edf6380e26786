// SPDX-License-Identifier: MIT
// The population's curve.
import { whole } from "./words.js";

export class Plot {
  constructor(canvas) {
    this.canvas = canvas;
    this.points = [];
    this.edits = 0;
    this.pointer = null;
    canvas.addEventListener("pointermove", (event) => {
      this.pointer = event.offsetX / canvas.clientWidth;
      this.paint();
    });
    canvas.addEventListener("pointerleave", () => {
      this.pointer = null;
      this.paint();
    });
    new ResizeObserver(() => this.paint()).observe(canvas);
  }

  begin(points) {
    this.points = points;
    this.paint();
  }

  add(state) {
    if (state.edits !== this.edits) {
      this.edits = state.edits;
      this.points = this.points.filter(([generation]) => generation < state.generation && generation >= state.first);
    }
    const last = this.points.at(-1);
    if (state.population !== null && (!last || last[0] < state.generation)) this.points.push([state.generation, Number(state.population)]);
    if (this.points.length > 1600) this.points = this.points.filter((_, i) => i % 2 === 0);
    this.now = state.generation;
    this.paint();
  }

  paint() {
    const { canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    const height = canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    const context = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    const accent = style.getPropertyValue("--accent"), soft = style.getPropertyValue("--soft");
    if (this.points.length === 0) return;
    const generations = this.points.map((point) => point[0]), numbers = this.points.map((point) => point[1]);
    const from = generations[0], to = Math.max(generations.at(-1), from + 1);
    const minimum = Math.min(...numbers), maximum = Math.max(...numbers, minimum + 1);
    const pad = 3 * ratio;
    const x = (generation) => pad + (generation - from) / (to - from) * (width - 2 * pad);
    const y = (number) => height - pad - (number - minimum) / (maximum - minimum) * (height - 2 * pad);
    context.beginPath();
    this.points.forEach(([generation, number], i) => (i ? context.lineTo : context.moveTo).call(context, x(generation), y(number)));
    context.strokeStyle = accent;
    context.lineWidth = 1.5 * ratio;
    context.lineJoin = "round";
    context.stroke();
    context.lineTo(x(generations.at(-1)), height);
    context.lineTo(x(from), height);
    context.fillStyle = accent;
    context.globalAlpha = 0.14;
    context.fill();
    context.globalAlpha = 1;
    let shown = null;
    if (this.pointer !== null) {
      const wanted = from + this.pointer * (to - from);
      shown = this.points.reduce((best, point) => (Math.abs(point[0] - wanted) < Math.abs(best[0] - wanted) ? point : best));
    } else if (this.now !== undefined && this.now <= to) {
      const before = this.points.filter(([generation]) => generation <= this.now);
      if (before.length) this.dot(context, x(before.at(-1)[0]), y(before.at(-1)[1]), 2.5 * ratio, accent);
    }
    canvas.title = "";
    if (shown) {
      this.dot(context, x(shown[0]), y(shown[1]), 3 * ratio, accent);
      const text = `${whole(shown[1])} in ${whole(shown[0])}`;
      context.font = `${11 * ratio}px system-ui, sans-serif`;
      context.textAlign = this.pointer > 0.5 ? "left" : "right";
      context.fillStyle = soft;
      context.fillText(text, this.pointer > 0.5 ? pad : width - pad, 11 * ratio);
    }
  }

  dot(context, x, y, radius, fill) {
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
    context.fillStyle = fill;
    context.fill();
  }
}
