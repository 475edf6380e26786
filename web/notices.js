// SPDX-License-Identifier: MIT
// What the page says to its user: a line that goes away, and a reason why nothing else works.

const $ = (id) => document.getElementById(id);
const patience = 1;  // seconds without a first update

const lasting = 500;  // milliseconds for which a line stays at least

let saying, late, since = 0;

/** Shows a line for as long as it takes to read it. */
export function tell(text) {
  $("says").textContent = text;
  $("says").classList.add("shown");
  clearTimeout(saying);
  since = performance.now();
  saying = setTimeout(() => $("says").classList.remove("shown"), Math.max(2500, 60 * text.length));
}

/** Takes the line away: what it was about has succeeded meanwhile. */
export function hush() {
  if (performance.now() - since > lasting) $("says").classList.remove("shown");
}

/** Shows why nothing else works: no connection, or a long step of the server; nothing if the text is empty. */
export function block(text) {
  if ($("connection").textContent === text) return;
  $("connection").textContent = text;
  $("connection").hidden = !text;
}

/** Says that the first update is late, if it is. */
export function awaitUpdate(busy) {
  stopWaiting();
  if (busy) block("moorea serve is busy with a long step; the world is shown when it is complete.");
  else late = setTimeout(() => block("Waiting for the first picture\u2026"), 1000 * patience);
}

export function stopWaiting() { clearTimeout(late); }
