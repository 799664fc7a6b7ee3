import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { eventually } from '../fakes/eventually.ts';
import { runCli, startCli } from '../fakes/run-cli.ts';
import { scriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { fileTalk, samplesOf } from './cli-talk.ts';

// Processes start slowly on a busy machine, and talks take their time.
vi.setConfig({ testTimeout: 60_000 });

let server: ScriptedServer | undefined;

afterEach(async () => {
  await server?.end();
  server = undefined;
});

it('a talk closes its connection at the second Ctrl-C and keeps its files', async () => {
  let goodbyes = 0;
  server = await scriptedServer({
    accepted: (socket) => {
      socket.send('{"type":"session.queue_done"}');
      socket.on('message', (data: Buffer) => {
        const text = data.toString();
        if (text.includes('session.init')) socket.send('{"type":"session.created"}');
        // The server never answers the close, so Parley waits.
        if (text.includes('session.close')) goodbyes += 1;
      });
    },
  });
  const at = workFolder();
  const url = `ws://127.0.0.1:${server.port}`;
  const running = startCli([...fileTalk, '--json', '--url', url, '--output', at('o.wav')]);
  await running.waitForOutput(/"event":"sent"/);
  running.child.kill('SIGINT');
  await eventually(() => {
    expect(goodbyes).toBe(1);
  });
  running.child.kill('SIGINT');
  const { code, out, err } = await running.ended;
  expect(code).toBe(1);
  expect(err).toBe(
    'Ending the session; Ctrl-C again closes the connection at once.\nYou closed the connection.\n',
  );
  expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toMatchObject({
    event: 'closed',
    reason: 'cut',
    by: 'client',
  });
  expect(existsSync(at('o.wav'))).toBe(true);
});

it('a killed talk loses at most the last second of its tape', async () => {
  const at = workFolder();
  const running = startCli([...fileTalk, '--json', '--chunk-ms', '250', '--tape', at('tape')]);
  await running.waitForOutput(/"event":"audio"/);
  await wait(2000);
  running.child.kill('SIGKILL');
  const killed = await running.ended;
  expect(killed.code).toBeNull();
  const replayed = await runCli(['replay', at('tape'), '--speed', 'max', '--json']);
  expect(replayed.err).not.toContain('cannot be played');
  for (const [event, rate] of [
    ['sent', 16_000],
    ['audio', 24_000],
  ] as const) {
    const heard = samplesOf(killed.out, event);
    expect(heard).toBeGreaterThan(rate);
    expect(heard - samplesOf(replayed.out, event)).toBeLessThanOrEqual(rate);
  }
});

const cli = resolve(import.meta.dirname, '../../out/main/cli.js');

/** Runs a command whose reader is gone at once, or after the first output, as in `parley … | head -1`. */
async function readBriefly(
  args: readonly string[],
  { readsFirst }: { readonly readsFirst: boolean },
) {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let err = '';
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  const exit = once(child, 'exit');
  if (readsFirst) await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code, signal] = (await exit) as [number | null, string | null];
  return { code, signal, err };
}

it('a command ends silently when the reader of its results is gone', async () => {
  expect(await readBriefly(['--help'], { readsFirst: false })).toEqual({
    code: 0,
    signal: null,
    err: '',
  });
});

it('a talk ends without an error when the reader of its events is gone', async () => {
  const { code, signal, err } = await readBriefly([...fileTalk, '--json'], { readsFirst: true });
  expect(signal).toBeNull();
  expect(code).toBeLessThanOrEqual(1);
  expect(err).not.toMatch(/EPIPE|fault|^\s+at /m);
});

/** Answers a chat turn with these frames. */
async function serve(frames: readonly object[]): Promise<string> {
  server = await scriptedServer({
    accepted: (socket) => {
      const send = (frame: object): void => {
        socket.send(JSON.stringify(frame));
      };
      send({ type: 'session.queue_done' });
      socket.on('message', (data: Buffer) => {
        const { type } = JSON.parse(data.toString()) as { readonly type: string };
        if (type === 'session.init') send({ type: 'session.created' });
        else if (type === 'session.close') socket.close(1000, 'turn_done');
        else for (const frame of frames) send(frame);
      });
    },
  });
  return `ws://127.0.0.1:${server.port}`;
}

const failure = {
  type: 'error',
  error: { code: 'inference_error', message: 'out of luck', type: 'server_error' },
};
const piece = { type: 'response.output.delta', kind: 'text', text: 'Half an' };

it('a chat turn that ends in an error fails but keeps its partial answer', async () => {
  const { code, out, err } = await runCli(['chat', 'hi', '--url', await serve([piece, failure])]);
  expect({ code, out }).toEqual({ code: 1, out: 'Half an\n' });
  expect(err).toMatch(/^[^\n]*out of luck[^\n]*\n$/);
});

it('a chat turn that completes after an error succeeds', async () => {
  const done = { type: 'response.done', text: 'Half an answer' };
  const url = await serve([piece, { ...piece, text: 7 }, done]);
  expect((await runCli(['chat', 'hi', '--url', url])).code).toBe(0);
});

const shortTalk = [...fileTalk, '--max-seconds', '3'];

it('a talk with only errors fails', async () => {
  const { code, out, err } = await runCli([...shortTalk, '--url', await serve([failure])]);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain('out of luck');
});

it('a talk with an error and an answer succeeds', async () => {
  const spoken = { type: 'response.output.delta', kind: 'text', text: 'Here.' };
  const url = await serve([failure, spoken]);
  expect((await runCli([...shortTalk, '--url', url])).code).toBe(0);
});
