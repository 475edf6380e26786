// SPDX-License-Identifier: MIT
// What a browser keeps for the next visit, as texts; nothing if it is not allowed to, or has no room.

export function kept(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // The page works without it
  }
}
