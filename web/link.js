// SPDX-License-Identifier: MIT
// The socket: messages out, events in, and again when it is lost. docs/serve.md tells what is said.

const again = [300, 1000, 2000, 4000, 8000];  // milliseconds until the next try

/** Bytes that were deflated. */
async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Where something lies beside this page: a proxy may serve all of it below a path.
function beside(name) {
  const url = new URL(name, location.href);
  url.hash = url.search = "";
  return url;
}

export class Link {
  /** `on` has hello(event), update(state, frame, bytes), event(event, bytes), up(), down(text). */
  constructor(token, on) {
    this.token = token;
    this.on = on;
    this.tries = 0;
    this.connect();
  }

  connect() {
    const url = beside("socket");
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    // In a header instead of the address, which proxies write into their logs
    const token = /^[0-9A-Za-z]+$/.test(this.token) ? [`token.${this.token}`] : [];
    const socket = new WebSocket(url, ["moorea", ...token]);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    let opened = false;
    let turn = Promise.resolve();
    socket.onopen = () => { opened = true; };
    // One after the other, as unpacking takes its time
    socket.onmessage = (message) => {
      turn = turn.then(() => this.take(message.data)).catch((error) => console.error(error));
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      if (opened && event.reason) this.on.event({ event: "error", text: event.reason });
      this.tell(socket, opened);
      setTimeout(() => this.connect(), again[Math.min(this.tries++, again.length - 1)]);
    };
  }

  // Why there is no connection: nobody is there, or somebody who does not take this link.
  async tell(socket, opened) {
    if (opened) {
      this.on.down("The connection is lost. Trying again\u2026");
      return;
    }
    try {
      await fetch(beside("."), { cache: "no-store" });
      if (this.socket !== socket && this.socket.readyState === WebSocket.OPEN) return;  // it is there again
      this.on.down(this.token ? "This link is not taken: moorea serve printed another one since, or too many are watching."
                              : "This address is not the whole link: open the one that moorea serve printed.");
    } catch {
      this.on.down("moorea serve does not answer. Trying again\u2026");
    }
  }

  async take(data) {
    const length = new DataView(data).getUint32(0, true);
    const event = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    let bytes = new Uint8Array(data, 4 + length);
    if (event.event === "hello") {
      this.on.up();
      this.on.hello(event);
    } else if (event.event === "update") {
      this.tries = 0;  // what this page says is understood
      if (event.frame?.deflated) bytes = await inflate(bytes);
      await this.on.update(event.state, event.frame, bytes);
    } else {
      this.on.event(event, bytes);
    }
  }

  get open() { return this.socket.readyState === WebSocket.OPEN; }

  /** What is to be done, and with what. */
  say(what, members = {}) {
    if (this.open) this.socket.send(JSON.stringify({ do: what, ...members }));
  }

  /** The same with bytes, or with text as such. */
  sayBytes(what, members, bytes) {
    if (!this.open) return;
    this.socket.send(new Blob([JSON.stringify({ do: what, ...members }) + "\n", bytes]));
  }
}
