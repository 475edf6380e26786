// SPDX-License-Identifier: MIT
// The canvas: the visible cells (the point in its middle and the device pixels per cell) and the last frame. Panning
// and zooming move that frame at once, until a new one arrives. If cells are smaller than a pixel, the squares of a
// frame are a power of two of cells wide and drawn one to two pixels wide, so that clients at similar scales share
// frames.
import { css, paletteOf, pixel } from "./palette.js";

const maxSize = 64;            // pixels per cell
const maxFitted = 32;
const maxScale = 2 ** 40;      // cells per square
const fittedPart = 0.95;       // of the window
const maxSquares = 1 << 22;  // of one frame: on large screens a square is two pixels wide
const maxDistance = 2 ** 51;     // a view is as wide at most, and numbers are exact up to 2^53

export class Screen {
  constructor(canvas, look) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.look = look;  // requests another raster
    this.active = true;  // whether this view is shown
    this.x = 0;
    this.y = 0;
    this.size = 8;      // device pixels that a cell is wide
    this.fits = null;   // what Fit has shown, until the view is moved or zoomed
    this.squares = null;  // of the last frame, as received
    this.raster = null;
    this.picture = document.createElement("canvas");
    this.before = document.createElement("canvas");  // the picture that fades
    this.state = null;
    this.overlays = [];  // drawn on top by others: (context, screen) => void
    this.watchers = [];  // called when this view or the surface has been painted
    this.pending = new Map();  // states of cells that were drawn and are not in a frame yet
    this.fadeFrom = 0;
    this.calm = false;
    this.colouring = "cells";  // what the colours mean
    this.readColours();
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  readColours() {
    const palette = paletteOf(this.state);
    this.colours = palette.states;
    this.levels = palette.levels;
    this.pixels = Object.fromEntries(["states", "shades", "levels"].map((name) => [name, Uint32Array.from(palette[name], pixel)]));
    const style = getComputedStyle(document.documentElement);
    this.style = Object.fromEntries(["beyond", "edge", "line", "accent"].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    this.decoded = false;
    this.paint();
  }

  /** The colour where nothing lives. */
  get ground() { return this.raster?.show ? css(this.levels[0]) : this.colourOf(0); }

  /** The colour of a state. */
  colourOf(state) { return css(this.colours[state] ?? this.colours[1]); }

  resize() {
    this.ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * this.ratio));
    this.canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * this.ratio));
    this.size = Math.max(this.minSize, this.size);
    this.ask();
  }

  /** Cell coordinates, with fractions, of a point of the page. */
  cellAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    return { x: this.x + ((clientX - box.left) * this.ratio - this.canvas.width / 2) / this.size,
             y: this.y + ((clientY - box.top) * this.ratio - this.canvas.height / 2) / this.size };
  }

  /** Device pixel coordinates of a cell's corner. */
  pointOf(x, y) {
    return { x: Math.round((x - this.x) * this.size + this.canvas.width / 2),
             y: Math.round((y - this.y) * this.size + this.canvas.height / 2) };
  }

  /** Cells [x, y] on the line between two points of the page, without that of the first. */
  line(from, to) {
    const [a, b] = [from, to].map((point) => this.cellAt(point.x, point.y)).map(({ x, y }) => ({ x: Math.floor(x), y: Math.floor(y) }));
    if (from === to) return [[a.x, a.y]];
    const steps = Math.max(Math.abs(b.x - a.x), Math.abs(b.y - a.y));
    return Array.from({ length: steps }, (_, i) => [Math.round(a.x + (b.x - a.x) * (i + 1) / steps), Math.round(a.y + (b.y - a.y) * (i + 1) / steps)]);
  }

  dragBy(pixelsX, pixelsY) { this.moveBy(pixelsX, pixelsY); }

  moveBy(pixelsX, pixelsY) {
    this.fits = null;
    this.x -= pixelsX * this.ratio / this.size;
    this.y -= pixelsY * this.ratio / this.size;
    this.ask();
  }

  /** Zooms; the cell at that point stays there. */
  zoomBy(factor, clientX, clientY) {
    const size = Math.min(maxSize, Math.max(this.minSize, this.size * factor));
    if (size === this.size) return;
    const at = clientX === undefined ? { x: this.x, y: this.y } : this.cellAt(clientX, clientY);
    const change = this.size / size;
    this.x = at.x + (this.x - at.x) * change;
    this.y = at.y + (this.y - at.y) * change;
    this.size = size;
    this.fits = null;
    this.ask();
  }

  /** Shows a cell in the middle. */
  centre(x, y) {
    Object.assign(this, { x, y, fits: null });
    this.ask();
  }

  /** Shows a box, as large as possible in a part of the window, on a phone between the cards. */
  fit(box, part = fittedPart) {
    const { left, top, width, height } = this.uncovered();
    const wanted = part * Math.min(width / Math.max(box.width, 1), height / Math.max(box.height, 1));
    this.size = Math.min(maxFitted, Math.max(this.minSize, wanted));
    this.x = box.x + box.width / 2 - (left + width / 2 - this.canvas.width / 2) / this.size;
    this.y = box.y + box.height / 2 - (top + height / 2 - this.canvas.height / 2) / this.size;
    this.fits = null;
    this.ask();
  }

  // The part of the canvas, in its pixels, that cards leave free on a phone; all of it on larger screens.
  uncovered() {
    const free = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const cards = matchMedia("(max-width: 760px)").matches ? ["numbers", "dock", "tools", "zoom"] : [];
    for (const card of cards.map((id) => document.getElementById(id).getBoundingClientRect())) {
      if (card.width === 0) continue;
      const stands = card.height > card.width;
      if (stands && card.left < innerWidth / 2) free.left = Math.max(free.left, card.right);
      else if (stands) free.right = Math.min(free.right, card.left);
      else if (card.top < innerHeight / 2) free.top = Math.max(free.top, card.bottom);
      else free.bottom = Math.min(free.bottom, card.top);
    }
    const whole = free.right - free.left < 64 || free.bottom - free.top < 64;
    const { left, top, right, bottom } = whole ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : free;
    return { left: left * this.ratio, top: top * this.ratio, width: (right - left) * this.ratio, height: (bottom - top) * this.ratio };
  }

  // On a large screen a square is two pixels wide or more, because of the limit of a frame
  get minSize() {
    return 2 ** Math.max(0, Math.ceil(Math.log2(this.canvas.width * this.canvas.height / maxSquares) / 2)) / maxScale;
  }

  /** The cell in the middle. */
  get middle() { return { x: Math.floor(this.x), y: Math.floor(this.y) }; }

  get scaleText() {
    const short = (number) => (number >= 100 ? Math.round(number) : Number(number.toPrecision(3)));
    if (this.size < 2 ** -20) return `1:2^${Number((-Math.log2(this.size)).toFixed(1))}`;
    return this.size >= 1 ? `${short(this.size)}:1` : `1:${short(1 / this.size)}`;
  }

  // Requests the visible cells, with a margin if that is inexpensive.
  ask() {
    this.x = Math.min(Math.max(this.x, -maxDistance), maxDistance);
    this.y = Math.min(Math.max(this.y, -maxDistance), maxDistance);
    let scale = Math.max(1, 2 ** Math.ceil(-Math.log2(this.size)));
    while (this.canvas.width / this.size / scale * (this.canvas.height / this.size / scale) > maxSquares) scale *= 2;
    const margin = this.size >= 1 ? 32 : 2;
    const span = (middle, pixels) => {
      const cells = pixels / this.size;
      const first = Math.floor((middle - cells / 2) / scale) - margin;
      const last = Math.ceil((middle + cells / 2) / scale) + margin;
      return [first * scale, last - first];
    };
    const [x, columns] = span(this.x, this.canvas.width), [y, rows] = span(this.y, this.canvas.height);
    if (this.active) this.request({ x, y, columns, rows, scale, ...(this.colouring === "cells" ? {} : { show: this.colouring }) });
    this.paint();
  }

  /** Requests frames of a raster, if those are of another one. */
  request(wanted) {
    if (JSON.stringify(wanted) === JSON.stringify(this.asked)) return;
    this.asked = wanted;
    this.look(wanted);
  }

  /** A new connection has no raster, and sends a complete frame. */
  forget() {
    this.asked = null;
    this.squares = null;
  }

  askAgain() {
    this.forget();
    this.ask();
  }

  /** Shows an update. Frames are received also while another view is shown. */
  show(state, frame, bytes) {
    const other = !this.state || this.state.states !== state.states || String(this.state.colours) !== String(state.colours);
    this.state = state;
    if (other) this.readColours();
    if (frame) {
      if (this.calm && this.raster && this.active) this.beginFade();
      if (frame.delta) {
        for (let i = 0; i < bytes.length; ++i) this.squares[i] ^= bytes[i];
      } else {
        this.squares = bytes.slice();
      }
      this.raster = frame;
      this.decoded = false;
    }
    this.paint();
  }

  decode() {
    this.decoded = true;
    const { columns, rows, bits, scale, show } = this.raster;
    const palette = show ? this.pixels.levels : scale === 1 ? this.pixels.states : this.pixels.shades;
    if (this.picture.width !== columns || this.picture.height !== rows) {
      this.picture.width = columns;
      this.picture.height = rows;
    }
    const context = this.picture.getContext("2d");
    const image = context.createImageData(columns, rows);
    const pixels = new Uint32Array(image.data.buffer);
    const bytes = Math.ceil(columns * bits / 8);
    for (let y = 0; y < rows; ++y) {
      const from = y * bytes, to = y * columns;
      if (bits === 1) {
        for (let x = 0; x < columns; ++x) pixels[to + x] = palette[this.squares[from + (x >> 3)] >> (x & 7) & 1];
      } else if (bits === 4) {
        for (let x = 0; x < columns; ++x) pixels[to + x] = palette[this.squares[from + (x >> 1)] >> 4 * (x & 1) & 15];
      } else {
        for (let x = 0; x < columns; ++x) pixels[to + x] = palette[this.squares[from + x]];
      }
    }
    context.putImageData(image, 0, 0);
  }

  /** The state of a cell by the last frame and the cells drawn since; undefined if unknown. */
  stateAt(x, y) {
    const drawn = this.pending.get(`${x},${y}`);
    if (drawn !== undefined) return drawn;
    const raster = this.raster;
    if (!raster || !this.squares || raster.scale !== 1) return undefined;
    const i = x - raster.x, j = y - raster.y;
    if (i < 0 || j < 0 || i >= raster.columns || j >= raster.rows) return undefined;
    if (raster.show) {
      const isAlive = this.squares[j * raster.columns + i] & 1;  // in its lowest bit
      return isAlive && this.state.states > 2 ? undefined : isAlive;
    }
    const bits = raster.bits, at = j * Math.ceil(raster.columns * bits / 8) + (i * bits >> 3);
    return this.squares[at] >> (i * bits & 7) & (1 << bits) - 1;
  }

  // Calm play: the previous picture fades into the new one.
  beginFade() {
    this.before.width = this.canvas.width;
    this.before.height = this.canvas.height;
    this.before.getContext("2d").drawImage(this.canvas, 0, 0);
    this.fadeFrom = performance.now();
  }

  paint() {
    if (this.waiting || !this.active) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.active) this.paintNow();
    });
  }

  paintNow() {
    const { context, canvas, style, state } = this;
    const bounded = state && state.topology !== "unbounded";
    context.globalAlpha = 1;
    context.fillStyle = bounded ? style.beyond : this.ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    let edge = null;
    if (bounded) {
      const a = this.pointOf(0, 0), b = this.pointOf(state.width, state.height);
      edge = [a.x, a.y, b.x - a.x, b.y - a.y];
      context.fillStyle = this.ground;
      context.fillRect(...edge);
      context.save();
      context.beginPath();
      context.rect(...edge);
      context.clip();
    }
    if (this.raster && this.squares) {
      if (!this.decoded) this.decode();
      const { x, y, columns, rows, scale } = this.raster;
      const square = scale * this.size;
      const left = (x - this.x) * this.size + canvas.width / 2, top = (y - this.y) * this.size + canvas.height / 2;
      // Squares that are a whole number of pixels wide are aligned to pixels; others are sharp if a cell is at least a pixel
      const whole = Number.isInteger(square);
      context.imageSmoothingEnabled = this.size < 1 && !whole;
      context.drawImage(this.picture, whole ? Math.round(left) : left, whole ? Math.round(top) : top, columns * square, rows * square);
    }
    for (const [cell, drawn] of this.pending) {
      const [x, y] = cell.split(",").map(Number);
      const at = this.pointOf(x, y), end = this.pointOf(x + 1, y + 1);
      context.fillStyle = this.colourOf(drawn);
      context.fillRect(at.x, at.y, end.x - at.x, end.y - at.y);
    }
    if (this.size >= 8 * this.ratio) this.paintLines();
    if (edge) {
      context.restore();
      context.strokeStyle = style.edge;
      context.lineWidth = Math.max(1, Math.round(this.ratio));
      if (state.topology === "torus") context.setLineDash([8 * this.ratio, 6 * this.ratio]);
      context.strokeRect(edge[0] - 0.5, edge[1] - 0.5, edge[2] + 1, edge[3] + 1);
      context.setLineDash([]);
    }
    const faded = (performance.now() - this.fadeFrom) / 420;
    if (this.calm && faded < 1) {
      context.globalAlpha = 1 - faded;
      context.drawImage(this.before, 0, 0);
      context.globalAlpha = 1;
      this.paint();
    }
    for (const overlay of this.overlays) overlay(context, this);
    for (const watcher of this.watchers) watcher();
  }

  paintLines() {
    const { context, canvas, style } = this;
    context.fillStyle = style.line;
    const first = { x: Math.floor(this.x - canvas.width / 2 / this.size), y: Math.floor(this.y - canvas.height / 2 / this.size) };
    for (let x = first.x; ; ++x) {
      const at = this.pointOf(x, 0).x;
      if (at > canvas.width) break;
      context.fillRect(at, 0, 1, canvas.height);
    }
    for (let y = first.y; ; ++y) {
      const at = this.pointOf(0, y).y;
      if (at > canvas.height) break;
      context.fillRect(0, at, canvas.width, 1);
    }
  }
}
