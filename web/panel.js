// SPDX-License-Identifier: MIT
// The panel: the rule and the world, the patterns that come with Moorea, device and kernel, files.
import { Film } from "./film.js";
import { copyText } from "./clipboard.js";
import { linkOf, remember, remembered } from "./share.js";
import { clipped, maxFileBytes, plainError, short, tooLarge, whole } from "./words.js";

const $ = (id) => document.getElementById(id);
const tabs = ["world", "patterns", "engine", "files"];

export class Panel {
  constructor(link, tools, tell) {
    this.link = link;
    this.tools = tools;
    this.tell = tell;
    this.state = null;
    $("panel-button").onclick = () => this.toggle();
    $("panel-close").onclick = () => this.toggle(false);
    for (const tab of tabs) $(`tab-${tab}`).onclick = () => this.show(tab);
    document.querySelector(".tabs").onkeydown = (event) => this.moveTabs(event);
    $("rule-chip").onclick = () => { if (tools.controls) this.openRule(); };
    this.prepareRule();
    this.prepareWorld();
    $("search").oninput = () => this.listPatterns();
    $("engine-form").onsubmit = (event) => {
      event.preventDefault();
      link.say("engine", { device: $("device").value, kernel: $("kernel").value });
    };
    $("device").onchange = () => this.listKernels();
    $("kernel").onchange = () => this.describeKernel();
    $("file").onchange = () => {
      if ($("file").files[0]) this.open($("file").files[0]);
      $("file").value = "";
    };
    $("paste").onclick = () => {
      this.uncover();
      tools.paste();
    };
    const wants = (use, format) => link.say("save", { use, format });
    $("save").onclick = () => wants("file", $("format").value);
    $("copy-all").onclick = () => wants("copy", "rle");
    $("copy-link").onclick = () => wants("link", "rle");
    $("save-picture").onclick = () => this.savePicture();
    this.film = new Film({
      view: () => tools.screen, watchers: tools.screen.watchers, tell, name: () => this.fileName(), save: (file, name) => this.download(file, name),
    });
    $("copy-audience").onclick = () => {
      this.copy($("audience").value, "copy the selected link", "Copied.", $("audience"));
    };
  }

  toggle(open = $("panel").hidden) {
    $("panel").hidden = !open;
    $("panel-button").setAttribute("aria-expanded", String(open));
  }

  /** Closes the panel if it covers the world, which is to be seen now. */
  uncover() {
    if (matchMedia("(max-width: 760px)").matches) this.toggle(false);
  }

  show(wanted) {
    for (const tab of tabs) {
      $(`tab-${tab}`).setAttribute("aria-selected", String(tab === wanted));
      $(`tab-${tab}`).tabIndex = tab === wanted ? 0 : -1;
      $(`page-${tab}`).hidden = tab !== wanted;
    }
    if (wanted === "engine") this.link.say("kernels");
  }

  moveTabs(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = tabs.findIndex((tab) => `tab-${tab}` === document.activeElement?.id);
    if (!step || at < 0) return;
    event.stopPropagation();
    const next = tabs[(at + step + tabs.length) % tabs.length];
    this.show(next);
    $(`tab-${next}`).focus();
  }

  openRule() {
    this.toggle(true);
    this.show("world");
    $("rule").focus();
    $("rule").select();
  }

  /** Shows the server's rules, devices, formats and patterns. */
  hello(event) {
    this.patterns = event.patterns;
    $("rules").replaceChildren(...event.rules.map(({ name, rule }) => Object.assign(document.createElement("option"), { value: name, label: rule })));
    $("device").replaceChildren(new Option("the fastest", "auto"), ...event.devices.map(({ name, description }) => new Option(`${name}: ${description}`, name)));
    $("format").replaceChildren(...event.formats.map(({ name, summary }) => new Option(summary ? `${name}: ${summary}` : name, name)));
    $("format").value = "rle";
    $("now-version").textContent = event.version;
    if (event.audience_token) $("audience").value = `${location.href.split("#")[0]}#${event.audience_token}`;
    this.listPatterns();
    this.listRemembered();
    this.state = null;
  }

  /** Shows the state. A field follows changes of the world unless it is being edited. */
  update(state) {
    const before = this.state;
    this.state = state;
    $("rule-chip").textContent = state.rule_name || state.rule;
    $("rule-chip").title = this.tools.controls ? `${state.rule} (R)` : state.rule;
    if (!before || before.rule !== state.rule) this.showRule();
    if (!before || before.topology !== state.topology || (state.topology !== "unbounded" && (before.width !== state.width || before.height !== state.height))) {
      this.surface = state.topology === "surface";
      $("edges").hidden = $("resize").hidden = this.surface;
      if (!this.surface) document.querySelector(`[name="topology"][value="${state.topology}"]`).checked = true;
      if (state.topology !== "unbounded") {
        for (const side of ["width", "height"]) if (document.activeElement !== $(side)) $(side).value = state[side];
      }
      this.checkWorld();
    }
    if (!before || before.asked_device !== state.asked_device || before.asked_kernel !== state.asked_kernel) {
      $("device").value = state.asked_device;
      if (this.tools.controls) this.link.say("kernels");
    }
    $("now-mesh-row").hidden = !this.surface;
    if (this.surface) $("now-mesh").textContent = `${state.mesh}, ${whole(state.faces)} faces`;
    $("now-device").textContent = state.device;
    $("now-kernel").textContent = state.kernel;
    $("now-cells").textContent = state.busy ? short(state.cells_per_second) : "stopped";
    $("now-generations").textContent = !state.busy ? "stopped" : state.generations_per_second > 0 ? short(state.generations_per_second) : "\u2026";
    $("now-edge-row").hidden = state.edge_met === undefined;
    if (state.edge_met !== undefined) $("now-edge").textContent = `at generation ${whole(state.edge_met)}`;
    $("now-clients").textContent = whole(state.clients);
  }

