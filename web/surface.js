// SPDX-License-Identifier: MIT
// The view of a surface in three dimensions, with the same functions as Screen, the flat view: the tools use either.
// The camera looks at a target from a distance; dragging turns it, two fingers move the target. Frames are those of
// the whole world at one cell per square, which the flat view decodes.
import { Ages, marks } from "./ages.js";
import { cellMaterial, numberMaterial } from "./shade.js";
import { colour } from "./words.js";

const opening = 35;                          // degrees that the camera sees
const tangent = Math.tan(opening / 2 * Math.PI / 180);
const fitted = 1.3 / tangent;                // distance from which the unit sphere is seen whole, above the dock
const raised = 0.05;                         // of the window's height, by which the target is above its middle
const nearest = 0.04, farthest = 4 * fitted;
const maxTexture = 2048;                     // columns; supported by every device with WebGL
const maxRatio = 2;                          // device pixels per pixel of the page that are drawn
const fadeSeconds = 0.42;

export class Surface {
  /** Throws an exception if the browser has no WebGL. `flat` is the other view; `arrays` are those of arraysOf(). */
  constructor(THREE, canvas, flat, arrays, cells) {
    Object.assign(this, { THREE, canvas, flat, cells });
    this.overlays = flat.overlays;
    this.pending = flat.pending;
    this.fits = null;
    this.fadeFrom = 0;
    const attributes = { alpha: true, antialias: true, powerPreference: "high-performance" };
    const context = canvas.getContext("webgl", attributes);
    if (!context) throw new Error("the browser has no WebGL");
    this.renderer = new THREE.WebGLRenderer({ canvas, context, ...attributes });
    this.renderer.setClearColor(0, 0);
    this.maxColumns = Math.min(maxTexture, this.renderer.capabilities.maxTextureSize);
    if (this.renderer.capabilities.maxVertexTextures < 2) throw new Error("the browser's WebGL has no textures for vertices");
    this.camera = new THREE.PerspectiveCamera(opening, 1, 0.1, 10);
    this.target = new THREE.Vector3();
    this.distance = fitted;
    this.turnTo(-0.55, 0.95);
    this.build(arrays);
    this.readColours();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas);
    this.resize();
  }

  build(arrays) {
    const { THREE } = this;
    this.ages = new Ages(this.cells, this.maxColumns);
    const texture = (bytes) => {
      const made = new THREE.DataTexture(bytes, this.maxColumns, this.ages.rows, THREE.LuminanceAlphaFormat, THREE.UnsignedByteType);
      made.needsUpdate = true;
      return made;
    };
    this.texture = texture(this.ages.bytes);
    this.before = texture(new Uint8Array(this.ages.bytes.length));
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(new THREE.BufferAttribute(arrays.index, 1));
    geometry.setAttribute("position", new THREE.BufferAttribute(arrays.position, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(arrays.normal, 4, true));
    geometry.setAttribute("face", new THREE.BufferAttribute(arrays.face, 1));
    geometry.setAttribute("side", new THREE.BufferAttribute(arrays.side, 4, true));
    this.arrays = arrays;
    this.cellMaterial = cellMaterial(THREE, this.texture, this.before);
    this.numberMaterial = numberMaterial(THREE);
    this.shape = new THREE.Mesh(geometry, this.cellMaterial);
    this.shape.frustumCulled = false;
    this.scene = new THREE.Scene();
    this.scene.add(this.shape);
    this.cellWidth = Math.sqrt(arrays.area / this.cells);
  }

  /** Frees the memory of the graphics device. */
  end() {
    this.observer.disconnect();
    for (const each of [this.shape.geometry, this.cellMaterial, this.numberMaterial, this.texture, this.before]) each.dispose();
    this.numbersOnDevice?.dispose();
    this.renderer.dispose();
  }

  get state() { return this.flat.state; }
  get calm() { return this.flat.calm; }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    const { uniforms } = this.cellMaterial;
    for (const [name, from] of Object.entries({ dead: "surface", trail: "trail", old: "old", young: "young", accent: "accent", line: "grid" }))
      uniforms[name].value.fromArray(colour(`--${from}`).map((part) => part / 255));
    uniforms.ambient.value = Number(style.getPropertyValue("--ambient"));
    this.paint();
  }

  resize() {
    this.ratio = Math.min(window.devicePixelRatio || 1, maxRatio);
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.setViewOffset(clientWidth, clientHeight, 0, raised * clientHeight, clientWidth, clientHeight);
    this.numbers = null;
    this.paint();
  }

  // --- the camera

  turnTo(right, down) {
    const { THREE } = this;
    this.camera.quaternion.setFromEuler(new THREE.Euler(down, 0, 0)).premultiply(new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 0, 1), right));
  }

  // Distance at the window's aspect: a narrow one needs a larger one.
  get wide() { return this.distance / Math.min(1, this.camera.aspect); }

  placeCamera() {
    const { camera, target, THREE } = this;
    camera.position.copy(target).add(new THREE.Vector3(0, 0, this.wide).applyQuaternion(camera.quaternion));
    const away = camera.position.length();
    camera.near = Math.max(away - 1.1, 0.01);
    camera.far = away + 1.1;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  // Length on the plane of the target that a pixel of the page covers.
  get pixel() { return 2 * this.wide * tangent / Math.max(this.canvas.clientHeight, 1); }

  // Where the target is on the page.
  get eye() {
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height * (0.5 - raised) };
  }

  /** Turns the surface under the pointer. */
  dragBy(pixelsX, pixelsY) {
    const { THREE, camera } = this;
    // The nearer, the slower: the surface follows the pointer
    const angle = Math.min(0.006, 1.4 * this.pixel);
    camera.quaternion.multiply(new THREE.Quaternion().setFromEuler(new THREE.Euler(-pixelsY * angle, -pixelsX * angle, 0)));
    this.moved();
  }

  /** Moves the surface in the plane of the window. */
  moveBy(pixelsX, pixelsY) {
    this.target.add(new this.THREE.Vector3(-pixelsX * this.pixel, pixelsY * this.pixel, 0).applyQuaternion(this.camera.quaternion));
    this.target.clampLength(0, 1.5);
    this.moved();
  }

  /** Zooms; what is at that point of the page stays there. */
  zoomBy(factor, clientX, clientY) {
    const before = this.distance, { x, y } = this.eye;
    this.distance = Math.min(farthest, Math.max(nearest, before / factor));
    const part = before / this.distance - 1;  // pixels by which the point would move, of its distance from the middle
    if (clientX !== undefined) this.moveBy(-(clientX - x) * part, -(clientY - y) * part);
    this.moved();
  }

  /** Shows the whole surface. */
  fit() {
    this.target.set(0, 0, 0);
    this.distance = fitted;
    this.moved();
  }

  /** Turns the surface so that a cell faces the camera. */
  centre(x, y) {
    const { THREE, camera, arrays } = this;
    const face = Math.floor(x) + Math.floor(y) * this.state.width;
    let vertex = arrays.face.indexOf(face);
    if (vertex < 0) return;
    const normal = new THREE.Vector3(...arrays.normal.subarray(4 * vertex, 4 * vertex + 3)).normalize();
    const forward = new THREE.Vector3(0, 0, 1).applyQuaternion(camera.quaternion);
    camera.quaternion.premultiply(new THREE.Quaternion().setFromUnitVectors(forward, normal));
    this.target.fromArray(arrays.position, 3 * vertex);
    this.moved();
  }

  moved() {
    this.numbers = null;
    this.paint();
  }

  get scaleText() { return `${Math.round(100 * fitted / this.distance)} %`; }

  /** Device pixels that a cell in the middle is wide. */
  get size() { return this.cellWidth / this.pixel * this.ratio; }

  // --- cells under the pointer

  // Draws the number of each pixel's face, once for each position of the camera: a stroke reads many.
  numbersNow() {
    if (this.numbers) return this.numbers;
    const { THREE, renderer, shape } = this, { clientWidth: width, clientHeight: height } = this.canvas;
    if (this.numbersOnDevice?.width !== width || this.numbersOnDevice?.height !== height) {
      this.numbersOnDevice?.dispose();
      this.numbersOnDevice = new THREE.WebGLRenderTarget(width, height, { minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter });
    }
    this.placeCamera();
    shape.material = this.numberMaterial;
    renderer.setRenderTarget(this.numbersOnDevice);
    renderer.clear();
    renderer.render(this.scene, this.camera);
    this.numbers = { width, height, bytes: new Uint8Array(4 * width * height) };
    renderer.readRenderTargetPixels(this.numbersOnDevice, 0, 0, width, height, this.numbers.bytes);
    renderer.setRenderTarget(null);
    shape.material = this.cellMaterial;
    this.paint();
    return this.numbers;
  }

  faceAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect(), { width, height, bytes } = this.numbersNow();
    const x = Math.floor(clientX - box.left), y = height - 1 - Math.floor(clientY - box.top);
    if (x < 0 || y < 0 || x >= width || y >= height) return -1;
    const at = 4 * (y * width + x);
    return bytes[at] + 256 * bytes[at + 1] + 65536 * bytes[at + 2] - 1;
  }

  /** Cell at a point of the page; null where the surface is not. */
  cellAt(clientX, clientY) {
    const face = this.state ? this.faceAt(clientX, clientY) : -1;
    return face < 0 ? null : { x: face % this.state.width, y: Math.floor(face / this.state.width) };
  }

  /** Cells between two points of the page, without that of the first. */
  line(from, to) {
    const steps = Math.max(Math.ceil(Math.hypot(to.x - from.x, to.y - from.y)), 1), found = [];
    let last = from === to ? -1 : this.faceAt(from.x, from.y);
    for (let i = 1; i <= steps; ++i) {
      const face = this.faceAt(from.x + (to.x - from.x) * i / steps, from.y + (to.y - from.y) * i / steps);
      if (face >= 0 && face !== last) found.push([face % this.state.width, Math.floor(face / this.state.width)]);
      last = face;
    }
    return found;
  }

  /** The cell in the middle of the page, or of the world if the surface has a hole there. */
  get middle() {
    return this.cellAt(this.eye.x, this.eye.y) ?? { x: this.state.width >> 1, y: this.state.height >> 1 };
  }

  stateAt(x, y) { return this.flat.stateAt(x, y); }
  colourOf(state) { return this.flat.colourOf(state); }

  /** Marks cells: a selected box and a pattern that is being placed. */
  mark(selection, placing) {
    if (!this.state) return;
    const { width, height } = this.state, lists = [], now = JSON.stringify([selection, placing?.x, placing?.y]);
    if (this.markedAs === now && this.markedCells === placing?.cells) return;
    Object.assign(this, { markedAs: now, markedCells: placing?.cells });
    const inside = (x, y) => x >= 0 && y >= 0 && x < width && y < height;
    if (selection) {
      const cells = [];
      for (let y = selection.y; y < selection.y + selection.height; ++y) for (let x = selection.x; x < selection.x + selection.width; ++x) cells.push(y * width + x);
      lists.push([marks.selected, cells]);
    }
    if (placing) {
      const at = placing.cells.map(([x, y]) => [placing.x + x, placing.y + y]);
      lists.push([marks.placed, at.filter(([x, y]) => inside(x, y)).map(([x, y]) => y * width + x)]);
    }
    this.ages.mark(lists);
    this.texture.needsUpdate = true;
  }

  // --- frames

  /** Requests the whole world. */
  ask() {
    if (this.active && this.state) this.flat.request({ x: 0, y: 0, columns: this.state.width, rows: this.state.height, scale: 1 });
    this.paint();
  }

  askAgain() {
    this.flat.forget();
    this.ask();
  }

  /** Shows an update that the flat view has decoded. */
  show(state) {
    const { raster, squares } = this.flat;
    if (raster && squares && raster.scale === 1 && !raster.show && raster.columns === state.width && raster.rows === state.height) {
      if (this.calm && this.ages.generation !== null) this.beginFade();
      this.ages.update(squares, state.width, state.generation);
      this.texture.needsUpdate = true;
    }
    this.paint();
  }

  // Calm play: the previous picture fades into the new one.
  beginFade() {
    this.before.image.data.set(this.ages.bytes);
    this.before.needsUpdate = true;
    this.fadeFrom = performance.now();
  }

  paint() {
    if (this.waiting || !this.active) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.active) this.paintNow();
    });
  }

  paintNow() {
    for (const overlay of this.overlays) overlay(null, this);
    for (const [cell, drawn] of this.pending) {
      const [x, y] = cell.split(",").map(Number);
      this.ages.set(y * this.state.width + x, drawn !== 0);
      this.texture.needsUpdate = true;
    }
    const faded = (performance.now() - this.fadeFrom) / 1000 / fadeSeconds;
    this.cellMaterial.uniforms.part.value = this.calm ? Math.min(faded, 1) : 1;
    if (this.calm && faded < 1) this.paint();
    this.placeCamera();
    this.renderer.render(this.scene, this.camera);
    for (const watcher of this.flat.watchers) watcher();
  }
}
