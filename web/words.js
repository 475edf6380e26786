// SPDX-License-Identifier: MIT
// Formats of numbers and texts.

/** 1,234,567; from 10^15 on 1.23e+15. Numbers beyond 2^53 come as texts of their digits, of which up to 24 are shown. */
export function whole(number) {
  if (typeof number === "string") return number.length <= 24 ? BigInt(number).toLocaleString("en") : Number(number).toExponential(2);
  return number < 1e15 ? Math.round(number).toLocaleString("en") : number.toExponential(2);
}

/** 1.23 G, with three digits. */
export function short(number) {
  const three = Number(number.toPrecision(3));  // before the unit is chosen: 999,999 is 1 M
  for (const [unit, size] of [["P", 1e15], ["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (three >= size) return `${(three / size).toPrecision(3)} ${unit}`;
  }
  return String(Number(number.toPrecision(number < 10 ? 2 : 3)));
}

/** The first line of an error message, and the rule that is suggested. */
export function plainError(text) {
  const [first, ...lines] = text.split("\n"), nearest = lines.find((line) => line.includes("the nearest rule"));
  return nearest ? `${first}; ${nearest.trim()}` : first;
}

export const lastGeneration = 2 ** 53 - 1;  // numbers are exact up to it

/** The generation that a text names, as 1000, 10k, 1.5M, 2^20, or +100 and -100 from the present one; null if it names none. */
export function generationOf(text, present) {
  const [, sign, number, power, unit] = /^\s*([+-]?)\s*([\d.,]+(?:e\d+)?)(?:\^(\d+))?\s*([kmgt]?)\s*$/i.exec(text) ?? [];
  if (number === undefined) return null;
  const base = Number(number.replaceAll(",", ""));
  const value = (power === undefined ? base : base ** Number(power)) * { "": 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 }[unit.toLowerCase()];
  const wanted = sign === "+" ? present + value : sign === "-" ? present - value : value;
  return Number.isSafeInteger(wanted) ? wanted : null;
}

export const maxFileBytes = 60e6;  // of one message to moorea serve, with a margin
export const tooLarge = "A page can send 60 MB; moorea serve opens larger files itself.";

/** Shortens a name or a rule to the length that moorea serve accepts, in whole characters. */
export function clipped(text) {
  const encoder = new TextEncoder(), letters = [...text.toWellFormed?.() ?? text];
  while (encoder.encode(letters.join("")).length > 200) letters.pop();
  return letters.join("");
}

/** Removes the lines of an error that point to a place in a text, which need a monospaced font. */
export function plain(text) {
  return text.split("\n").filter((line) => !line.startsWith("  ") || line.startsWith("  the ")).map((line) => line.trim()).join("\n");
}

/** Red, green and blue, 0 to 255, of a colour of style.css. */
export function colour(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
}

/** Generations per frame, from an exponent of two. With hyperspeed they become more. */
export function pace(exponent, hyperspeed) {
  if (hyperspeed) return `${pace(exponent, false)} \u2197`;
  if (exponent < 0) {
    const seconds = 2 ** -exponent / 30;
    return `1 in ${seconds < 1 ? seconds.toFixed(2) : seconds.toFixed(1)} s`;
  }
  return exponent < 20 ? `${(2 ** exponent).toLocaleString("en")} a frame` : `2^${exponent} a frame`;
}
