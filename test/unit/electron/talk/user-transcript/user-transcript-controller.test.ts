import { beforeEach, describe, expect, it } from 'vitest';
import {
  createUserTranscriptHandlers,
  TapeTranscriber,
} from '../../../../../electron/recordings/history/tape-transcriber.ts';
import { parseStoredTalk } from '../../../../../electron/recordings/history/talk-source.ts';
import { RecentWords } from '../../../../../electron/talk/user-transcript/recent-words.ts';
import { UserTranscriptController } from '../../../../../electron/talk/user-transcript/user-transcript-controller.ts';
import type {
  SpokenPhrase,
  TranscriberEvents,
  TranscriberPermission,
} from '../../../../../electron/talk/user-transcript/phrase-transcriber.ts';
import { appError, failure } from '../../../../../shared/errors/app-error.ts';
import { noPage } from '../../../../../shared/ipc/page.ts';
import type { UserPhrase } from '../../../../../shared/talk/talk-view.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { deferred, flushPromises } from '../../../../fakes/promises.ts';
import { endedByUser, lost } from '../conversation-harness.ts';
import { TalkControllerHarness } from '../talk-controller-harness.ts';

/** A talk whose phrases the test transcribes. */
class UserTranscriptHarness {
  readonly added: SpokenPhrase[] = [];
  readonly permissions: TranscriberPermission[] = [];
  /** The talks that were forgotten, of two. */
  readonly forgotten: (readonly string[])[] = [];
  events: TranscriberEvents = { onProgress: () => undefined, onStatus: () => undefined };
  readonly words: UserTranscriptController = new UserTranscriptController({
    clock: {
      now: () => this.talk.clock.now(),
      after: (...timer) => this.talk.clock.after(...timer),
    },
    wallNow: () => this.talk.calendarAtStart + this.talk.clock.now(),
    getMode: () => this.talk.settings.get().privacy.ownWords,
    saveTurn: (id, turn) => {
      this.talk.talkRecorder.addWords(id, turn);
    },
    openTranscriber: (events) => {
      this.events = events;
      return {
        add: (phrase) => {
          this.added.push(phrase);
        },
        permit: (permission) => {
          if (permission !== this.permissions.at(-1)) this.permissions.push(permission);
        },
        forget: (isGone) => {
          this.forgotten.push(['stamp-one', 'another'].filter(isGone));
        },
        retry: () => undefined,
        end: () => Promise.resolve(),
      };
    },
  });
  readonly talk = new TalkControllerHarness({ userTranscript: this.words });
  readonly handlers = createUserTranscriptHandlers({
    userTranscript: this.words,
    tapeTranscriber: { transcribe: () => Promise.reject(new Error('The tape is missing.')) },
    correctWords: (id, at, text) => this.talk.talks.correctWords(id, at, text),
  });

  want(ownWords: 'no' | 'afterTalk' | 'whileTalking', keepTalks: 'ask' | 'yes' = 'yes'): void {
    this.talk.settings.change({ privacy: { ownWords, keepTalks } });
    this.words.onSettingsChanged();
    this.talk.talkRecorder.settingsChanged();
  }

  async pass(ms: number): Promise<void> {
    this.talk.clock.advance(ms);
    await flushPromises();
  }

  /** Speaks for a second, then pauses for a second. */
  async speak(): Promise<void> {
    for (let block = 0; block < 100; block += 1) {
      this.talk.clock.advance(20);
      const samples = new Float32Array(320);
      if (block < 50) samples.forEach((_, n) => (samples[n] = n % 2 === 0 ? 0.2 : -0.2));
      this.words.pushAudio(samples, true);
    }
    await flushPromises();
  }

  get phrases(): readonly UserPhrase[] {
    return this.talk.controller.view.userTranscript.phrases;
  }

  /** Stored turns of both sides. */
  get kept(): readonly string[] {
    const { text = '' } = this.talk.talkStore.stored.get('stamp-one') ?? {};
    const record = parseStoredTalk('stamp-one', text);
    return record.ok ? record.value.turns.map(({ by, text }) => `${by}: ${text}`) : [];
  }

