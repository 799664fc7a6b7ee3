import { existsSync, readFileSync, rmSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { runCli, startCli } from '../fakes/run-cli.ts';
import { eventually } from '../fakes/eventually.ts';
import { workFolder } from '../fakes/work-folder.ts';

vi.setConfig({ testTimeout: 60_000 });

it('notices that a tape’s folder was deleted, reports it once, and starts a new recording', async (context) => {
  if (process.platform === 'win32') context.skip('This system deletes no file that is open.');
  const at = workFolder();
  const talk = ['talk', '--mode', 'audio', '--input', 'resources/speech/see.wav', '--json'];
  const running = startCli([...talk, '--chunk-ms', '250', '--tape', at('state/tapes/t')]);
  await running.waitForOutput(/"event":"sent"/);
  rmSync(at('state'), { recursive: true });
  await eventually(() => {
    expect(existsSync(at('state/tapes/t/tape.ndjson'))).toBe(true);
  });
  const { code, out, err } = await running.ended;
  expect(out).toContain('"reason":"user_stop"');
  expect({ code, err }).toEqual({
    code: 1,
    err: 'The folder of this recording is gone, with everything recorded so far. The talk continues.\n',
  });
  // It begins as its connection began, and can be played alone.
  expect(readFileSync(at('state/tapes/t/tape.ndjson'), 'utf8')).toContain('session.created');
  expect(await runCli(['tape', 'check', at('state/tapes/t')])).toMatchObject({ code: 0 });
  const replayed = await runCli(['replay', at('state/tapes/t'), '--speed', 'max', '--json']);
  expect({ code: replayed.code, err: replayed.err }).toEqual({ code: 0, err: '' });
  expect(replayed.out).toContain('"event":"text"');
});
