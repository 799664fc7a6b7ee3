import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { openParley } from '../../electron/app/parley.ts';
import { runCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';

// Processes start slowly on a busy machine, and talks take their time.
vi.setConfig({ testTimeout: 60_000 });

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The types of the frames that a tape's client sent. */
function sentTypes(tape: string): readonly (string | undefined)[] {
  const lines = readFileSync(`${tape}/tape.ndjson`, 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { dir?: string; frame?: { type: string } })
    .filter(({ dir }) => dir === 'out')
    .map(({ frame }) => frame?.type);
}

it('parley remembers the dialect of a server between runs, without its secrets', async () => {
  const at = workFolder();
  vi.stubEnv('PARLEY_STATE_DIR', at('state'));
  const parley = openParley('terminal', '0');
  try {
    const served = await parley.servers.gateway.serve(
      { dialect: 'legacy', profile: 'documented', stepMs: 20 },
      0,
    );
    if (!served.ok) throw new Error(served.error.code);
    const { url } = served.value;
    const talk = ['talk', '--mode', 'audio', '--input', 'resources/speech/see.wav'];
    const args = [...talk, '--max-seconds', '1', '--url', `${url}?key=secret`];
    const { code } = await runCli([...args, '--tape', at('first')]);
    expect(code).toBe(0);
    expect(sentTypes(at('first')).slice(0, 2)).toEqual(['session.init', 'session.update']);
    await runCli([...args, '--tape', at('second')]);
    expect(sentTypes(at('second'))[0]).toBe('session.update');
    const stored = readFileSync(at('state/servers.json'), 'utf8');
    expect(stored).toContain(url.split('?')[0]);
    expect(stored).not.toContain('secret');
  } finally {
    await parley.lifetime.end();
  }
});

it('parley stores nothing about the embedded gateway', async () => {
  const at = workFolder();
  vi.stubEnv('PARLEY_STATE_DIR', at('state'));
  const { code } = await runCli(['chat', 'hello']);
  expect(code).toBe(0);
  expect(existsSync(at('state'))).toBe(false);
});
