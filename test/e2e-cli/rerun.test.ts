import { afterEach, expect, it, vi } from 'vitest';
import { openParley } from '../../electron/app/parley.ts';
import { runCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';

// Processes start slowly on a busy machine, and talks take their time.
vi.setConfig({ testTimeout: 90_000 });

afterEach(() => {
  vi.unstubAllEnvs();
});

interface Compared {
  readonly alike: boolean;
  readonly differs: readonly string[];
  readonly answers: readonly { readonly other?: object }[];
}

it('rerun and compare report two runs against the same server as alike', async () => {
  const at = workFolder();
  vi.stubEnv('PARLEY_STATE_DIR', at('state'));
  const talk = new URL('../fixtures/tapes/legacy.parleytape', import.meta.url).pathname;
  const parley = openParley('terminal', '0');
  try {
    const served = await parley.servers.gateway.serve(
      { dialect: 'unified', profile: 'deployed', stepMs: 20 },
      0,
    );
    if (!served.ok) throw new Error(served.error.code);
    const server = ['--url', served.value.url];
    const [before, after] = await Promise.all(
      ['before', 'after'].map((name) =>
        runCli(['rerun', talk, ...server, '--tape', at(name), '--json']),
      ),
    );
    expect(before).toMatchObject({ code: 0 });
    expect(after).toMatchObject({ code: 0 });
    expect(after?.err).toMatch(/of \d+ s of the tape are sent/u);
    expect(after?.out).toContain('"event":"closed"');
    const loose = ['--min-same-words', '0', '--max-latency-ratio', '20'];
    const { code, out } = await runCli(['compare', at('before'), at('after'), ...loose, '--json']);
    const said = JSON.parse(out) as Compared;
    expect(said).toMatchObject({ alike: true, differs: [] });
    expect(said.answers.length).toBeGreaterThan(0);
    expect(said.answers.every(({ other }) => other !== undefined)).toBe(true);
    expect(code).toBe(0);
  } finally {
    await parley.lifetime.end();
  }
  // The server has stopped.
  const gone = await runCli(['rerun', talk, '--url', 'ws://127.0.0.1:9', '--tape', at('gone')]);
  expect(gone.code).toBe(3);
  expect(gone.err.trim()).not.toBe('');
});
