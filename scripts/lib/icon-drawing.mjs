import { readFileSync } from 'node:fs';
import { inRoot } from './root.mjs';

/** The source of every icon: a wave of two voices, drawn as paths with the ids `left` and `right`. */
export const iconSource = readFileSync(inRoot('resources', 'icon.svg'), 'utf8');

/**
 * @param {'left' | 'right'} voice
 * @returns {string} its path data, in a 64 × 64 view box
 */
const voicePath = (voice) => {
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

/** @typedef {{ mark: string, quiet: string, sign: string }} IconColours */
/** @typedef {{ size: number, scales: readonly number[], sets: Readonly<Record<string, IconColours>> }} Platform */

/** The tray's states; electron/hosts/desktop/tray-items.ts uses the same names. */
export const trayStates = ['ready', 'live', 'muted', 'paused', 'waiting', 'trouble'];

/**
 * Linux does not report whether its panel is light or dark. The colours `on-both` have a contrast of 3:1 with white and
 * with black; the others have more contrast with a known panel. macOS colours a template icon itself.
 * @type {Readonly<Record<'on-both' | 'on-light' | 'on-dark', IconColours>>}
 */
const panelColours = {
  'on-both': { mark: '#c4572b', quiet: '#7d8590', sign: '#c4572b' },
  'on-light': { mark: '#a8431a', quiet: '#3f4750', sign: '#a8431a' },
  'on-dark': { mark: '#ff9468', quiet: '#dfe3e8', sign: '#ff9468' },
};
/** @type {IconColours} */
const template = { mark: '#000', quiet: '#000', sign: '#000' };

/** @type {Readonly<Record<string, Platform>>} */
export const platforms = {
  linux: { size: 24, scales: [1, 1.5, 2, 3], sets: panelColours },
  win32: { size: 16, scales: [1, 1.25, 1.5, 2, 3], sets: panelColours },
  darwin: { size: 18, scales: [1, 2, 3], sets: { '.': template } },
};

/** The app icon draws the mark on a tile; the tray icon has no tile, so the mark fills the width. */
const fullWidth = 'translate(-4.480 -4.480) scale(1.140)';

/** The centre of a badge, below the mark. */
const badgeCentre = { x: 50, y: 50 };

/** @type {Readonly<Record<string, { lift: number, cutout: string, draw: (colours: IconColours) => string }>>} */
const badges = {
  ready: { lift: 0, cutout: '', draw: () => '' },
  live: {
    lift: 10,
    cutout: '<circle cx="50" cy="50" r="17" fill="#000"/>',
    draw: ({ sign }) =>
      `<circle cx="${badgeCentre.x}" cy="${badgeCentre.y}" r="12" fill="${sign}"/>`,
  },
  waiting: {
    lift: 10,
    cutout: '<circle cx="50" cy="50" r="17" fill="#000"/>',
    draw: ({ quiet }) =>
      `<circle cx="${badgeCentre.x}" cy="${badgeCentre.y}" r="9.5" fill="none" stroke="${quiet}" stroke-width="5"/>`,
  },
  paused: {
    lift: 11,
    cutout: '<rect x="34" y="36" width="30" height="28" fill="#000"/>',
    draw: ({ quiet }) =>
      [40, 52].map((x) => `<rect x="${x}" y="40" width="8" height="24" fill="${quiet}"/>`).join(''),
  },
  trouble: {
    lift: 11,
    cutout: '<rect x="40" y="30" width="20" height="34" fill="#000"/>',
    draw: ({ sign }) =>
      `<rect x="46" y="32" width="8" height="18" rx="3" fill="${sign}"/><circle cx="50" cy="58" r="5" fill="${sign}"/>`,
  },
  muted: {
    lift: 0,
    cutout: '<path d="M12 58 52 6" stroke="#000" stroke-width="15"/>',
    draw: ({ sign }) =>
      `<path d="M12 58 52 6" stroke="${sign}" stroke-width="6" stroke-linecap="round"/>`,
  },
};

/**
 * @param {string} sign
 * @param {IconColours} colours
 * @returns {string} an SVG
 */
export const trayIcon = (sign, colours) => {
  const { lift, cutout, draw } = badges[sign] ?? { lift: 0, cutout: '', draw: () => '' };
  const isLive = sign === 'live';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
  <mask id="cutout" maskUnits="userSpaceOnUse" x="0" y="0" width="64" height="64"><rect width="64" height="64" fill="#fff"/>${cutout}</mask>
  <g mask="url(#cutout)">
    <g transform="translate(0 ${-lift}) ${fullWidth}" fill="none" stroke-width="8" stroke-linecap="round">
    <path d="${voicePath('right')}" stroke="${colours.quiet}"/>
    <path d="${voicePath('left')}" stroke="${isLive ? colours.mark : colours.quiet}"/>
    </g>
  </g>
  ${draw(colours)}
</svg>`;
};
