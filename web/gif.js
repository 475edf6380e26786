// SPDX-License-Identifier: MIT
// Encoder of animated GIF (GIF89a), run as a worker: it receives pictures and sends the parts of the file. A picture is
// the rectangle that changed, with a table of its own colours: exact up to 256, else those with fewer bits per channel.

const loops = [0x21, 0xff, 11, ...new TextEncoder().encode("NETSCAPE2.0"), 3, 1, 0, 0, 0];  // without end
const end = 0x3b;
const maxColours = 256;
const lastDelay = 100;     // hundredths of a second that the last picture stays
const maxDelay = 65535;

function short(number) { return [number & 255, number >> 8]; }

/** The rectangle in which two pictures differ; null if they are the same. Without a picture before it is all. */
export function changed(pixels, before, width, height) {
  if (!before) return { x: 0, y: 0, width, height };
  let left = width, right = -1, top = -1, bottom = -1;
  for (let y = 0; y < height; ++y) {
    const row = y * width;
    let first = 0, last = width - 1;
    while (first < width && pixels[row + first] === before[row + first]) ++first;
    if (first === width) continue;
    while (pixels[row + last] === before[row + last]) --last;
    left = Math.min(left, first);
    right = Math.max(right, last);
    if (top < 0) top = y;
    bottom = y;
  }
  return right < 0 ? null : { x: left, y: top, width: right + 1 - left, height: bottom + 1 - top };
}

/** Colours of a rectangle, and the number of its colour for each pixel. */
export function indexed(pixels, width, box) {
  for (let bits = 8; ; --bits) {
    const part = 0xff << (8 - bits) & 0xff, mask = part << 16 | part << 8 | part;
    const numbers = new Map(), indices = new Uint8Array(box.width * box.height);
    let to = 0, last = -1, number = 0;
    scan: for (let y = box.y; y < box.y + box.height; ++y) {
      for (let x = box.x; x < box.x + box.width; ++x) {
        const colour = pixels[y * width + x] & mask;
        if (colour !== last) {
          last = colour;
          number = numbers.get(colour);
          if (number === undefined) {
            number = numbers.size;
            if (number === maxColours) break scan;
            numbers.set(colour, number);
          }
        }
        indices[to++] = number;
      }
    }
    if (to === indices.length) return { colours: [...numbers.keys()], indices };
  }
}

// Codes of GIF's LZW by prefix and next byte. An entry has the number of its dictionary, so that none is ever cleared.
const codes = new Uint32Array(1 << 20), maxCode = 4096;
let dictionary = 0;

function newDictionary() {
  if (++dictionary < 1 << 20) return;
  codes.fill(0);
  dictionary = 1;
}

/** Compresses the numbers of colours, of `bits` bits, into blocks as GIF has them. */
export function compressed(indices, bits) {
  const bytes = [bits], clear = 1 << bits;
  let block = [], waiting = 0, held = 0, size = bits + 1, next = clear + 2;
  const flush = () => {
    bytes.push(block.length);
    for (const byte of block) bytes.push(byte);
    block = [];
  };
  const emit = (code) => {
    waiting |= code << held;
    held += size;
    while (held >= 8) {
      block.push(waiting & 255);
      if (block.length === 255) flush();
      waiting >>>= 8;
      held -= 8;
    }
  };
  newDictionary();
  emit(clear);
  let prefix = indices[0];
  for (let i = 1; i < indices.length; ++i) {
    const at = prefix << 8 | indices[i], known = codes[at];
    if (known >>> 12 === dictionary) {
      prefix = known & 4095;
      continue;
    }
    emit(prefix);
    prefix = indices[i];
    if (next === maxCode) {
      emit(clear);
      newDictionary();
      size = bits + 1;
      next = clear + 2;
    } else {
      if (next >= 1 << size) ++size;
      codes[at] = (dictionary << 12 | next++) >>> 0;
    }
  }
  emit(prefix);
  emit(clear + 1);
  if (held > 0) block.push(waiting & 255);
  if (block.length > 0) flush();
  bytes.push(0);
  return bytes;
}

export class Gif {
  constructor(width, height) {
    Object.assign(this, { width, height, before: null, waiting: null, written: 0 });
    this.parts = [Uint8Array.from([...new TextEncoder().encode("GIF89a"), ...short(width), ...short(height), 0x70, 0, 0, ...loops])];
  }

  /** Adds a picture, 32 bits a pixel, that is shown from `time` on, in hundredths of a second since the first one. */
  add(pixels, time) {
    const box = changed(pixels, this.before, this.width, this.height);
    if (!box) return;
    this.flush(time);
    const { colours, indices } = indexed(pixels, this.width, box);
    const bits = Math.max(1, Math.ceil(Math.log2(colours.length)));
    const table = new Uint8Array(3 << bits);
    colours.forEach((colour, i) => table.set([colour & 255, colour >> 8 & 255, colour >> 16 & 255], 3 * i));
    this.waiting = {
      time,
      bytes: [0x2c, ...short(box.x), ...short(box.y), ...short(box.width), ...short(box.height), 0x80 | bits - 1],
      table, data: Uint8Array.from(compressed(indices, Math.max(2, bits))),
    };
    this.before = pixels;
  }

  // Writes the picture that waits for its duration, which ends at `time`.
  flush(time) {
    if (!this.waiting) return;
    const { time: begin, bytes, table, data } = this.waiting;
    this.parts.push(Uint8Array.from([0x21, 0xf9, 4, 4, ...short(Math.min(maxDelay, Math.max(2, time - begin))), 0, 0, ...bytes]), table, data);
    this.written += table.length + data.length + 18;
    this.waiting = null;
  }

  /** The file. */
  finish() {
    if (this.waiting) this.flush(this.waiting.time + lastDelay);
    this.parts.push(Uint8Array.of(end));
    return new Blob(this.parts, { type: "image/gif" });
  }
}

let gif = null;
// (a page that imports this file has a document; a worker has none)
if (typeof document === "undefined") {
  onmessage = ({ data }) => {
    if (data.begin) gif = new Gif(data.begin.width, data.begin.height);
    else if (data.pixels) {
      gif.add(new Uint32Array(data.pixels), data.time);
      postMessage({ written: gif.written });
    } else postMessage({ file: gif.finish() });
  };
}