  write(index: number, text: string): void {
    const phrase = this.added[index];
    if (phrase === undefined) throw new Error('The phrase was not found.');
    this.events.onProgress(phrase, { state: 'written', text });
  }
}

let harness: UserTranscriptHarness;

beforeEach(() => {
  harness = new UserTranscriptHarness();
});

describe('the user’s speech', () => {
  it('is shown and stored in spoken order, before its answer', async () => {
    harness.want('whileTalking');
    await harness.talk.live();
    await harness.speak();
    harness.talk.session.emit({ event: 'text', turn: 1, text: 'It is late.' });
    await harness.pass(3000);
    await harness.speak();
    expect(harness.phrases.map(({ after, state }) => [after, state])).toEqual([
      [undefined, 'waiting'],
      [1, 'waiting'],
    ]);
    harness.write(1, 'Thank you.');
    harness.write(0, 'How late is it?');
    await harness.pass(3000);
    expect(harness.kept).toEqual([
      'person: How late is it?',
      'parley: It is late.',
      'person: Thank you.',
    ]);
    expect(harness.phrases.map(({ text }) => text)).toEqual(['How late is it?', 'Thank you.']);
    // The user spoke from the first millisecond of the talk on; the phrase's time may be 60 ms late.
    expect(harness.added[0]?.at).toBeLessThanOrEqual(60);
    expect(harness.added[0]?.server).toBe('one');
  });

  it('is neither divided into phrases nor sent if the user did not turn the transcript on', async () => {
    await harness.talk.live();
    await harness.speak();
    expect([harness.added, harness.phrases]).toEqual([[], []]);
    expect(harness.talk.controller.view.userTranscript.status.kind).toBe('off');
  });

  it('is not sent from an incognito talk', async () => {
    harness.want('whileTalking');
    harness.talk.incognito = true;
    await harness.talk.live();
    await harness.speak();
    expect(harness.added).toEqual([]);
    expect(harness.talk.controller.view.userTranscript.status.kind).toBe('off');
  });

  it('is sent during the talk only if the user chose this and the talk has a session', async () => {
    harness.want('whileTalking');
    await harness.talk.live();
    expect(harness.permissions.at(-1)).toBe('ifFree');
    harness.talk.session.close(lost);
    await harness.pass(0);
    expect(harness.talk.controller.view.state.phase).toBe('reconnecting');
    expect(harness.permissions.at(-1)).toBe('no');
    await harness.pass(30_000);
    harness.talk.session.enter('connecting', 'configuring', 'live');
    expect(harness.permissions.at(-1)).toBe('ifFree');
    harness.want('afterTalk');
    expect(harness.permissions.at(-1)).toBe('no');
    await harness.speak();
    expect(harness.talk.controller.view.userTranscript.status.kind).toBe('afterTalk');
    harness.talk.session.close(endedByUser);
    await harness.pass(5000);
    expect(harness.permissions.at(-1)).toBe('yes');
  });

  it('is stored after its talk, even if the next talk has already begun', async () => {
    harness.want('afterTalk');
    await harness.talk.live();
    await harness.speak();
    harness.talk.session.emit({ event: 'text', turn: 1, text: 'It is late.' });
    await harness.pass(3000);
    await harness.speak();
    harness.talk.session.close(endedByUser);
    await harness.pass(5000);
    harness.write(0, 'How late is it?');
    await harness.pass(100);
    expect(harness.kept).toEqual(['person: How late is it?', 'parley: It is late.']);
    harness.talk.connected = () => Promise.resolve({ ok: true, value: harness.talk.server('two') });
    await harness.talk.live();
    expect(harness.phrases).toEqual([]);
    harness.write(1, 'Thank you.');
    await harness.pass(3000);
    expect(harness.kept.at(-1)).toBe('person: Thank you.');
    expect(harness.phrases).toEqual([]);
  });

  it('does not recreate a talk that was deleted meanwhile', async () => {
    harness.want('afterTalk');
    await harness.talk.live();
    await harness.speak();
    harness.talk.session.emit({ event: 'text', turn: 1, text: 'It is late.' });
    await harness.pass(3000);
    harness.talk.session.close(endedByUser);
    await harness.pass(5000);
    harness.talk.talkStore.stored.delete('stamp-one');
    harness.write(0, 'How late is it?');
    await harness.pass(3000);
    await harness.talk.talkRecorder.end();
    expect(harness.talk.talkStore.stored.size).toBe(0);
    expect(harness.talk.posted('talkTrouble')).toEqual([]);
  });

  it('is not sent after its talk was deleted, unless the talk still runs', async () => {
    harness.want('afterTalk');
    await harness.talk.live();
    await harness.speak();
    harness.words.forget();
    expect(harness.phrases).toMatchObject([{ state: 'waiting' }]);
    harness.talk.session.close(endedByUser);
    const done = harness.words.transcribeTaped(harness.added.slice(0, 1), () => undefined);
    const before = harness.forgotten.splice(0).slice(0, 1);
    harness.words.forget('another');
    harness.words.forget('stamp-one');
    expect([...before, ...harness.forgotten]).toEqual([['another'], ['another'], ['stamp-one']]);
    expect(await done).toBeUndefined();
    expect(harness.phrases).toEqual([]);
  });

  it('on a tape is transcribed to the end, even if the setting changes to “no” meanwhile', async () => {
    harness.want('afterTalk');
    await harness.talk.live();
    await harness.speak();
    harness.talk.session.close(endedByUser);
    const [first] = harness.added.splice(0);
    if (first === undefined) throw new Error('The phrase was not found.');
    const taped = [first, { ...first, at: first.at + 2000 }];
    const done = harness.words.transcribeTaped(taped, () => undefined);
    harness.write(0, 'How late is it?');
    harness.added.length = 0;
    harness.want('no');
    expect(harness.added).toEqual(taped.slice(1));
    harness.write(0, 'Thank you.');
    expect(await done).toBeUndefined();
  });

  it('is transcribed from one tape at a time, also while a tape is loaded', async () => {
    const loading = deferred();
    const gone = failure('talkRecordGone');
    const absent = (): Promise<never> => Promise.reject(new Error('No record was found.'));
    const tapes = new TapeTranscriber({
      clock: new FakeClock(),
      parseTime: Date.parse,
      record: () => loading.promise.then(() => gone),
      keepRecord: absent,
      hasRecord: absent,
      loadTape: absent,
      rendering: absent,
      servers: () => [],
      userTranscript: harness.words,
      onProgress: () => undefined,
    });
    const one = tapes.transcribe('one');
    const both = [one, tapes.transcribe('one'), tapes.transcribe('two')];
    loading.resolve();
    expect(await Promise.all(both)).toEqual([gone, { ok: true }, failure('ownWordsBusy')]);
    expect(await tapes.transcribe('two')).toEqual(gone);
    expect(tapes.progressOf('one')).toBeUndefined();
  });

  it('is stored in the record of the talk on screen if its tape is transcribed, although the talk stores no text', async () => {
    harness.want('no', 'ask');
    await harness.talk.live();
    harness.talk.session.emit({ event: 'text', turn: 1, text: 'It is late.' });
    harness.talk.session.close(endedByUser);
    await harness.pass(5000);
    const record = { title: '', pinned: false, mode: 'audio', server: { name: 'one' } } as const;
    const times = { begunAt: 0, savedAt: 1000, turns: [], events: [], pictures: [] };
    await harness.talk.talks.write('stamp-one', { ...record, ...times });
    const phrase = { talk: 'stamp-one', at: 5, server: 'one', samples: new Float32Array(8) };
    const transcribed = harness.words.transcribeTaped([phrase], () => undefined);
    harness.write(0, 'How late is it?');
    await transcribed;
    await harness.pass(0);
    expect(harness.kept).toEqual(['person: How late is it?']);
  });

  it('is stored with the talk if the user decides later', async () => {
    harness.want('afterTalk', 'ask');
    await harness.talk.live();
    await harness.speak();
    harness.talk.session.close(endedByUser);
    await harness.pass(5000);
    harness.write(0, 'How late is it?');
    await harness.pass(3000);
    expect(harness.kept).toEqual([]);
    harness.talk.talkRecorder.answer(true);
    await harness.pass(3000);
    expect(harness.kept).toEqual(['person: How late is it?']);
  });

  it('keeps the user’s correction after later transcriptions', async () => {
    harness.want('whileTalking');
    await harness.talk.live();
    await harness.speak();
    const at = harness.phrases[0]?.at ?? -1;
    await harness.handlers.correctUserPhrase({ at, text: ' How  late is it? ' }, noPage);
    harness.write(0, 'Holidays it?');
    await harness.pass(3000);
    expect(harness.phrases).toMatchObject([{ text: 'How late is it?', transcribed: 'corrected' }]);
    expect(harness.kept).toEqual(['person: How late is it?']);
    await harness.handlers.correctUserPhrase({ talk: 'stamp-one', at, text: '' }, noPage);
    expect(harness.phrases).toEqual([]);
  });
});

