// SPDX-License-Identifier: MIT
// The state and age of each cell, from successive frames, as bytes for a texture: first the age, from 255 (born just
// now) to 128 for a live cell and from 127 (died just now) to 0 for a dead one; then a mark.

const ageing = 8, fading = 14;  // per frame
const settled = 128, born = 255, died = 127;

// The next byte by [state now][byte before]: at the beginning, of cells that were drawn, and after some generations.
function table(next) { return Uint8Array.from({ length: 512 }, (_, i) => next(i >> 8, i & 255)); }
const begun = table((alive) => (alive ? settled : 0));
const drawn = table((alive, before) => (!alive ? (before < settled ? before : 0) : before < settled ? born : before));
const aged = table((alive, before) => {
  if (alive) return before < settled ? born : Math.max(settled, before - ageing);
  return before >= settled ? died : Math.max(0, before - fading);
});

export const marks = { none: 0, selected: 100, placed: 255 };

export class Ages {
  constructor(cells, width) {
    this.rows = Math.ceil(cells / width);
    this.cells = cells;
    this.bytes = new Uint8Array(2 * width * this.rows);
    this.generation = null;
    this.marked = [];
  }

  /** Reads a frame of the whole world, a bit per cell in rows of whole bytes. `generation` later than that of the frame
   * before: cells age. Earlier: their ages are unknown, and no cell fades. The same: cells that were drawn appear. */
  update(squares, columns, generation) {
    const { bytes } = this, rowBytes = Math.ceil(columns / 8);
    const next = this.generation === null || generation < this.generation ? begun : generation === this.generation ? drawn : aged;
    this.generation = generation;
    let x = 0, row = 0;
    for (let at = 0; at < 2 * this.cells; at += 2) {
      bytes[at] = next[(squares[row + (x >> 3)] >> (x & 7) & 1) << 8 | bytes[at]];
      if (++x === columns) {
        x = 0;
        row += rowBytes;
      }
    }
  }

  /** Shows a cell that was drawn before a frame has it. */
  set(cell, alive) { this.bytes[2 * cell] = alive ? born : 0; }

  /** Replaces the marks: `cells` by mark. */
  mark(cells) {
    for (const cell of this.marked) this.bytes[2 * cell + 1] = marks.none;
    this.marked = [];
    for (const [mark, list] of cells) {
      for (const cell of list) {
        this.bytes[2 * cell + 1] = mark;
        this.marked.push(cell);
      }
    }
  }
}
