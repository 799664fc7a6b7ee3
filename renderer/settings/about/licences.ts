export interface Licence {
  readonly name: string;
  /** SPDX identifier. */
  readonly licence: string;
}

/** Shipped components; a test compares them with the packages. */
export const licences: readonly Licence[] = [
  { name: 'Parley', licence: 'Apache-2.0' },
  { name: 'electron', licence: 'MIT' },
  { name: 'naudiodon', licence: 'Apache-2.0' },
  { name: 'PortAudio', licence: 'MIT' },
  { name: 'wasm-vips', licence: 'MIT' },
  { name: 'libvips', licence: 'LGPL-3.0-or-later' },
  { name: 'uiohook-napi', licence: 'MIT' },
  { name: 'libuiohook', licence: 'LGPL-3.0-or-later' },
  { name: 'Silero-VAD', licence: 'MIT' },
  { name: 'node-sqlite3-wasm', licence: 'MIT' },
  { name: 'ws', licence: 'MIT' },
  { name: 'socks', licence: 'MIT' },
  { name: 'proxy-from-env', licence: 'MIT' },
  { name: 'yauzl', licence: 'MIT' },
  { name: 'yazl', licence: 'MIT' },
  { name: 'zod', licence: 'MIT' },
  { name: 'react', licence: 'MIT' },
  { name: 'react-dom', licence: 'MIT' },
  { name: 'radix-ui', licence: 'MIT' },
  { name: 'lucide-react', licence: 'ISC' },
  { name: 'i18next', licence: 'MIT' },
  { name: 'react-i18next', licence: 'MIT' },
  { name: '@tanstack/react-virtual', licence: 'MIT' },
  { name: 'mdast-util-from-markdown', licence: 'MIT' },
  { name: 'mdast-util-gfm', licence: 'MIT' },
  { name: 'micromark-extension-gfm', licence: 'MIT' },
  { name: '@fontsource-variable/inter', licence: 'OFL-1.1' },
];
