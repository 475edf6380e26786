// SPDX-License-Identifier: MIT
// The system's clipboard. Browsers have no interface to it for pages that came from another machine without encryption, but copy there
// what is selected in a field.

let own = null;  // what could only be copied within this page, until something else is copied

for (const event of ["copy", "cut", "blur"]) addEventListener(event, () => { own = null; });  // (another program may copy without focus here)

function copySelected(text) {
  const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true }), before = document.activeElement;
  field.style.cssText = "position: fixed; inset: 0 auto auto 0; width: 1px; height: 1px; opacity: 0";
  document.body.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    before?.focus?.({ preventScroll: true });
  }
}

/** Copies a text; returns whether the browser has allowed it. If not, ownCopy() has what is kept within the page. */
export async function copyText(text, isKept = false) {
  let copied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copied = copySelected(text);
  }
  if (copied || isKept) own = copied ? null : text;
  return copied;
}

/** The last text that could only be copied within this page; null if another one has been copied since. */
export function ownCopy() { return own; }