  // --- the rule

  prepareRule() {
    const check = () => {
      clearTimeout(this.checking);
      this.checking = setTimeout(() => this.link.say("check", { rule: clipped($("rule").value) }), 120);
    };
    $("rule").oninput = check;
    $("rule-form").onsubmit = (event) => {
      event.preventDefault();
      this.link.say("rule", { rule: clipped($("rule").value) });
      $("rule").blur();
    };
  }

  showRule() {
    if (!this.state || document.activeElement === $("rule")) return;
    $("rule").value = this.state.rule_name || this.state.rule;
    this.ruleSays(this.state.rule_name ? this.state.rule : "", false);
  }

  ruleSays(text, bad) {
    $("rule-says").textContent = text;
    $("rule-says").classList.toggle("bad", bad);
    $("rule").setAttribute("aria-invalid", String(bad));
  }

  /** Shows whether the rule that is being typed is valid. */
  checked(event) {
    if (event.text !== $("rule").value) return;
    if (event.error) this.ruleSays(plainError(event.error), true);
    else this.ruleSays(`${event.rule}${event.name ? `, ${event.name}` : ""}${event.strobes ? ". It inverts the whole world each generation: use calm play" : ""}`, false);
  }

  // --- the world

  prepareWorld() {
    const form = $("world-form");
    form.onsubmit = (event) => {
      event.preventDefault();
      const bounds = this.bounds(), endless = bounds?.topology === "unbounded", seed = endless ? "0" : this.seed();
      if (bounds && seed !== null) this.link.say("make", { ...bounds, density: endless ? 0 : Number($("density").value) / 100, seed });
    };
    form.oninput = () => this.checkWorld();
    $("resize").onclick = () => {
      const bounds = this.bounds();
      if (bounds) this.link.say("resize", bounds);
    };
    $("new-seed").onclick = () => {
      $("seed").value = Math.floor(Math.random() * 1e6);
      this.checkWorld();
    };
    this.checkWorld();
  }

  /** As digits, because numbers are exact only up to 2^53; null if it is none. */
  seed() {
    const digits = $("seed").value.trim();
    return /^\d+$/.test(digits) && BigInt(digits) < 2n ** 64n ? BigInt(digits).toString() : null;
  }

  bounds() {
    if (this.surface) return { topology: "surface" };
    const topology = document.querySelector('[name="topology"]:checked').value;
    const width = Number($("width").value), height = Number($("height").value);
    const good = (side) => Number.isInteger(side) && side >= 1 && side <= 2 ** 31;
    if (topology !== "unbounded" && !(good(width) && good(height))) return null;
    return topology === "unbounded" ? { topology } : { topology, width, height };
  }

  checkWorld() {
    const topology = this.surface ? "surface" : document.querySelector('[name="topology"]:checked').value;
    const endless = topology === "unbounded";
    $("size-fields").hidden = endless || this.surface;
    $("density").disabled = endless;
    $("density-says").textContent = endless ? "(a world without edges begins empty)" : `${$("density").value} %`;
    const bounds = this.bounds(), seeds = endless || this.seed() !== null;
    $("resize").disabled = !bounds;
    $("make").disabled = !bounds || !seeds;
    $("make").textContent = endless ? "Make an empty world" : Number($("density").value) === 0 ? "Make an empty world" : "Make this world";
    const bytes = bounds?.width ? bounds.width * bounds.height / 8 : 0;
    $("make-says").textContent = !bounds ? "A size is two whole numbers from 1 on." : !seeds ? "A seed is a whole number below 2^64." : bytes > 1e8 ? `It takes ${short(bytes)}B a copy.` : "";
    $("make-says").classList.toggle("bad", !bounds || !seeds);
  }

  // --- patterns

  listPatterns() {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const items = this.patterns.filter((each) => words.every((word) => `${each.name} ${each.author} ${each.comment} ${each.rule}`.toLowerCase().includes(word)));
    $("patterns").replaceChildren(...items.map((each) => this.patternItem(each)));
    if (items.length === 0) $("patterns").append(Object.assign(document.createElement("p"), { className: "hint", textContent: "None of them is called so." }));
  }

