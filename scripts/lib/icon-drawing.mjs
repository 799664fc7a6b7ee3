import { readFileSync } from 'node:fs';
import { inRoot } from './root.mjs';

/** What every picture of Parley is made of: one wave of two voices, each by the name of its path. */
export const iconSource = readFileSync(inRoot('resources', 'icon.svg'), 'utf8');

/**
 * @param {'left' | 'right'} voice
 * @returns {string} what an SVG draws of it, in a square of 64
 */
export const voicePath = (voice) => {
  const found = new RegExp(`id="${voice}" d="(?<path>[^"]+)"`, 'u').exec(iconSource);
  if (found?.groups?.['path'] === undefined) throw new Error(`icon.svg has no path ${voice}`);
  return found.groups['path'];
};

/** As Linux's icon themes have them; macOS and Windows take theirs from the same. */
export const iconSizes = [16, 22, 24, 32, 48, 64, 128, 256, 512, 1024];

/** @typedef {{ size: number, png: Buffer }} SizedPng */

/**
 * Windows' file of icons, which since Vista may hold PNG.
 * @param {readonly SizedPng[]} pictures of 256 pixels at most
 * @returns {Buffer}
 */
export const icoOf = (pictures) => {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let at = head.length;
  pictures.forEach(({ size, png }, index) => {
    const entry = 6 + 16 * index;
    // 256 is written as 0.
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += png.length;
  });
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
};

/** macOS' names of what is PNG inside, by size. */
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
 * macOS' file of icons.
 * @param {readonly SizedPng[]} pictures
 * @returns {Buffer}
 */
export const icnsOf = (pictures) => {
  const parts = pictures.flatMap(({ size, png }) =>
    (icnsTypes.get(size) ?? []).map((type) => Buffer.concat([headOf(type, png.length), png])),
  );
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([headOf('icns', length), ...parts]);
};

/**
 * @param {string} type
 * @param {number} length
 * @returns {Buffer}
 */
const headOf = (type, length) => {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(length + 8, 4);
  return head;
};
