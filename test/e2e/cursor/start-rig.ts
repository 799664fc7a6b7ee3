import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import type { Lifetime } from '../../../shared/lifetime.ts';
import type { RigRequest } from './programs-rig.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Builds programs-rig.ts, a small Electron app with text fields, like the product. Returns the file to start. */
export async function buildRig(folder: string): Promise<string> {
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
          'programs-rig': join(root, 'test/e2e/cursor/programs-rig.ts'),
        },
        external: ['electron', /\/page-messages\.ts$/],
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  return join(folder, 'programs-rig.js');
}

const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** Returns a function that sends a request and returns the answer. */
export async function startRig(
  lifetime: Lifetime,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<(request: RigRequest) => Promise<unknown>> {
  // Required late, because the module looks for an installed runtime.
  const electron = createRequire(import.meta.url)('electron') as string;
  const child = spawn(electron, [...flags, file], {
    env: environment,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  lifetime.add(async () => {
    const exit = once(child, 'exit');
    if (child.kill('SIGKILL')) await exit;
  });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    for (;;) {
      const line = await answers.next();
      if (line.done === true) throw new Error('The rig ended.');
      // Electron prints other lines too.
      if (/^["{[n]/.test(line.value)) return JSON.parse(line.value);
    }
  };
  await next();
  return (request) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return next();
  };
}
