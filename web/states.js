// SPDX-License-Identifier: MIT
// The state in which cells are drawn, of worlds with more than two.
import { css, paletteOf } from "./palette.js";

const $ = (id) => document.getElementById(id);

export class States {
  constructor() {
    this.chosen = 1;
    this.count = 2;
    this.drawing = false;
    $("swatches").onkeydown = (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      this.choose((this.chosen - 1 + by + this.count - 1) % (this.count - 1) + 1);
      this.swatch(this.chosen).focus();
    };
  }

  swatch(state) { return $("swatches").children[state - 1]; }

  /** Shows the states of the world's rule, in its colours. */
  update(world) {
    const shown = `${world.states} ${world.colours} ${document.documentElement.className} ${document.documentElement.dataset.palette}`;
    if (shown === this.shown) return;
    this.shown = shown;
    this.count = world.states;
    const colours = paletteOf(world).states;
    $("swatches").replaceChildren(...colours.slice(1).map((colour, i) => {
      const state = i + 1, swatch = document.createElement("button");
      swatch.setAttribute("role", "radio");
      swatch.title = `State ${state}${state < 10 ? ` (${state})` : ""}`;
      swatch.ariaLabel = `State ${state}`;
      swatch.style.setProperty("--swatch", css(colour));
      swatch.onclick = () => this.choose(state);
      return swatch;
    }));
    $("swatches").style.setProperty("--columns", this.count <= 10 ? 1 : this.count <= 25 ? 2 : 8);
    this.choose(this.chosen < this.count ? this.chosen : 1);
  }

  /** Chooses a state, if the rule has it. */
  choose(state) {
    if (state < 1 || state >= this.count) return;
    this.chosen = state;
    $("state-chosen").textContent = state;
    for (const [i, swatch] of [...$("swatches").children].entries()) {
      swatch.setAttribute("aria-checked", String(i + 1 === state));
      swatch.tabIndex = i + 1 === state ? 0 : -1;
    }
    this.show(this.drawing);
  }

  /** Shows the states while cells are drawn. */
  show(drawing) {
    this.drawing = drawing;
    $("states").hidden = !drawing || this.count <= 2;
  }
}
