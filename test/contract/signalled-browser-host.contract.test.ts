import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { workFolder } from '../fakes/work-folder.ts';

const signalling = fileURLToPath(new URL('files/signal-when-open.mjs', import.meta.url));
const entry = resolve('out/main/browser.js');

/** Runs a browser host that is signalled as it opens; `held` keeps a timer open. */
async function runSignalled(held: boolean) {
  if (!existsSync(entry)) throw new Error(`${entry} is missing: npm test builds it.`);
  const state = workFolder()('state');
  const host = spawn(process.execPath, ['--import', signalling, entry, '--port', '0'], {
    stdio: 'ignore',
    env: { ...process.env, PARLEY_STATE_DIR: state, PARLEY_TEST_HELD: held ? '1' : '0' },
  });
  await once(host, 'close');
  const { exitCode: code, signalCode: signal } = host;
  const logs = join(state, 'logs');
  const files = existsSync(logs) ? readdirSync(logs) : [];
  return {
    code,
    signal,
    log: files.map((name) => readFileSync(join(logs, name), 'utf8')).join(''),
  };
}

describe('a browser host', { timeout: 60_000 }, () => {
  it('ends normally at a signal that arrives as it opens', async () => {
    const { code, signal, log } = await runSignalled(false);
    expect([code, signal]).toEqual([0, null]);
    expect(log).not.toContain('kept the process alive');
  });

  it('ends despite open resources, and names them in the log', async () => {
    const { code, signal, log } = await runSignalled(true);
    expect([code, signal]).toEqual([0, null]);
    expect(log).toMatch(/these resources kept the process alive after shutdown: .*Timeout/u);
  });
});
