import { join, resolve } from 'node:path';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '../../..');

/** Builds the listener with the key helper, like the product; returns the file to start. */
export async function buildKeyListener(folder: string): Promise<string> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    define: { PARLEY_VERSION: JSON.stringify('0.0.0') },
    build: {
      ssr: true,
      outDir: folder,
      target: 'node20.18',
      rolldownOptions: {
        input: {
          'key-listener': join(root, 'test/e2e/keys/key-listener.ts'),
          'key-helper': join(root, 'electron/platform/keys/key-helper.ts'),
        },
        external: ['electron', 'uiohook-napi', /\/page-messages\.ts$/],
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  return join(folder, 'key-listener.js');
}
