import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openParley } from '../../electron/app/parley.ts';
import type { ConversationEvent } from '../../electron/talk/conversation-options.ts';
import { ClockSpeaker } from '../fakes/clock-speaker.ts';
import { parley } from '../fakes/fake-terminal.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

/** Uses real time and the recorded speech, to test the real composition. */
it('talks with the embedded gateway in the real composition', async () => {
  const parley = openParley('terminal', '0.0.0');
  const gateway = unwrap(await parley.servers.gateway.open());
  const events: ConversationEvent[] = [];
  const speaker = new ClockSpeaker(parley.machine.clock);
  const carryOver = await parley.servers.texts.carryOverMessages();
  const talk = parley.servers.sessions.openConversation(
    { mode: 'audio', settings: {}, dialect: 'auto', chunkMs: 1000, talking: 'open', carryOver },
    {
      openSession: (options, emit) =>
        parley.servers.sessions.openSession(options, { sockets: gateway, emit }),
      speaker,
      microphone: undefined,
      emit: (event) => void events.push(event),
    },
  );
  const until = async (done: () => boolean, loudness: number): Promise<void> => {
    for (let blocks = 0; blocks < 500 && !done(); blocks += 1) {
      const block = new Float32Array(320).map((_, at) => (at % 40 < 20 ? loudness : -loudness));
      talk.pushAudio(block);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const has = (check: (event: ConversationEvent) => boolean) => () => events.some(check);
  await until(
    has((event) => event.event === 'talk' && event.state.phase === 'live'),
    0,
  );
  let spoken = 0;
  await until(() => (spoken += 1) > 35, 0.3);
  await until(
    has((event) => event.event === 'caption' && (event.patch.heard ?? 0) > 4),
    0,
  );
  talk.interrupt();
  expect(speaker.buffer.waiting).toBe(0);
  await until(
    has((event) => event.event === 'turnHeard'),
    0,
  );
  await talk.close();
  await parley.lifetime.end();
  const turn = events.find((event) => event.event === 'turnHeard');
  expect(turn?.heard).toMatch(/^Hello/);
  expect(turn?.cut).not.toBe('');
  expect(events.some((event) => event.event === 'measure' && event.kind === 'wireToSound')).toBe(
    true,
  );
  expect(events.at(-1)).toMatchObject({ event: 'talk', state: { phase: 'ended' } });
});

const speech = join(import.meta.dirname, '..', '..', 'resources', 'speech');

afterEach(() => {
  vi.unstubAllEnvs();
});

it('parley dictate prints the words of a recording, from the embedded gateway', async () => {
  vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
  const { code, out } = await parley('dictate', '--audio', join(speech, 'hello.wav'));
  expect([code, out]).toEqual([0, 'Hello, I am the demonstration that lives inside Parley.\n']);
});
