// SPDX-License-Identifier: MIT
// Shaders of a surface: the colour of a face by the age of its cell, light, and lines between cells that are large
// enough. A second material draws the number of each face as a colour, which finds the face under a pointer.

const vertex = `
precision highp float;
attribute vec3 position;
attribute vec3 normal;
attribute float face;
attribute vec4 side;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform mat3 normalMatrix;
uniform sampler2D cells, before;
uniform vec2 texels;
uniform float part;
uniform vec3 dead, trail, old, young, accent;
varying vec3 colour, turned, at;
varying vec4 sides;
varying float glow;

vec4 look(vec4 state) {
  float age = floor(255.0 * state.r + 0.5);
  float alive = step(127.5, age);
  float fade = age / 127.0;
  vec3 now = mix(mix(dead, trail, 0.6 * fade * fade), mix(old, young, (age - 128.0) / 127.0), alive);
  return vec4(mix(now, accent, 0.75 * state.a), max(alive, 0.5 * state.a));
}

void main() {
  vec2 texel = vec2(mod(face, texels.x) + 0.5, floor(face / texels.x) + 0.5) / texels;
  vec4 shown = mix(look(texture2D(before, texel)), look(texture2D(cells, texel)), part);
  colour = shown.rgb;
  glow = shown.a;
  sides = side;
  turned = normalMatrix * normal;
  vec4 seen = modelViewMatrix * vec4(position, 1.0);
  at = seen.xyz;
  gl_Position = projectionMatrix * seen;
}`;

const fragment = `
precision highp float;
uniform vec3 line;
uniform float ambient;
varying vec3 colour, turned, at;
varying vec4 sides;
varying float glow;

void main() {
  vec3 outward = normalize(turned);
  if (dot(outward, at) > 0.0) outward = -outward;
  vec3 light = normalize(vec3(-0.45, 0.65, 0.75)), towards = -normalize(at);
  float diffuse = max(dot(outward, light), 0.0);
  float shine = pow(max(dot(outward, normalize(light + towards)), 0.0), 40.0);
  float lit = ambient + (1.0 - ambient) * diffuse;
  vec3 shown = colour * mix(lit, 0.55 + 0.45 * lit, glow) + vec3(0.16 * shine * (1.0 - 0.6 * glow));
  // Each side by its own distance between pixels: seen obliquely, two of them may be large enough
  vec4 pixel = fwidth(sides);
  vec4 near = (1.0 - smoothstep(vec4(0.045), vec4(0.045) + 1.2 * pixel, sides)) * (1.0 - smoothstep(vec4(0.06), vec4(0.2), pixel));
  float drawn = max(max(near.x, near.y), max(near.z, near.w));
  gl_FragColor = vec4(mix(shown, line * lit, 0.8 * drawn), 1.0);
}`;

const numberVertex = `
precision highp float;
attribute vec3 position;
attribute float face;
uniform mat4 modelViewMatrix, projectionMatrix;
varying vec3 number;
void main() {
  float one = face + 1.0;
  number = vec3(mod(one, 256.0), mod(floor(one / 256.0), 256.0), floor(one / 65536.0)) / 255.0;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const numberFragment = `
precision highp float;
varying vec3 number;
void main() { gl_FragColor = vec4(number, 1.0); }`;

/** Material of the cells in two textures, between which `part` fades. */
export function cellMaterial(THREE, cells, before) {
  const size = new THREE.Vector2(cells.image.width, cells.image.height);
  const uniforms = { cells: { value: cells }, before: { value: before }, texels: { value: size }, part: { value: 1 }, ambient: { value: 0.3 } };
  for (const name of ["dead", "trail", "old", "young", "accent", "line"]) uniforms[name] = { value: new THREE.Color() };
  return new THREE.RawShaderMaterial({ vertexShader: vertex, fragmentShader: fragment, uniforms, side: THREE.DoubleSide, extensions: { derivatives: true } });
}

/** Material that draws the number of a face, from 1 on, as a colour. */
export function numberMaterial(THREE) {
  return new THREE.RawShaderMaterial({ vertexShader: numberVertex, fragmentShader: numberFragment, side: THREE.DoubleSide });
}
