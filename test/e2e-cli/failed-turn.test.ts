import { afterEach, expect, it, vi } from 'vitest';
import { runCli } from '../fakes/run-cli.ts';
import { scriptedServer } from '../fakes/scripted-server.ts';
import type { ScriptedServer } from '../fakes/scripted-server.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let server: ScriptedServer | undefined;

afterEach(async () => {
  await server?.end();
  server = undefined;
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

const talk = [
  'talk',
  '--mode',
  'audio',
  '--input',
  'resources/speech/see.wav',
  '--max-seconds',
  '3',
];

it('a talk with only errors fails', async () => {
  const { code, out, err } = await runCli([...talk, '--url', await serve([failure])]);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain('out of luck');
});

it('a talk with an error and an answer succeeds', async () => {
  const spoken = { type: 'response.output.delta', kind: 'text', text: 'Here.' };
  const url = await serve([failure, spoken]);
  expect((await runCli([...talk, '--url', url])).code).toBe(0);
});
