import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import manifest from './package.json' with { type: 'json' };

const at = (path: string): string => resolve(import.meta.dirname, path);

/** Nothing where there is no history, as in an archive of the sources. */
function commit(): string {
  const given = process.env['PARLEY_COMMIT'];
  if (given !== undefined) return given;
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=10', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : '';
}

/**
 * Nothing is painted before the page's script has run, which puts the theme in its place first. The
 * bundler writes the script's element itself and knows no such attribute.
 */
const themeBeforePaint = {
  name: 'theme-before-paint',
  transformIndexHtml: {
    order: 'post' as const,
    handler: (page: string) =>
      page.replace('<script type="module" crossorigin', '$& blocking="render"'),
  },
};

/**
 * The letters of the first screen are under way as soon as its page is: where they come after the first picture,
 * every line that they change moves.
 */
const fontWithPage: Plugin = {
  name: 'font-with-page',
  transformIndexHtml: {
    order: 'post',
    handler: (_page, { bundle = {} }) => {
      const href = Object.keys(bundle).find((file) => file.includes('inter-latin-wght-normal'));
      if (href === undefined) return [];
      const attrs = {
        rel: 'preload',
        as: 'font',
        type: 'font/woff2',
        crossorigin: '',
        href: `./${href}`,
      };
      return [{ tag: 'link', attrs, injectTo: 'head-prepend' }];
    },
  },
};

/**
 * The engine keeps a program's text with two bytes a letter where one letter of it needs two: a few quotation marks were
 * 0.8 MB of the core and 0.7 of the page. What is in Chinese as a whole is smaller as it is.
 */
const oneByteLetters: Plugin = {
  name: 'one-byte-letters',
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      const wide = file.code.match(/[\u0100-\uffff]/g)?.length ?? 0;
      if (wide < file.code.length / 10)
        file.code = file.code.replaceAll(
          /[\u0100-\uffff]/g,
          (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
    }
  },
};

/**
 * While it is being developed. Editors empty a file before they fill it, and what is there in between is
 * no change; and what starts while something newer is being built still finds what it was built from.
 */
const developing = {
  build: { watch: { buildDelay: 150 }, emptyOutDir: false },
  watch: { awaitWriteFinish: { stabilityThreshold: 60, pollInterval: 20 } },
};

// Targets are set by hand: the tests' Electron carries Node 20.18 and Chromium 130, the shipped one
// newer ones, and what is built must run in both.
export default defineConfig(({ command }) => ({
  main: {
    plugins: [oneByteLetters],
    define: {
      PARLEY_VERSION: JSON.stringify(manifest.version),
      PARLEY_COMMIT: JSON.stringify(commit()),
    },
    build: {
      ...(command === 'serve' ? developing.build : {}),
      target: 'node20.18',
      // What needs no file of its own at run time is among the other dependencies and built in: as text it would be read at each start, and kept.
      externalizeDeps: true,
      rolldownOptions: {
        // The core says none of the page's texts; with them in it each change of one would start it anew.
        external: [/\/page-messages\.ts$/],
        input: {
          main: at('electron/main.ts'),
          'key-helper': at('electron/platform/keys/key-helper.ts'),
          'history-index': at('electron/platform/history/index-worker.ts'),
          browser: at('electron/browser.ts'),
          cli: at('electron/cli.ts'),
          'probe-sound': at('electron/platform/portaudio/probe-sound.ts'),
          'picture-worker': at('electron/platform/pictures/picture-worker.ts'),
        },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          // They are read again at each start, and nobody reads them there.
          comments: false,
          // Names stay, which stand in the stack of a fault.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  },
  preload: {
    build: {
      ...(command === 'serve' ? developing.build : {}),
      target: 'node20.18',
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: at('electron/preload.ts') },
        // A sandboxed preload is loaded as CommonJS and can require nothing but Electron.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('renderer'),
    base: './',
    plugins: [react(), themeBeforePaint, fontWithPage, oneByteLetters],
    server: { watch: developing.watch },
    build: {
      target: 'chrome130',
      outDir: at('out/renderer'),
      emptyOutDir: true,
      minify: true,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: at('renderer/index.html'),
        // What the page begins with is one file: each of twenty was a question to a process that is busy then.
        output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial' as const] }] } },
      },
    },
  },
}));
