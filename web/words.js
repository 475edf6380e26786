// SPDX-License-Identifier: MIT
// Numbers as people read them.

/** 1,234,567; from 10^15 on 1.23e+15. */
export function whole(number) {
  return number < 1e15 ? Math.round(number).toLocaleString("en") : number.toExponential(2);
}

/** 1.23 G */
export function short(number) {
  for (const [unit, size] of [["P", 1e15], ["T", 1e12], ["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (number >= size) return `${(number / size).toPrecision(3)} ${unit}`;
  }
  return number >= 100 ? number.toFixed(0) : number.toPrecision(2).replace(/\.0$/, "");
}

/** Generations a frame, of an exponent of two. */
export function pace(exponent) {
  if (exponent < 0) {
    const seconds = 2 ** -exponent / 30;
    return `1 in ${seconds < 1 ? seconds.toFixed(2) : seconds.toFixed(1)} s`;
  }
  return exponent < 20 ? `${(2 ** exponent).toLocaleString("en")} a frame` : `2^${exponent} a frame`;
}
