import { readFileSync } from 'node:fs';
import { inRoot } from './root.mjs';

/** The source of every icon: one wave in two voices, each a path with an id. */
export const iconSource = readFileSync(inRoot('resources', 'icon.svg'), 'utf8');

/**
 * @param {'left' | 'right'} voice
 * @returns {string} its path data, in a 64 × 64 view box
 */
export const voicePath = (voice) => {
  const found = new RegExp(`id="${voice}" d="(?<path>[^"]+)"`, 'u').exec(iconSource);
  if (found?.groups?.['path'] === undefined) throw new Error(`icon.svg has no path ${voice}`);
  return found.groups['path'];
};

/** Sizes of Linux icon themes, in pixels; the macOS and Windows icons use the same pictures. */
export const iconSizes = [16, 22, 24, 32, 48, 64, 128, 256, 512, 1024];

/** @typedef {{ size: number, png: Buffer }} SizedPng */

/**
 * Packs pictures into a Windows icon file (.ico), which may contain PNG since Vista.
 * @param {readonly SizedPng[]} pictures of 256 pixels at most
 * @returns {Buffer}
 */
export const encodeIco = (pictures) => {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  pictures.forEach(({ size, png }, index) => {
    const entry = 6 + 16 * index;
    // The format encodes 256 as 0.
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  });
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
};

/** Chunk types for PNG in a macOS icon file, by size. */
const icnsTypes = new Map([
  [16, ['icp4']],
  [32, ['icp5', 'ic11']],
  [64, ['ic12']],
  [128, ['ic07']],
  [256, ['ic08', 'ic13']],
  [512, ['ic09', 'ic14']],
  [1024, ['ic10']],
]);

/**
 * Packs pictures into a macOS icon file (.icns).
 * @param {readonly SizedPng[]} pictures
 * @returns {Buffer}
 */
export const encodeIcns = (pictures) => {
  const parts = pictures.flatMap(({ size, png }) =>
    (icnsTypes.get(size) ?? []).map((type) => Buffer.concat([icnsHeader(type, png.length), png])),
  );
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([icnsHeader('icns', length), ...parts]);
};

/**
 * @param {string} type
 * @param {number} length
 * @returns {Buffer}
 */
const icnsHeader = (type, length) => {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(length + 8, 4);
  return head;
};
