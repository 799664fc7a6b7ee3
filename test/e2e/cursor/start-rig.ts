import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { buildLikeProduct } from '../fixtures/build-like-product.ts';
import type { RigRequest } from './programs-rig.ts';

/** Builds programs-rig.ts, a small Electron app with text fields, like the product. Returns the file to start. */
export function buildRig(folder: string): Promise<string> {
  return buildLikeProduct(folder, {
    'programs-rig': 'test/e2e/cursor/programs-rig.ts',
  });
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
