import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../electron/talk/session/session-event.ts';
import { FakeFiles } from '../fakes/fake-files.ts';
import { fakeJpeg } from '../fakes/fake-pictures.ts';
import { type RecordedConversation, recordConversation } from '../fixtures/record-talk.ts';
import { replaySession } from '../fixtures/replay-tape.ts';

const end: RecordedConversation['actions'][number] = [9000, (session) => session.end()];
const speaksFirst = (ms: number) => ms < 2000;

type Taped = RecordedConversation & { readonly emits: readonly SessionEvent['event'][] };

const conversations: Readonly<Record<string, Taped>> = {
  'an audio conversation': {
    emits: ['text', 'audio', 'turnEnded', 'listen'],
    session: {},
    actions: [end],
    speaks: speaksFirst,
  },
  'a documented server, whose dialect is legacy': {
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
  'an interruption of short chunks': {
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
  'a line that is cut': {
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
    const live = await recordConversation('/tape', files, conversation);
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
