// SPDX-License-Identifier: MIT
// Films of the view, as it is painted: GIF, encoded by gif.js in a worker, or a video by the browser's own encoder.
const $ = (id) => document.getElementById(id);

const maxSide = 1280;      // pixels of a film: larger views are halved, or reduced further
const minPause = 40;       // milliseconds between two pictures of a GIF
const maxWaiting = 3;     // pictures that the encoder has not done yet; others are left out
const maxBytes = 200e6;
const bitsPerSecond = 12e6;
const videos = [["mp4", "video/mp4;codecs=avc1.640028"], ["mp4", "video/mp4;codecs=avc1.42E01E"], ["webm", "video/webm;codecs=vp9"], ["webm", "video/webm"]];

/** The kinds of films that this browser records: {ending, type}; the type of a GIF is null. */
export function kinds() {
  const can = globalThis.MediaRecorder ? videos.find(([, type]) => MediaRecorder.isTypeSupported(type)) : null;
  return [{ ending: "gif", type: null }, ...(can ? [{ ending: can[0], type: can[1] }] : [])];
}

export class Film {
  /** `view` returns the view that is shown, `name` the beginning of the file's name, `save` receives it; `watchers` are
   * called when a view has been painted. */
  constructor({ view, name, save, tell, watchers }) {
    Object.assign(this, { view, name, save, tell, encoder: null });
    this.kinds = kinds();
    $("film-kind").replaceChildren(...this.kinds.map(({ ending }) => new Option(ending === "gif" ? "GIF" : ending === "mp4" ? "MP4" : "WebM", ending)));
    for (const id of ["record", "stop-recording"]) $(id).onclick = () => this.toggle();
    watchers.push(() => this.painted());
  }

  toggle() {
    if (this.encoder) this.stop();
    else this.start(this.kinds.find(({ ending }) => ending === $("film-kind").value));
  }

  start(kind) {
    const { width, height } = this.view().canvas, part = Math.ceil(Math.max(width, height) / maxSide);
    this.canvas = document.createElement("canvas");
    // (videos have an even number of columns and rows)
    [this.canvas.width, this.canvas.height] = [width, height].map((side) => Math.max(2, Math.floor(side / part / 2) * 2));
    this.part = part;
    this.size = `${width} ${height}`;
    this.context = this.canvas.getContext("2d", { alpha: false, willReadFrequently: kind.type === null });
    this.kind = kind;
    Object.assign(this, { begin: performance.now(), last: -Infinity, written: 0, waiting: 0 });
    this.encoder = kind.type === null ? this.gifEncoder() : this.videoEncoder();
    this.clock = setInterval(() => this.showTime(), 250);
    this.showTime();
    this.view().paint();
  }

  gifEncoder() {
    const worker = new Worker("gif.js", { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.file) {
        worker.terminate();
        this.ended(data.file);
        return;
      }
      --this.waiting;
      this.grown(data.written);
    };
    worker.onerror = () => {
      worker.terminate();
      this.failed("the encoder of GIF failed");
    };
    worker.postMessage({ begin: { width: this.canvas.width, height: this.canvas.height } });
    const add = () => {
      if (this.waiting >= maxWaiting) return;
      ++this.waiting;
      const pixels = this.context.getImageData(0, 0, this.canvas.width, this.canvas.height).data.buffer;
      worker.postMessage({ pixels, time: Math.round((performance.now() - this.begin) / 10) }, [pixels]);
    };
    return { pause: minPause, add, stop: () => worker.postMessage({}) };
  }

  videoEncoder() {
    const recorder = new MediaRecorder(this.canvas.captureStream(), { mimeType: this.kind.type, videoBitsPerSecond: bitsPerSecond });
    const parts = [];
    recorder.ondataavailable = ({ data }) => {
      parts.push(data);
      this.grown(this.written + data.size);
    };
    recorder.onerror = ({ error }) => {
      recorder.onstop = null;
      this.failed(error?.message ?? "the browser's encoder failed");
    };
    recorder.onstop = () => this.ended(new Blob(parts, { type: this.kind.type.split(";")[0] }));
    recorder.start(1000);
    return { pause: 0, add() {}, stop: () => recorder.stop() };
  }

  // Adds what has just been painted.
  painted() {
    if (!this.encoder || this.stopping) return;
    const { width, height } = this.view().canvas;
    if (`${width} ${height}` !== this.size) {
      this.tell("The view has another size now: the film ends here.");
      this.stop();
      return;
    }
    const now = performance.now();
    if (now - this.last < this.encoder.pause) {
      this.later ??= setTimeout(() => {
        this.later = null;
        this.view().paint();
      }, this.encoder.pause);
      return;
    }
    this.last = now;
    this.copy();
    this.encoder.add();
  }

  copy() {
    const { canvas } = this.view(), { context, part } = this;
    context.imageSmoothingEnabled = false;
    context.fillStyle = "#000";
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(canvas, 0, 0, canvas.width / part, canvas.height / part);
  }

  grown(bytes) {
    this.written = bytes;
    if (bytes > maxBytes && this.encoder && !this.stopping) {
      this.tell("The film is as large as it may be, and ends here.");
      this.stop();
    }
  }

  showTime() {
    const recording = Boolean(this.encoder);
    $("recording").hidden = !recording;
    $("record").textContent = recording ? "Stop" : "Record";
    if (!recording) return;
    const seconds = Math.floor((performance.now() - this.begin) / 1000);
    $("recorded").textContent = this.stopping ? "Completing the film\u2026"
      : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}, ${(this.written / 1e6).toFixed(1)} MB`;
  }

  /** Ends the film, which is then saved. */
  stop() {
    if (!this.encoder || this.stopping) return;
    this.stopping = true;
    this.encoder.stop();
    this.showTime();
  }

  ended(file) {
    this.forget();
    this.save(file, `${this.name()}.${this.kind.ending}`);
  }

  failed(reason) {
    this.forget();
    this.tell(`No film was made: ${reason}.`);
  }

  forget() {
    clearInterval(this.clock);
    this.encoder = null;
    this.stopping = false;
    this.showTime();
  }
}
