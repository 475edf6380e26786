// SPDX-License-Identifier: MIT
// What the selected cells are, or all of them: the card with the answer of the server, which searches on a copy.
import { plain, whole } from "./words.js";

const $ = (id) => document.getElementById(id);
const maxRows = 12;  // of the table of objects
const settled = ["object", "objects", "settles", "methuselah"];  // kinds whose number of cells lasts

function element(name, text, parent) {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
}

// "period 4, c/2 orthogonal"; empty for a still life.
function motion(found) {
  return [found.period > 1 ? `period ${whole(found.period)}` : "", found.speed].filter(Boolean).join(", ");
}

export class Identify {
  constructor(link, tools, tell) {
    this.link = link;
    this.tools = tools;
    this.tell = tell;
    for (const id of ["identify", "identify-selection"]) $(id).onclick = () => this.ask();
    $("identified-close").onclick = () => this.close();
  }

  get shown() { return !$("identified").hidden; }

  ask() {
    if (!this.link.open) return;
    this.link.say("identify", this.tools.selection ?? {});
    this.show(this.tools.selection ? "Searching for what the selection is\u2026" : "Searching for what the pattern is\u2026");
  }

  close() {
    this.link.say("stop_identifying");
    $("identified").hidden = true;
  }

  /** The answers of an earlier connection do not come. */
  begin() { $("identified").hidden = true; }

  show(text) {
    $("identified-text").textContent = text;
    $("identified-facts").replaceChildren();
    $("identified-objects").replaceChildren();
    $("identified").hidden = false;
  }

  /** Receives the answer. */
  arrived(found) {
    if (!this.shown) return;
    if (found.error) {
      this.show(plain(found.error));
      return;
    }
    this.show(found.text);
    const object = found.kind === "object" ? found.census[0] : null;
    const facts = [["period", found.period > 0 ? whole(found.period) : ""], ["speed", found.speed],
                   ["live cells", settled.includes(found.kind) ? whole(object?.population ?? found.population) : ""], ["apgcode", found.apgcode]];
    for (const [name, value] of facts) {
      if (!value) continue;
      const row = element("div", "", $("identified-facts"));
      element("dt", name, row);
      element("dd", value, row);
    }
    if (object) return;
    for (const entry of found.census.slice(0, maxRows)) {
      const row = element("tr", "", $("identified-objects"));
      element("td", whole(entry.count), row);
      element("td", entry.name || entry.kind, row);
      element("td", motion(entry), row);
      element("td", entry.apgcode, row);
    }
    if (found.census.length <= maxRows) return;
    const rest = element("td", `and ${whole(found.census.length - maxRows)} kinds more`, element("tr", "", $("identified-objects")));
    rest.colSpan = 4;
  }
}