describe('the recent words', () => {
  const phrase = (at: number, seconds: number): SpokenPhrase => ({
    talk: 't',
    at,
    server: 's',
    samples: new Float32Array(seconds * 16_000).fill(at),
  });

  function openWords() {
    const clock = new FakeClock();
    const added: SpokenPhrase[] = [];
    const calls: string[] = [];
    const listeners: TranscriberEvents[] = [];
    const words = new RecentWords({
      clock,
      openTranscriber: (events) => {
        listeners.push(events);
        return {
          add: (one) => added.push(one),
          permit: (permission) => calls.push(permission),
          end: async () => void calls.push('end'),
        };
      },
    });
    const newest = (now: number) => words.newest(now).map(({ at }) => at);
    return { clock, added, calls, listeners, words, newest };
  }

  it('are the newest phrases without a long pause, at most 40 seconds of them', () => {
    const { words, newest } = openWords();
    expect(newest(0)).toEqual([]);
    for (const [at, seconds] of [
      [0, 1],
      [3501, 1],
      [7001, 2],
    ] as const)
      words.add(phrase(at, seconds));
    expect([newest(9001), newest(39_001), newest(39_002)]).toEqual([
      [3501, 7001],
      [3501, 7001],
      [],
    ]);
    words.add(phrase(10_000, 37));
    expect(newest(47_000)).toEqual([3501, 7001, 10_000]);
    words.add(phrase(50_000, 41));
    expect(newest(91_000)).toEqual([50_000]);
    words.clear();
    expect(newest(91_000)).toEqual([]);
  });

  const [end, one] = [{ state: 'unwritten', error: appError('noTalk') }, phrase(1, 1)] as const;
  it.each<[unknown, (events: TranscriberEvents, clock: FakeClock) => void]>([
    [
      { ok: true, value: 'Hi' },
      ({ onProgress }) => onProgress(one, { state: 'written', text: 'Hi' }),
    ],
    [
      failure('requestUnclear'),
      ({ onProgress }) => onProgress(one, { state: 'written', text: '' }),
    ],
    [failure('noTalk'), ({ onProgress }) => onProgress(one, end)],
    [failure('requestNoPlace'), ({ onStatus }) => onStatus({ kind: 'busy' })],
    [failure('requestNoPlace'), ({ onStatus }) => onStatus({ kind: 'queued', position: 1 })],
    [failure('requestSlow', { seconds: 20 }), (_events, clock) => clock.advance(20_000)],
  ])('are transcribed as one phrase, with the outcome %j', async (outcome, happen) => {
    const { words, clock, added, calls, listeners } = openWords();
    const transcribed = words.transcribe([one, phrase(3, 2)]);
    const [events] = listeners;
    if (events === undefined) throw new Error('nothing is transcribed');
    events.onProgress(one, { state: 'writing' });
    events.onStatus({ kind: 'writing' });
    happen(events, clock);
    events.onStatus({ kind: 'busy' });
    expect(await transcribed).toEqual(outcome);
    expect([calls, added.map(({ at, samples }) => [at, samples.length])]).toEqual([
      ['ifFree', 'end'],
      [[1, 48_000]],
    ]);
    expect(await words.transcribe([])).toEqual(failure('requestNoWords'));
  });
});
