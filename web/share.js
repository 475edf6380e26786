// SPDX-License-Identifier: MIT
// Worlds that are taken along: links that contain their cells, as RLE that is deflated and written in the letters of
// base64url, and what was opened before.

import { keep, kept } from "./kept.js";

const maxLetters = 100000;  // of a link; browsers and chat programs take less or more
const maxBytes = 4e6;       // of the pattern in a link
const maxText = 50000;      // of a pattern that is remembered
const maxRemembered = 8;

// Throws an exception for more than so many bytes.
async function through(stream, bytes, most = Infinity) {
  const parts = [];
  let size = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > most) throw new Error("too large");
    parts.push(read.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** A link to this page with a pattern, without the secret of this page's own link; null if it would be too long. */
export async function linkOf(pattern) {
  const bytes = await through(new CompressionStream("deflate-raw"), pattern);
  let letters = "";
  for (let i = 0; i < bytes.length; i += 0x8000) letters += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  const text = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return pattern.length > maxBytes || text.length > maxLetters ? null : `${location.href.split("#")[0]}#world=${text}`;
}

/** The letters of the pattern in a link or a fragment; null if there are none. */
export function worldIn(text) { return /^\S*?(?:[#&]|^)world=([\w-]+)\s*$/.exec(text)?.[1] ?? null; }

/** The pattern of such letters. Throws an exception if they are damaged or too many. */
export async function patternOf(letters) {
  if (letters.length > maxLetters) throw new Error("too long");
  const text = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), Uint8Array.from(text, (letter) => letter.charCodeAt(0)), maxBytes));
}

/** What was opened in this browser: {name, text} of a file, {name, file} of a bundled pattern; the last one first. */
export function remembered() {
  try {
    const entries = JSON.parse(kept("opened") || "[]");
    return Array.isArray(entries) ? entries : [];
  } catch {
    return [];
  }
}

export function remember(entry) {
  if ((entry.text?.length ?? 0) > maxText) return;
  const others = remembered().filter((each) => each.name !== entry.name || (!entry.file && each.text !== entry.text));
  keep("opened", JSON.stringify([entry, ...others].slice(0, maxRemembered)));
}
