// SPDX-License-Identifier: MIT
// A pattern that is being placed: its cells, so that it can be drawn, rotated and mirrored before it is sent.

const mostCells = 1 << 20;

/** Parses the server's RLE to {width, height, cells: [[x, y]...]}; null if it is too large to be drawn. */
export function readRle(text, { width, height, population }) {
  if (population > mostCells) return null;
  const body = text.split("\n").filter((line) => !line.startsWith("#")).slice(1).join("");
  const cells = [];
  let x = 0, y = 0;
  for (const [, run, letter] of body.matchAll(/(\d*)([bo$])/g)) {
    const count = run === "" ? 1 : Number(run);
    if (letter === "$") {
      y += count;
      x = 0;
    } else if (letter === "b") {
      x += count;
    } else {
      for (let i = 0; i < count; ++i) cells.push([x++, y]);
    }
  }
  return { width, height, cells };
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

/** Rotates by 90 degrees, clockwise. */
export function turned({ width, height, cells }) {
  return { width: height, height: width, cells: cells.map(([x, y]) => [height - 1 - y, x]) };
}

/** Mirrors left and right. */
export function mirrored({ width, height, cells }) {
  return { width, height, cells: cells.map(([x, y]) => [width - 1 - x, y]) };
}
