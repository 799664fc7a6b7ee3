import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin, Rolldown } from 'vite';
import manifest from './package.json' with { type: 'json' };

const at = (path: string): string => resolve(import.meta.dirname, path);

/** Empty in an archive of the sources, which has no git history. */
function commit(): string {
  const fromEnvironment = process.env['PARLEY_COMMIT'];
  if (fromEnvironment !== undefined) return fromEnvironment;
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=10', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : '';
}

/**
 * Blocks the first paint until the page's script has applied the theme. The bundler writes the script element and has
 * no option for it.
 */
const themeBeforePaint = {
  name: 'theme-before-paint',
  transformIndexHtml: {
    order: 'post' as const,
    handler: (page: string) =>
      page.replace('<script type="module" crossorigin', '$& blocking="render"'),
  },
};

/** Preloads the font of the first screen. A font that arrives after the first paint moves every line. */
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
 * V8 stores a script with two bytes a character if one character needs two: a few quotation marks cost 0.8 MB in the
 * core and 0.7 in the page. Scripts that are mostly Chinese are smaller unescaped.
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
 * For the dev server. Editors empty a file before they write it, so changes wait until the file is stable. Old output
 * stays, so that a program that is starting finds the files it was built with.
 */
const developing = {
  build: { watch: { buildDelay: 150 }, emptyOutDir: false },
  watch: { awaitWriteFinish: { stabilityThreshold: 60, pollInterval: 20 } },
};

const pages = { index: at('renderer/index.html'), small: at('renderer/small.html') };

/**
 * Names the file of a module that the main page loads at its start. Modules that the small page loads, then or later, are in
 * other files, because the file of an entry would run that entry.
 */
function startFile(id: string, graph: Rolldown.ChunkingContext): string | null {
  const loaders = (...kinds: readonly ('importers' | 'dynamicImporters')[]): Set<string> => {
    const found = new Set([id]);
    for (const each of found)
      for (const kind of kinds)
        for (const importer of graph.getModuleInfo(each)?.[kind] ?? []) found.add(importer);
    return found;
  };
  const atStart = loaders('importers');
  if (!atStart.has(pages.index)) return null;
  if (atStart.has(pages.small)) return 'shared';
  return loaders('importers', 'dynamicImporters').has(pages.small) ? 'shared-later' : 'page';
}

const startGroup = (name: string, priority: number) => ({
  name: (id: string, graph: Rolldown.ChunkingContext) =>
    startFile(id, graph) === name ? name : null,
  priority,
});

// The output must run in the tests' Electron (Node 20.18, Chromium 130) and in the newer one that ships.
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
      // Pure JavaScript packages are dev dependencies and bundled: as separate text they would be read at
      // each start and kept in memory.
      externalizeDeps: true,
      rolldownOptions: {
        // The core uses none of the page's texts; with them in its graph each change of a text would restart
        // it.
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
          // Comments cost time at each start.
          comments: false,
          // Names stay for stack traces.
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
        input: pages,
        // Few files for the start: twenty were twenty requests to a busy process. All styles are in one file, so that they
        // apply in the same order in both pages.
        output: {
          codeSplitting: {
            groups: [
              { name: 'style', test: /\.css$/, tags: ['$initial' as const], priority: 3 },
              startGroup('shared', 2),
              startGroup('shared-later', 1),
              startGroup('page', 0),
            ],
          },
        },
      },
    },
  },
}));
