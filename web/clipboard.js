// SPDX-License-Identifier: MIT
// The system's clipboard. Browsers have no interface to it for pages that came from another machine without encryption, but copy there
// what is selected in a field.

function copySelected(text) {
  const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true }), before = document.activeElement;
  field.style.cssText = "position: fixed; inset: 0 auto auto 0; width: 1px; height: 1px; opacity: 0";
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  before?.focus?.({ preventScroll: true });
  return copied;
}

/** Copies a text; returns whether the browser has allowed it. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}