  patternItem(each) {
    const item = document.createElement("li"), words = document.createElement("div"), both = document.createElement("div");
    words.append(Object.assign(document.createElement("strong"), { textContent: each.name }),
                 Object.assign(document.createElement("p"), { textContent: `${each.comment}${each.author && each.author !== "unknown" ? ` ${each.author}.` : ""}` }));
    const open = Object.assign(document.createElement("button"), { className: "quiet", textContent: "Open", ariaLabel: `Open ${each.name}` });
    open.onclick = () => this.reopen({ name: each.name, file: each.file });
    both.className = "both";
    const place = Object.assign(document.createElement("button"), { className: "quiet", textContent: "Place", ariaLabel: `Place ${each.name} in this world` });
    place.onclick = () => {
      this.uncover();
      this.tools.beginBundled(each.file);
    };
    both.append(open, place);
    item.append(words, both);
    return item;
  }

  /** Shows what was opened before. */
  listRemembered() {
    const entries = remembered();
    $("remembered-section").hidden = entries.length === 0;
    $("remembered").replaceChildren(...entries.map((entry) => {
      const item = document.createElement("li");
      const open = Object.assign(document.createElement("button"), { className: "quiet", textContent: "Open", ariaLabel: `Open ${entry.name} again` });
      open.onclick = () => this.reopen(entry);
      item.append(Object.assign(document.createElement("strong"), { textContent: entry.name }), open);
      return item;
    }));
  }

  reopen(entry) {
    this.opening = entry;
    this.note = "";
    if (entry.file) this.link.say("library", { name: entry.file });
    else this.link.sayBytes("open", { name: clipped(entry.name) }, entry.text);
  }

  // --- device and kernel

  kernelsAre(kernels) {
    this.kernels = kernels;
    this.listKernels();
  }

  listKernels() {
    if (!this.kernels) return;
    const device = $("device").value, backend = device === "auto" ? "" : device.replace(/[:].*/, "");
    const chosen = $("kernel").value || this.state?.asked_kernel || "";
    const options = this.kernels.filter((kernel) => !backend || backend.startsWith(kernel.backend))
                                .map((kernel) => Object.assign(new Option(kernel.name, kernel.name), { disabled: !kernel.runs }));
    $("kernel").replaceChildren(new Option("the fastest", ""), ...options);
    $("kernel").value = options.some((option) => option.value === chosen) ? chosen : "";
    this.describeKernel();
  }

  describeKernel() {
    const kernel = this.kernels?.find((each) => each.name === $("kernel").value);
    const refused = (this.kernels ?? []).filter((each) => !each.runs).length;
    $("kernel-says").textContent = kernel ? kernel.summary : `Moorea chooses.${refused ? ` ${refused} kernels cannot run this rule here.` : ""}`;
  }

  // --- files

  async open(file, note = "") {
    if (file.size > maxFileBytes) {
      this.tell(tooLarge);
      return;
    }
    this.note = note;
    const text = await file.text();
    this.opening = text.includes("\uFFFD") ? null : { name: file.name, text };
    this.link.sayBytes("open", { name: clipped(file.name) }, file);
  }

  /** Receives the name of what the server has opened. */
  opened({ name, rule }) {
    const words = [this.note, rule && `The world has the rule ${rule} of this file.`].filter(Boolean);
    if (words.length > 0) this.tell(words.join(" "));
    this.note = "";
    const entry = this.opening;
    if (!entry || (entry.file ?? clipped(entry.name)) !== name) return;
    remember(entry);
    this.listRemembered();
    this.opening = null;
  }

  /** Opens a pattern that came in a link. */
  openShared(text) { this.reopen({ name: /^#N (.+)$/m.exec(text)?.[1] ?? "a shared world", text }); }

  /** Receives the world as a file, to be saved or copied. */
  async saved(event, bytes) {
    if (event.use === "file") {
      this.download(new Blob([bytes]), event.name);
      return;
    }
    const text = new TextDecoder().decode(bytes);
    if (event.use === "copy") {
      this.copy(text, "save a file instead");
      return;
    }
    const link = await linkOf(text);
    Object.assign($("shared-link"), { value: link ?? "", hidden: true });
    if (link) this.copy(link, "copy the selected link", this.surface ? "Copied. The link has the cells, and opens them on a plane." : undefined, $("shared-link"));
    else this.tell("This world is too large for a link: save it as a file.");
  }

  download(blob, name) {
    const address = URL.createObjectURL(blob);
    Object.assign(document.createElement("a"), { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  savePicture() {
    const { screen } = this.tools;
    screen.paintNow();  // in the same task, as the memory of a surface's picture is cleared afterwards
    screen.canvas.toBlob((blob) => this.download(blob, `${this.fileName()}.png`));
  }

  fileName() { return `${this.state?.name || this.state?.rule_name || "world"}-${this.state?.generation ?? 0}`; }

  // Where that is not allowed, the text is selected in a field, if there is one.
  async copy(text, otherwise, done = "Copied.", field = null) {
    const copied = await copyText(text);
    if (!copied && field) {
      field.hidden = false;
      field.select();
    }
    this.tell(copied ? done : `The browser denies access to the clipboard: ${otherwise}.`);
  }
}
