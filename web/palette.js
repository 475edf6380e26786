// SPDX-License-Identifier: MIT
// Colours of a world: of its states, and of squares by the number of their live cells.
import { colour } from "./words.js";

const faintest = 0.42;            // brightness of a square with one live cell, relative to a full one
const dimmed = [0.583, 0];        // place between the faintest and a live cell, of the first and the last dying state
const trail = [0.12, 0.5];         // place of trails between dead and the colour of trails, of the oldest and the newest
const firstLive = 104;            // levels below are trails, and dead
const clear = 96;                 // minimum difference of brightness between dead and live squares

function brightness([red, green, blue]) { return 0.3 * red + 0.59 * green + 0.11 * blue; }
function mixed(from, to, part) { return from.map((each, i) => Math.round(each + (to[i] - each) * part)); }
function channels(text) { return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)); }

/** A pixel of ImageData, as a number. */
export function pixel([red, green, blue]) { return (255 << 24 | blue << 16 | green << 8 | red) >>> 0; }

export function css([red, green, blue]) { return `rgb(${red} ${green} ${blue})`; }

let chosen = null;  // colours of the levels; null for those of the page

/** Chooses a palette: its colours as the server has them, "rrggbb" after one another; undefined for the page's own. */
export function choosePalette(text) { chosen = text?.match(/.{6}/g).map((each) => channels(`#${each}`)) ?? null; }

// As the pictures of moorea render
function paletteOfLevels(levels, count, own) {
  const dying = (state) => levels[Math.trunc(192 - Math.trunc((state - 2) * (192 - firstLive) / Math.max(count - 3, 1)))];
  return {
    states: own ?? Array.from({ length: count }, (_, state) => (state === 0 ? levels[0] : state === 1 ? levels[255] : dying(state))),
    shades: Array.from({ length: 16 }, (_, i) => levels[i === 0 ? 0 : firstLive + Math.round((i - 1) * (255 - firstLive) / 14)]),
    levels,
  };
}

/** Colours under the present theme or palette: `states`, one per state of the world's rule; `shades`, of which 0 is a
 * square without live cells and 15 one that is full; and `levels` of squares that are coloured by their past. States
 * without colours of their own fade as their cells die. */
export function paletteOf(world) {
  const count = world?.states ?? 2;
  const own = world?.colours?.map(channels);
  if (chosen) return paletteOfLevels(chosen, count, own);
  const dead = own?.[0] ?? colour("--dead");
  let alive = colour("--alive");
  if (Math.abs(brightness(alive) - brightness(dead)) < clear) alive = brightness(dead) < 128 ? [255, 255, 255] : [0, 0, 0];
  const shade = (part) => mixed(dead, alive, faintest + (1 - faintest) * part);
  const page = colour("--dead"), trails = colour("--trail");
  const levelOfPage = (level) => {
    if (level === 0) return page;
    if (level < firstLive) return mixed(page, trails, trail[0] + (trail[1] - trail[0]) * level / (firstLive - 1));
    return mixed(page, colour("--alive"), faintest + (1 - faintest) * (level - firstLive) / (255 - firstLive));
  };
  const fading = (state) => shade(dimmed[0] + (dimmed[1] - dimmed[0]) * (state - 2) / Math.max(count - 3, 1));
  return {
    states: own ?? Array.from({ length: count }, (_, state) => (state === 0 ? dead : state === 1 ? alive : fading(state))),
    shades: Array.from({ length: 16 }, (_, i) => (i === 0 ? dead : shade((i - 1) / 14))),
    levels: Array.from({ length: 256 }, (_, level) => levelOfPage(level)),
  };
}
