// SPDX-License-Identifier: MIT
// The system's clipboard. Browsers have no interface to it for pages that came from another machine without encryption, but copy there
// what is selected in a field.

let last = "", isOnlyHere = false;  // what this page has copied, and whether it could only be copied within the page

// Something else has been copied, or may have been by another program
for (const event of ["copy", "cut", "blur"]) addEventListener(event, () => { isOnlyHere = false; });

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

/** Copies a text; returns whether the browser has allowed it. If not, and it is to be kept, it can be pasted in this page. */
export async function copyText(text, isKept = false) {
  let copied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copied = copySelected(text);
  }
  if (copied || isKept) [last, isOnlyHere] = [text, !copied];
  return copied;
}

/** The last text that was copied; null if the system's clipboard has it, or a later one. */
export function ownCopy() { return isOnlyHere ? last : null; }

/** What is to be pasted, as far as the browser tells it; otherwise what this page has copied, or "". */
export async function readText() {
  if (isOnlyHere) return last;
  try {
    const text = await navigator.clipboard.readText();
    return text.trim() ? text : last;
  } catch {
    return last;
  }
}
