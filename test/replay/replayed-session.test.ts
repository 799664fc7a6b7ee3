import { join } from 'node:path';
import { storedTape, storedTapes } from '../fixtures/stored-tape.ts';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../electron/talk/session/session-event.ts';
import { FakeFiles } from '../fakes/fake-files.ts';
import { fakeJpeg } from '../fakes/fake-pictures.ts';
import { type SessionScript, recordSession } from '../fixtures/record-talk.ts';
import { replaySession } from '../fixtures/replay-tape.ts';

const end: SessionScript['actions'][number] = [9000, (session) => session.end()];
const speaksFirst = (ms: number) => ms < 2000;

type TapedConversation = SessionScript & {
  readonly emits: readonly SessionEvent['event'][];
};

const conversations: Readonly<Record<string, TapedConversation>> = {
  'an audio conversation': {
    emits: ['text', 'audio', 'turnEnded', 'listen'],
    session: {},
    actions: [end],
    speaks: speaksFirst,
  },
  'a documented legacy server': {
    emits: ['audio', 'turnEnded'],
    session: {},
    gateway: { dialect: 'legacy', profile: 'documented' },
    actions: [end],
    speaks: speaksFirst,
  },
  'a deployed server whose dialect has to be found': {
    emits: ['audio', 'turnEnded'],
    session: {},
    gateway: { dialect: 'legacy', profile: 'deployed' },
    actions: [[32_000, (session) => session.end()]],
    speaks: (ms) => ms > 21_000 && ms < 23_000,
  },
  'an interruption': {
    emits: ['audio', 'listen'],
    session: {},
    actions: [[4650, (session) => session.interrupt()], end],
    speaks: speaksFirst,
  },
  'an interruption with short chunks': {
    emits: ['audio', 'listen'],
    session: { chunkMs: 250 },
    actions: [[4650, (session) => session.interrupt()], end],
    speaks: speaksFirst,
  },
  'video with frames and slices': {
    emits: ['audio', 'sent'],
    session: { mode: 'video', settings: { maxSlices: 2 } },
    actions: [
      [1500, (session) => session.pushFrame(fakeJpeg)],
      [2500, (session) => session.setMaxSlices(4)],
      [3500, (session) => session.pushFrame(fakeJpeg)],
      end,
    ],
    speaks: speaksFirst,
  },
  'a chat of two turns': {
    emits: ['text', 'done', 'audio'],
    session: { mode: 'chat' },
    actions: [
      [500, (session) => session.ask({ messages: [{ role: 'user', content: 'Hello' }] })],
      [
        3000,
        (session) =>
          session.ask({
            messages: [{ role: 'user', content: 'Reply with exactly: yes' }],
            speech: { enabled: true },
          }),
      ],
      end,
    ],
  },
  'a lost connection': {
    emits: ['sent'],
    session: {},
    gateway: { faults: [{ kind: 'drop', atStep: 3 }] },
    actions: [],
    speaks: speaksFirst,
  },
  'a hand-over that fails once': {
    emits: ['audio'],
    session: {},
    gateway: { faults: [{ session: 1, kind: 'handover403' }] },
    actions: [end],
    speaks: speaksFirst,
  },
  'text that is a number': {
    emits: ['audio'],
    session: {},
    gateway: { faults: [{ kind: 'garbage', atStep: 4, what: 'textAsNumber' }] },
    actions: [end],
    speaks: speaksFirst,
  },
  'samples that are not numbers': {
    emits: ['audio'],
    session: {},
    gateway: { faults: [{ kind: 'garbage', atStep: 2, what: 'nan' }] },
    actions: [end],
    speaks: speaksFirst,
  },
};

/** Removes generated ids and encodes sound as text, which compares faster. */
const comparable = (events: readonly SessionEvent[]) =>
  events.map((event) => {
    if (event.event === 'sent') return { ...event, inputId: '' };
    if (event.event !== 'audio') return event;
    const { buffer, byteOffset, byteLength } = event.audio;
    return { ...event, audio: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
  });

describe.each(Object.entries(conversations))('the tape of %s', (_name, conversation) => {
  it('emits the recorded events on every replay', async () => {
    const files = new FakeFiles();
    const live = await recordSession('/tape', files, conversation);
    const kinds = new Set(live.map(({ event }) => event));
    expect([...kinds]).toEqual(expect.arrayContaining([...conversation.emits, 'closed']));
    const replayed = await replaySession('/tape', files, 99);
    const events = replayed.map(([, event]) => event);
    expect(comparable(events)).toEqual(comparable(live));
    const again = await replaySession('/tape', files, 99);
    expect(again.map(([at]) => at)).toEqual(replayed.map(([at]) => at));
    expect(comparable(again.map(([, event]) => event))).toEqual(comparable(events));
  });
});

const folder = join(import.meta.dirname, '../fixtures/tapes');

/** One event per line; sound appears as its length and level. */
function lineOf([at, event]: readonly [number, SessionEvent]): string {
  if (event.event !== 'audio') return JSON.stringify({ at, ...event });
  const loudness = event.audio.reduce((sum, sample) => sum + Math.abs(sample), 0);
  const { turn, audio } = event;
  const rounded = Math.round(loudness);
  return JSON.stringify({ at, event: 'audio', turn, samples: audio.length, loudness: rounded });
}

// The snapshots of events are updated with `vitest -u` after an intended change.
describe.each(storedTapes)('the stored tape %s', (name) => {
  it('emits the same events as when it was recorded', async () => {
    const events = await replaySession('/tape', storedTape(name), 1);
    const text = `${events.map(lineOf).join('\n')}\n`;
    await expect(text).toMatchFileSnapshot(join(folder, `${name}.events.ndjson`));
  });
});
