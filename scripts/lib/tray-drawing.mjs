import { voicePath } from './icon-drawing.mjs';

/** @typedef {{ mark: string, quiet: string, sign: string }} Inks */
/** @typedef {{ size: number, scales: readonly number[], sets: Readonly<Record<string, Inks>> }} Platform */

/** As `electron/hosts/desktop/tray-items.ts` names them. */
export const signs = ['ready', 'live', 'muted', 'paused', 'waiting', 'trouble'];

/**
 * A panel may be light or dark, and on Linux nobody says which. So there are inks that are seen on both (3:1
 * on white and on black), and those for a panel that is known, which are seen better. macOS inks a template by
 * itself.
 * @type {Readonly<Record<'on-both' | 'on-light' | 'on-dark', Inks>>}
 */
export const panelInks = {
  'on-both': { mark: '#c4572b', quiet: '#7d8590', sign: '#c4572b' },
  'on-light': { mark: '#a8431a', quiet: '#3f4750', sign: '#a8431a' },
  'on-dark': { mark: '#ff9468', quiet: '#dfe3e8', sign: '#ff9468' },
};
/** @type {Inks} */
const template = { mark: '#000', quiet: '#000', sign: '#000' };

/** @type {Readonly<Record<string, Platform>>} */
export const platforms = {
  linux: { size: 24, scales: [1, 1.5, 2, 3], sets: panelInks },
  win32: { size: 16, scales: [1, 1.25, 1.5, 2, 3], sets: panelInks },
  darwin: { size: 18, scales: [1, 2, 3], sets: { '.': template } },
};

/** Without the tile that it stands on elsewhere the mark has the whole width. */
const wide = 'translate(-4.480 -4.480) scale(1.140)';

/** Below the mark, which moves up for it. */
const corner = { x: 50, y: 50 };

/** @type {Readonly<Record<string, { up: number, room: string, draw: (inks: Inks) => string }>>} */
const added = {
  ready: { up: 0, room: '', draw: () => '' },
  live: {
    up: 10,
    room: '<circle cx="50" cy="50" r="17" fill="#000"/>',
    draw: ({ sign }) => `<circle cx="${corner.x}" cy="${corner.y}" r="12" fill="${sign}"/>`,
  },
  waiting: {
    up: 10,
    room: '<circle cx="50" cy="50" r="17" fill="#000"/>',
    draw: ({ quiet }) =>
      `<circle cx="${corner.x}" cy="${corner.y}" r="9.5" fill="none" stroke="${quiet}" stroke-width="5"/>`,
  },
  paused: {
    up: 11,
    room: '<rect x="34" y="36" width="30" height="28" fill="#000"/>',
    draw: ({ quiet }) =>
      [40, 52].map((x) => `<rect x="${x}" y="40" width="8" height="24" fill="${quiet}"/>`).join(''),
  },
  trouble: {
    up: 11,
    room: '<rect x="40" y="30" width="20" height="34" fill="#000"/>',
    draw: ({ sign }) =>
      `<rect x="46" y="32" width="8" height="18" rx="3" fill="${sign}"/><circle cx="50" cy="58" r="5" fill="${sign}"/>`,
  },
  muted: {
    up: 0,
    room: '<path d="M12 58 52 6" stroke="#000" stroke-width="15"/>',
    draw: ({ sign }) =>
      `<path d="M12 58 52 6" stroke="${sign}" stroke-width="6" stroke-linecap="round"/>`,
  },
};

/**
 * @param {string} sign
 * @param {Inks} inks
 * @returns {string} an SVG
 */
export const trayIcon = (sign, inks) => {
  const { up, room, draw } = added[sign] ?? { up: 0, room: '', draw: () => '' };
  const speaking = sign === 'live';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
  <mask id="room" maskUnits="userSpaceOnUse" x="0" y="0" width="64" height="64"><rect width="64" height="64" fill="#fff"/>${room}</mask>
  <g mask="url(#room)">
    <g transform="translate(0 ${-up}) ${wide}" fill="none" stroke-width="8" stroke-linecap="round">
    <path d="${voicePath('right')}" stroke="${inks.quiet}"/>
    <path d="${voicePath('left')}" stroke="${speaking ? inks.mark : inks.quiet}"/>
    </g>
  </g>
  ${draw(inks)}
</svg>`;
};
