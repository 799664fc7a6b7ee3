import { afterEach, describe, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { runCli } from '../fakes/run-cli.ts';
import { scriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts';
import { fileTalk } from './cli-talk.ts';

// Processes start slowly on a busy machine, and talks take their time.
vi.setConfig({ testTimeout: 60_000 });

let server: ScriptedServer | undefined;

afterEach(async () => {
  await server?.end();
  server = undefined;
});

const json = (fields: object): string => JSON.stringify(fields);
const delta = { type: 'response.output.delta' };
const base64 = (samples: readonly number[]): string =>
  Buffer.from(Float32Array.from(samples).buffer).toString('base64');

/** The frame in the middle of the answer, and the sentence that the user reads. */
const kinds: readonly (readonly [name: string, frame: string | Buffer, sentence: string])[] = [
  ['text', '<html>502</html>', 'The server sent something that is not a JSON object.'],
  ['cut JSON', '{"type":"resp', 'The server sent something that is not a JSON object.'],
  ['bytes', Buffer.of(0, 255), 'The server sent a binary frame; the protocol has none.'],
  ['a type that is a number', '{"type":7}', 'The server sent an event whose type is a number.'],
  [
    'broken base64',
    json({ ...delta, kind: 'audio', audio: '@@ no base64 @@' }),
    "The server's response.output.delta cannot be used: its audio is not valid base64.",
  ],
  [
    'half a sample',
    json({ ...delta, kind: 'audio', audio: 'AAAAAAA=' }),
    "The server's response.output.delta cannot be used: its audio has 5 bytes, which is not a whole number of samples.",
  ],
  [
    'text that is a number',
    json({ ...delta, kind: 'text', text: 42 }),
    "The server's response.output.delta cannot be used: its text is a number.",
  ],
  [
    'NaN samples',
    json({ ...delta, kind: 'audio', audio: base64([0.1, Number.NaN, Infinity]) }),
    'The server sent sound with invalid samples. Parley plays silence in their place.',
  ],
];

/** Admits, creates, and says "one", what is wrong twice, with more garbage between, and "two". */
async function serve(wrong: string | Buffer): Promise<string> {
  const answer = (socket: WebSocket): void => {
    socket.send(json({ ...delta, kind: 'text', text: 'one ' }));
    socket.send(wrong);
    socket.send('[]');
    socket.send(wrong);
    socket.send(json({ ...delta, kind: 'text', text: 'two' }));
    socket.send(json({ ...delta, kind: 'audio', audio: base64([0.1, 0.2]) }));
    socket.send(json({ type: 'response.done' }));
    socket.send(json({ ...delta, kind: 'listen' }));
  };
  server = await scriptedServer({
    accepted: (socket) => {
      let answered = false;
      socket.send(json({ type: 'session.queue_done' }));
      socket.on('message', (data: Buffer) => {
        const { type } = JSON.parse(data.toString()) as { readonly type: string };
        if (type === 'session.init') socket.send(json({ type: 'session.created' }));
        else if (type === 'session.close') socket.close(1000, 'user_stop');
        else if (!answered) answer(socket);
        answered ||= type.startsWith('input');
      });
    },
  });
  return `ws://127.0.0.1:${server.port}`;
}

describe.each(kinds)('garbage (%s) in the middle of an answer', (_name, frame, sentence) => {
  it.each([
    ['chat', ['chat', 'hi'], 'one two\n'],
    ['talk', [...fileTalk, '--max-seconds', '2'], 'one two\n'],
  ])(
    'is reported once in %s, and the rest of the talk is kept',
    async (_command, args, expected) => {
      const url = await serve(frame);
      const { code, out, err } = await runCli([...args, '--url', url]);
      const sentences = new Set([sentence, 'The server sent something that is not a JSON object.']);
      expect({ code, out }).toEqual({ code: 0, out: expected });
      expect(err).toBe([...sentences, ''].join('\n'));
    },
  );
});
