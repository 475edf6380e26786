// SPDX-License-Identifier: MIT
// Numbers as people read them.

/** 1,234,567; from 10^15 on 1.23e+15. */
export function whole(number) {
  return number < 1e15 ? Math.round(number).toLocaleString("en") : number.toExponential(2);
}

/** 1.23 G */
export function short(number) {
  const three = Number(number.toPrecision(3));  // before the unit is chosen: 999,999 is 1 M
  for (const [unit, size] of [["P", 1e15], ["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (three >= size) return `${(three / size).toPrecision(3)} ${unit}`;
  }
  return String(Number(number.toPrecision(number < 10 ? 2 : 3)));
}

export const mostFileBytes = 60e6;  // that moorea serve takes in one message, with room to spare
export const tooLarge = "A page can send 60 MB; moorea serve opens larger files itself.";

/** As many whole characters as moorea serve takes of a name or a rule. */
export function clipped(text) {
  const encoder = new TextEncoder(), letters = [...text.toWellFormed?.() ?? text];
  while (encoder.encode(letters.join("")).length > 200) letters.pop();
  return letters.join("");
}

/** An error without the lines that point to a place in a text: they are for letters of one width. */
export function plain(text) {
  return text.split("\n").filter((line) => !line.startsWith("  ") || line.startsWith("  the ")).map((line) => line.trim()).join("\n");
}

/** Generations a frame, of an exponent of two. */
export function pace(exponent) {
  if (exponent < 0) {
    const seconds = 2 ** -exponent / 30;
    return `1 in ${seconds < 1 ? seconds.toFixed(2) : seconds.toFixed(1)} s`;
  }
  return exponent < 20 ? `${(2 ** exponent).toLocaleString("en")} a frame` : `2^${exponent} a frame`;
}
