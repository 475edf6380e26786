// SPDX-License-Identifier: MIT
// A pattern that is to be placed: its cells, so that it can be shown, turned and mirrored before the server gets it back.

const mostCells = 1 << 20;

/** {width, height, cells: [[x, y]...]} of the RLE that the server writes, or null where it is too large to be shown. */
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

/** By a quarter, clockwise. */
export function turned({ width, height, cells }) {
  return { width: height, height: width, cells: cells.map(([x, y]) => [height - 1 - y, x]) };
}

/** Left for right. */
export function mirrored({ width, height, cells }) {
  return { width, height, cells: cells.map(([x, y]) => [width - 1 - x, y]) };
}
