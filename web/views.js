// SPDX-License-Identifier: MIT
// The views of a world: flat, and of a surface also in three dimensions. three.js and the geometry are loaded when a
// surface is first seen; without them, or without WebGL, the surface is shown flat.

const $ = (id) => document.getElementById(id);
const without = "This moorea serve was built without three.js: the surface is shown flat, a row of its faces after the other.";

export class Views {
  /** `link` sends, `tell` shows a message, `use` is called with the view that is shown from now on. */
  constructor(flat, link, tell, use) {
    Object.assign(this, { flat, link, tell, use, current: flat, surface: null, asked: false, three: false });
    $("view").onclick = () => this.toggle();
  }

  /** Another process may have another surface. */
  hello(event, isOther) {
    this.three = event.three;
    if (isOther) this.forget();
    this.current.askAgain();
  }

  forget() {
    this.asked = false;
    $("view").hidden = true;
    if (!this.surface) return;
    this.show(this.flat);
    this.fitted = false;
    this.surface.end();
    this.surface = null;
    // A canvas keeps the context that was made for it
    const fresh = $("surface").cloneNode();
    $("surface").replaceWith(fresh);
  }

  /** Shows an update. */
  update(state, frame, bytes) {
    this.flat.show(state, frame, bytes);
    if (this.current !== this.flat) this.current.show(state);
    if (state.mesh === undefined || this.asked) return;
    this.asked = true;
    if (!this.three) this.tell(without);
    else this.link.say("mesh");
  }

  /** Receives the geometry of the surface. */
  async arrived(event, bytes) {
    try {
      const [{ Surface }, { arraysOf, readMesh }] = await Promise.all([import("./surface.js"), import("./mesh.js"), import("./three.min.js")]);
      this.surface = new Surface(globalThis.THREE, $("surface"), this.flat, arraysOf(readMesh(event, bytes)), event.faces);
    } catch (error) {
      this.tell(`The surface is shown flat: ${error.message}.`);
      return;
    }
    $("view").hidden = false;
    this.show(this.surface);
  }

  toggle() {
    if (this.surface) this.show(this.current === this.flat ? this.surface : this.flat);
  }

  show(view) {
    this.current.active = false;
    view.active = true;
    this.current = view;
    const flat = view === this.flat;
    $("world").hidden = !flat;
    $("surface").hidden = flat;
    $("view").setAttribute("aria-pressed", String(!flat));
    this.use(view);
    view.resize();
    // The first box of live cells was for the view that was shown then
    if (flat && !this.fitted) this.flat.fit({ x: 0, y: 0, width: this.flat.state.width, height: this.flat.state.height });
    this.fitted = this.fitted || flat;
    view.ask();
    if (this.flat.state) view.show(this.flat.state);
  }
}
