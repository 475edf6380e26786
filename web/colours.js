// SPDX-License-Identifier: MIT
// What the colours of the flat view mean, and the palette: chosen here, kept for the next visit. The server draws the
// squares as levels, of which a palette has the colours: 0 is dead, 1 to 103 trails, from 104 on alive.
import { keep, kept } from "./kept.js";
import { choosePalette, paletteOf, css } from "./palette.js";
import { whole } from "./words.js";

const $ = (id) => document.getElementById(id);
const ofPage = { name: "page", summary: "the colours of the page, and those of states" };
// The levels that a scale shows, and its ends
const scales = {
  cells: { levels: [104, 255], ends: ["few", "all alive"] },
  age: { levels: [104, 255], ends: ["new", "old"] },
  trails: { levels: [1, 103, 160, 255], ends: ["died", "born"] },
  activity: { levels: [104, 255], ends: ["rarely", "always"] },
};
const longest = 255;  // of ages, and about of activity
const longestTrail = 103;

function readKept() {
  try {
    return JSON.parse(kept("colours") || "{}") ?? {};
  } catch {
    return {};
  }
}

export class Colours {
  constructor(flat, tell) {
    Object.assign(this, { flat, tell, palettes: [ofPage], colourings: [], shown: "" });
    this.kept = readKept();
    $("colours").onclick = () => this.toggle();
    $("colouring-close").onclick = () => this.toggle(false);
    $("colouring").onkeydown = (event) => {
      if (event.key === "Escape") this.toggle(false);
      event.stopPropagation();
    };
    $("show").onchange = () => this.choose({ show: $("show").value });
    $("palette").onchange = () => this.choose({ palette: $("palette").value });
    flat.overlays.push(() => this.explain());
  }

  /** Receives the colourings and palettes of the server. */
  hello(event) {
    this.colourings = event.colourings;
    this.palettes = [ofPage, ...event.palettes];
    const options = (list) => list.map(({ name, summary }) => Object.assign(new Option(name, name), { title: summary }));
    $("show").replaceChildren(...options(this.colourings));
    $("palette").replaceChildren(...options(this.palettes));
    this.choose(this.kept);
  }

  toggle(open = $("colouring").hidden) {
    $("colouring").hidden = !open;
    $("colours").setAttribute("aria-expanded", String(open));
    this.explain();
    if (open) $("show").focus();
    else if ($("colouring").contains(document.activeElement)) $("colours").focus();
  }

  /** Chooses by names; unknown ones are the first of their kind. */
  choose({ show = this.flat.colouring, palette = this.palette }) {
    const known = (list, name) => (list.find((each) => each.name === name) ?? list[0]).name;
    this.palette = known(this.palettes, palette);
    this.flat.colouring = known(this.colourings, show);
    this.kept = { show: this.flat.colouring, palette: this.palette };
    keep("colours", JSON.stringify(this.kept));
    $("show").value = this.flat.colouring;
    $("palette").value = this.palette;
    $("colours").setAttribute("aria-pressed", String(this.flat.colouring !== "cells"));
    document.documentElement.dataset.palette = this.palette;
    choosePalette(this.palettes.find(({ name }) => name === this.palette).colours);
    this.flat.readColours();
    if (this.flat.active) this.flat.ask();
    this.explain();
  }

  /** Chooses the next colouring, or the next palette. */
  next(kind) {
    const list = kind === "show" ? this.colourings : this.palettes;
    if (list.length < 2) return;
    const at = list.findIndex(({ name }) => name === this.kept[kind]), chosen = list[(at + 1) % list.length];
    this.choose({ [kind]: chosen.name });
    this.tell(`${chosen.name}: ${chosen.summary}`);
  }

  /** Shows the scale, if it is to be seen and has changed. */
  explain() {
    if ($("colouring").hidden) return;
    const { state, raster } = this.flat, show = raster?.show ?? "cells", unit = raster?.unit ?? 0;
    const shown = `${this.flat.active} ${show} ${unit} ${raster?.scale} ${this.palette} ${state?.states} ${state?.colours} ${document.documentElement.className}`;
    if (shown === this.shown) return;
    this.shown = shown;
    const { levels, ends } = scales[show], colours = paletteOf(state).levels;
    const stops = levels.map((level, i) => [level, 100 * i / (levels.length - 1)]);
    $("scale-colours").style.background = `linear-gradient(to right, ${stops.flatMap(([level, at], i) => this.stopsTo(colours, stops[i - 1], level, at)).join(", ")})`;
    [$("scale-first").textContent, $("scale-last").textContent] = ends;
    $("scale-says").textContent = this.sentence(show, unit, raster?.scale ?? 1);
  }

  // Colours on the way from the stop before, as a gradient between its ends alone would not be the palette's
  stopsTo(colours, before, level, at) {
    const parts = before ? 8 : 1;
    return Array.from({ length: parts }, (_, i) => {
      const part = (i + 1) / parts, [from, begin] = before ?? [level, at];
      return `${css(colours[Math.round(from + (level - from) * part)])} ${begin + (at - begin) * part}%`;
    });
  }

  sentence(show, unit, scale) {
    if (!this.flat.active) return "These are for the flat view (V). In three dimensions young cells are brightest, and dead ones fade.";
    if (show === "cells") return scale > 1 ? "The share of live cells in a square." : "Live cells, or states.";
    const each = unit > 1 ? `pictures, ${whole(unit)} generations apart` : "generations";
    const what = {
      age: `How long a cell has been alive, up to ${longest} ${each}.`,
      trails: `New cells, dead ones and their trails, which last ${longestTrail} ${each}.`,
      activity: `How often a cell changed in the last ${longest} ${each}, of which the latest count most.`,
    }[show];
    return scale > 1 ? `${what} A square of ${whole(scale)} x ${whole(scale)} cells changes when the number of its live cells does.` : what;
  }
}
