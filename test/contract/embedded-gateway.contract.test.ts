import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openParley, type Parley } from '../../electron/app/parley.ts';
import type { GatewayOptions } from '../../electron/gateway/gateway-options.ts';
import type { SessionEvent } from '../../electron/talk/session/session-event.ts';
import type { SessionOptions } from '../../electron/talk/session/session.ts';
import type { Sockets } from '../../shared/ports/sockets.ts';
import { parley as runParley } from '../fakes/fake-terminal.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

const speech = join(import.meta.dirname, '..', '..', 'resources', 'speech');

let parley: Parley | undefined;

afterEach(async () => {
  await parley?.lifetime.end();
  parley = undefined;
  vi.unstubAllEnvs();
});

it('parley dictate prints the words of a recording, from the embedded gateway', async () => {
  vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
  const { code, out } = await runParley('dictate', '--audio', join(speech, 'hello.wav'));
  expect([code, out]).toEqual([0, 'Hello, I am the demonstration that lives inside Parley.\n']);
});

/** A core with a state folder of this test. */
function core(): Parley {
  vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
  parley = openParley('terminal', '0');
  return parley;
}

const older = { dialect: 'legacy', profile: 'deployed', stepMs: 20 } as const;
const says = (words: string) => ({
  messages: [{ role: 'user', content: `Reply with exactly: ${words}` }] as const,
});

/** Asks questions in order on one session; returns the replies and the paths used. */
async function ask(
  { servers }: Parley,
  sockets: Sockets,
  dialect: SessionOptions['dialect'],
  words: readonly string[],
  server?: string,
) {
  const modes: string[] = [];
  const events: SessionEvent[] = [];
  const closed = await new Promise<Extract<SessionEvent, { event: 'closed' }>>((resolve) => {
    let remaining = words.length;
    const session = servers.sessions.openWrittenSession(
      { settings: {}, dialect, chunkMs: 1000 },
      {
        server,
        sockets: {
          connect: (mode, listener) => {
            modes.push(mode);
            return sockets.connect(mode, listener);
          },
        },
        emit: (event) => {
          events.push(event);
          if (event.event === 'closed') resolve(event);
          if (event.event !== 'done') return;
          remaining -= 1;
          if (remaining === 0) session.end();
        },
      },
    );
    for (const each of words) session.ask(says(each));
  });
  const answers = events.filter((event) => event.event === 'done').map(({ text }) => text);
  const streamed = events.filter((event) => event.event === 'text').map(({ text }) => text);
  return { answers, streamed: streamed.join(''), modes, closed, events };
}

async function serve({ servers }: Parley, options: Partial<GatewayOptions>) {
  const { url } = unwrap(await servers.gateway.serve(options, 0));
  return { url, sockets: servers.connectTo({ url, headers: {}, query: {}, insecure: false }) };
}

describe('a chat with a server of the older generation', () => {
  it('uses the older path if the dialect is set, with a connection per question', async () => {
    const opened = core();
    const { sockets } = await serve(opened, older);
    const { answers, streamed, modes, closed, events } = await ask(opened, sockets, 'legacy', [
      'one two',
      'three',
    ]);
    expect(answers).toEqual(['one two', 'three']);
    expect(streamed).toBe('one twothree');
    expect(modes).toEqual(['older-chat', 'older-chat']);
    expect(closed).toMatchObject({ orderly: true, by: 'client' });
    expect(events.find(({ event }) => event === 'metrics')).toMatchObject({
      metrics: { values: { generated_tokens: 2 } },
    });
  });

  it('finds the older path of an unknown server that is silent in chat mode', async () => {
    const opened = core();
    const { sockets } = await serve(opened, older);
    const { answers, modes } = await ask(opened, sockets, 'auto', ['one', 'two']);
    expect(answers).toEqual(['one', 'two']);
    expect(modes).toEqual(['chat', 'older-chat', 'older-chat']);
  });

  it('reports that the worker is busy', { timeout: 20_000 }, async () => {
    const opened = core();
    const { sockets } = await serve(opened, { ...older, workers: 1 });
    const talk = await new Promise<{ readonly end: () => void }>((resolve) => {
      const session = opened.servers.sessions.openSession(
        { mode: 'audio', settings: {}, dialect: 'legacy', chunkMs: 1000 },
        {
          sockets,
          emit: (event) => {
            if (event.event === 'state' && event.state === 'live')
              queueMicrotask(() => {
                resolve(session);
              });
          },
        },
      );
    });
    const { closed } = await ask(opened, sockets, 'legacy', ['one']);
    talk.end();
    expect(closed).toMatchObject({ error: { code: 'workersBusy' }, by: 'server' });
  });
});
