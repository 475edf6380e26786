// SPDX-License-Identifier: MIT
// A pattern that is being placed: its cells, so that it can be drawn, rotated and mirrored before it is sent.

const mostCells = 1 << 20;

const perPrefix = 24;  // states of a letter

/** The state of a cell in RLE: b, o and ., or A to X with a prefix p to y for each 24 states. */
function stateOf(tag) {
  if (tag === "o") return 1;
  if (tag === "b" || tag === ".") return 0;
  const letter = tag.charCodeAt(tag.length - 1) - 64;
  return tag.length === 1 ? letter : letter + perPrefix * (tag.charCodeAt(0) - 111);
}

function tagOf(state) {
  const letter = String.fromCharCode(65 + (state - 1) % perPrefix);
  return state > perPrefix ? String.fromCharCode(111 + Math.floor((state - 1) / perPrefix)) + letter : letter;
}

/** Parses the server's RLE to {width, height, cells: [[x, y, state]...]}; null if it is too large to be drawn. */
export function readRle(text, { width, height, population }) {
  if (population > mostCells) return null;
  const body = text.split("\n").filter((line) => !line.startsWith("#")).slice(1).join("").split("!")[0];  // a rule may follow
  const cells = [];
  let x = 0, y = 0;
  for (const [, run, tag] of body.matchAll(/(\d*)([p-y]?[A-X]|[bo.$])/g)) {
    const count = run === "" ? 1 : Number(run);
    if (tag === "$") {
      y += count;
      x = 0;
      continue;
    }
    const state = stateOf(tag);
    if (state === 0) {
      x += count;
    } else {
      for (let i = 0; i < count; ++i) cells.push([x++, y, state]);
    }
  }
  return { width, height, cells };
}

export function writeRle({ width, height, cells }) {
  const rows = new Map();
  for (const [x, y, state] of cells) rows.has(y) ? rows.get(y).push([x, state]) : rows.set(y, [[x, state]]);
  const hasStates = cells.some(([, , state]) => state > 1), dead = hasStates ? "." : "b";
  const run = (count, letter) => (count === 0 ? "" : count === 1 ? letter : `${count}${letter}`);
  let text = `x = ${width}, y = ${height}\n`, at = 0;
  for (const y of [...rows.keys()].sort((a, b) => a - b)) {
    text += run(y - at, "$");
    at = y;
    let x = 0, count = 0, last = 0;
    const put = () => { text += run(count, hasStates ? tagOf(last) : "o"); };
    for (const [column, state] of rows.get(y).sort((a, b) => a[0] - b[0])) {
      if (count > 0 && (column !== x + count || state !== last)) {
        put();
        x += count;
        count = 0;
      }
      if (count === 0) {
        text += run(column - x, dead);
        x = column;
        last = state;
      }
      ++count;
    }
    put();
  }
  // A dead cell tells letters of states from an upper-case b
  return `${text}${hasStates ? "." : ""}!\n`;
}

/** Rotates by 90 degrees, clockwise. */
export function turned({ width, height, cells }) {
  return { width: height, height: width, cells: cells.map(([x, y, state]) => [height - 1 - y, x, state]) };
}

/** Mirrors left and right. */
export function mirrored({ width, height, cells }) {
  return { width, height, cells: cells.map(([x, y, state]) => [width - 1 - x, y, state]) };
}
