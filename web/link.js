// SPDX-License-Identifier: MIT
// The WebSocket: sends messages, receives events and reconnects. docs/serve.md describes the protocol.

const again = [300, 1000, 2000, 4000, 8000];  // milliseconds until the next attempt

/** Decompresses bytes (zlib). */
async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The address of a resource of this page's server, relative to the page: a proxy may serve it below a path.
function addressOf(name) {
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
    const url = addressOf("socket");
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    // The token is in a header, because proxies write addresses to their logs
    const token = /^[0-9A-Za-z]+$/.test(this.token) ? [`token.${this.token}`] : [];
    const socket = new WebSocket(url, ["moorea", ...token]);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    let opened = false;
    let turn = Promise.resolve();
    socket.onopen = () => { opened = true; };
    // In order, although decompression is asynchronous
    socket.onmessage = (message) => {
      turn = turn.then(() => this.take(message.data)).catch((error) => console.error(error));
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      if (opened && event.reason) this.on.event({ event: "error", text: event.reason });
      this.explain(socket, opened);
      setTimeout(() => this.connect(), again[Math.min(this.tries++, again.length - 1)]);
    };
  }

  // Reports why there is no connection: no server answers, or the server refuses this link.
  async explain(socket, opened) {
    if (opened) {
      this.on.down("The connection is lost. Trying again\u2026");
      return;
    }
    try {
      await fetch(addressOf("."), { cache: "no-store" });
      if (this.socket !== socket && this.socket.readyState === WebSocket.OPEN) return;  // reconnected meanwhile
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
      this.tries = 0;  // the server accepts this page's messages
      if (event.frame?.deflated) bytes = await inflate(bytes);
      await this.on.update(event.state, event.frame, bytes);
    } else {
      if (event.deflated) bytes = await inflate(bytes);
      this.on.event(event, bytes);
    }
  }

  get open() { return this.socket.readyState === WebSocket.OPEN; }

  /** Sends a message with its members. */
  say(what, members = {}) {
    if (this.open) this.socket.send(JSON.stringify({ do: what, ...members }));
  }

  /** Sends a message that is followed by bytes or text. */
  sayBytes(what, members, bytes) {
    if (!this.open) return;
    this.socket.send(new Blob([JSON.stringify({ do: what, ...members }) + "\n", bytes]));
  }
}
