import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inRoot } from '../../../scripts/lib/root.mjs';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { serverSettings } from '../../e2e/fixtures/faulty-gateway.ts';

/**
 * Starts the demonstration as a server in another process, and prepares a home folder that uses it. A model's own work
 * does not belong to Parley, and usually runs on another machine.
 */
export async function prepareHomeWithServer(lifetime: Lifetime): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'parley-driven-'));
  lifetime.add(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const args = [inRoot('out', 'main', 'cli.js'), 'gateway', '--port', '0', '--json'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PARLEY_STATE_DIR: join(home, 'server') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  lifetime.add(async () => {
    child.kill('SIGINT');
    await ended;
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { readonly url: string };
  await mkdir(join(home, 'state'));
  const settings = { version: 1, ...serverSettings(url), told: { keptInTray: true } };
  await writeFile(join(home, 'state/settings.json'), JSON.stringify(settings));
  return home;
}
