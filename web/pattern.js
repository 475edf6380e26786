// SPDX-License-Identifier: MIT
// A pattern that is to be placed: its cells where the page can read them (RLE of two states), so that it can be shown,
// turned and mirrored before the server gets it. Any other text goes there as it is.

const mostCells = 1 << 20;

/** {width, height, cells: [[x, y]...]} of RLE, or null for what is none, or is too large to be shown. */
export function readRle(text) {
  const lines = text.split(/\r?\n/).filter((line) => !line.startsWith("#"));
  const header = /^\s*x\s*=\s*(\d+)\s*,\s*y\s*=\s*(\d+)/.exec(lines[0] ?? "");
  const body = (header ? lines.slice(1) : lines).join("");
  if (!header && !/^[\dbo$\s]+!/.test(body)) return null;
  const cells = [];
  let x = 0, y = 0, run = "", width = 0;
  for (const letter of body) {
    if (letter >= "0" && letter <= "9") {
      run += letter;
      continue;
    }
    if (/\s/.test(letter)) continue;
    if (letter === "!") break;
    const count = run === "" ? 1 : Number(run);
    run = "";
    if (letter === "b" || letter === ".") {
      x += count;
    } else if (letter === "$") {
      y += count;
      x = 0;
    } else if (letter === "o" || letter === "A") {
      if (cells.length + count > mostCells) return null;
      for (let i = 0; i < count; ++i) cells.push([x++, y]);
    } else {
      return null;
    }
    width = Math.max(width, x);
  }
  const height = cells.reduce((most, cell) => Math.max(most, cell[1] + 1), 1);
  return { width: Math.max(width, Number(header?.[1] ?? 1)), height: Math.max(height, Number(header?.[2] ?? 1)), cells };
}

export function writeRle({ width, height, cells }) {
  const rows = new Map();
  for (const [x, y] of cells) rows.has(y) ? rows.get(y).push(x) : rows.set(y, [x]);
  const run = (count, letter) => (count === 0 ? "" : count === 1 ? letter : `${count}${letter}`);
  let text = `x = ${width}, y = ${height}\n`, at = 0;
  for (const y of [...rows.keys()].sort((a, b) => a - b)) {
    text += run(y - at, "$");
    at = y;
    let x = 0, alive = 0;
    for (const column of rows.get(y).sort((a, b) => a - b)) {
      if (column !== x + alive) {
        text += run(alive, "o") + run(column - x - alive, "b");
        x = column;
        alive = 0;
      }
      ++alive;
    }
    text += run(alive, "o");
  }
  return `${text}!\n`;
}

/** By a quarter, clockwise. */
export function turned({ width, height, cells }) {
  return { width: height, height: width, cells: cells.map(([x, y]) => [height - 1 - y, x]) };
}

/** Left for right. */
export function mirrored({ width, height, cells }) {
  return { width, height, cells: cells.map(([x, y]) => [width - 1 - x, y]) };
}
