import { beforeEach, describe, expect, it } from 'vitest';
import { createUserTranscriptHandlers } from '../../../../../electron/recordings/history/tape-transcriber.ts';
import { parseStoredTalk } from '../../../../../electron/recordings/history/talk-source.ts';
import { UserTranscriptController } from '../../../../../electron/talk/user-transcript/user-transcript-controller.ts';
import type {
  SpokenPhrase,
  WriterEvents,
  WriterPermission,
} from '../../../../../electron/talk/user-transcript/phrase-writer.ts';
import { noPage } from '../../../../../shared/ipc/page.ts';
import type { UserPhrase } from '../../../../../shared/talk/captions.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';
import { byPerson, lost } from '../stage.ts';
import { TalkControllerHarness } from '../talk-controller-harness.ts';

/** A talk whose phrases the test transcribes. */
class OwnWordsStage {
  readonly added: SpokenPhrase[] = [];
  readonly permissions: WriterPermission[] = [];
  readonly forgotten: string[] = [];
  events: WriterEvents = { onProgress: () => undefined, onStatus: () => undefined };
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
    openWriter: (events) => {
      this.events = events;
      return {
        add: (phrase) => {
          this.added.push(phrase);
        },
        permit: (permission) => {
          if (permission !== this.permissions.at(-1)) this.permissions.push(permission);
        },
        forget: (talk) => {
          this.forgotten.push(talk);
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

  /** Speaks for a second, then pauses. */
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
    return this.talk.controller.view.ownWords.phrases;
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

let stage: OwnWordsStage;

beforeEach(() => {
  stage = new OwnWordsStage();
});

describe('the user’s speech', () => {
  it('is shown and stored in spoken order, before its answer', async () => {
    stage.want('whileTalking');
    await stage.talk.live();
    await stage.speak();
    stage.talk.session.emit({ event: 'text', turn: 1, text: 'It is late.' });
    await stage.pass(3000);
    await stage.speak();
    expect(stage.phrases.map(({ after, state }) => [after, state])).toEqual([
      [undefined, 'waiting'],
      [1, 'waiting'],
    ]);
    stage.write(1, 'Thank you.');
    stage.write(0, 'How late is it?');
    await stage.pass(3000);
    expect(stage.kept).toEqual([
      'person: How late is it?',
      'parley: It is late.',
      'person: Thank you.',
    ]);
    expect(stage.phrases.map(({ text }) => text)).toEqual(['How late is it?', 'Thank you.']);
    // Within a fifth of a second of the spoken time.
    expect(stage.added[0]?.at).toBeLessThanOrEqual(60);
    expect(stage.added[0]?.server).toBe('one');
  });

  it('is marked if the model heard the computer when it began', async () => {
    stage.want('whileTalking');
    await stage.talk.live();
    const turn = async (kind: 'on' | 'off') => {
      stage.words.onEvent({ event: 'computerSound', state: { kind } });
      // Longer than the quiet that is kept before a phrase.
      await stage.pass(1000);
    };
    await stage.speak();
    await turn('on');
    await stage.speak();
    await turn('off');
    await stage.speak();
    expect(stage.phrases.map(({ hearsComputer }) => hearsComputer)).toEqual([
      undefined,
      true,
      undefined,
    ]);
  });

  it.each([31_536_000_000, -31_536_000_000])(
    'is shown in spoken order although the calendar is set by %i ms meanwhile',
    async (by) => {
      stage.talk.calendarAtStart = 100_000_000_000;
      stage.want('whileTalking');
      await stage.talk.live();
      stage.talk.session.emit({ event: 'text', turn: 1, text: 'It is late.' });
      await stage.pass(3000);
      stage.talk.calendarAtStart += by;
      await stage.speak();
      const [phrase] = stage.phrases;
      expect(phrase?.after).toBe(1);
      expect(Math.abs((phrase?.at ?? 0) - 3000)).toBeLessThan(100);
    },
  );

  it('is not cut or sent if the user did not turn that on', async () => {
    await stage.talk.live();
    await stage.speak();
    expect([stage.added, stage.phrases]).toEqual([[], []]);
    expect(stage.talk.controller.view.ownWords.status.kind).toBe('off');
  });

  it('is not sent from an incognito talk', async () => {
    stage.want('whileTalking');
    stage.talk.incognito = true;
    await stage.talk.live();
    await stage.speak();
    expect(stage.added).toEqual([]);
    expect(stage.talk.controller.view.ownWords.status.kind).toBe('off');
  });

  it('is sent while talking only if the user chose that and the talk has a session', async () => {
    stage.want('whileTalking');
    await stage.talk.live();
    expect(stage.permissions.at(-1)).toBe('ifFree');
    stage.talk.session.close(lost);
    await stage.pass(0);
    expect(stage.talk.controller.view.state.phase).toBe('reconnecting');
    expect(stage.permissions.at(-1)).toBe('no');
    await stage.pass(30_000);
    stage.talk.session.enter('connecting', 'configuring', 'live');
    expect(stage.permissions.at(-1)).toBe('ifFree');
    stage.want('afterTalk');
    expect(stage.permissions.at(-1)).toBe('no');
    await stage.speak();
    expect(stage.talk.controller.view.ownWords.status.kind).toBe('afterTalk');
    stage.talk.session.close(byPerson);
    await stage.pass(5000);
    expect(stage.permissions.at(-1)).toBe('yes');
  });

  it('is stored after the talk, even for the talk before', async () => {
    stage.want('afterTalk');
    await stage.talk.live();
    await stage.speak();
    stage.talk.session.emit({ event: 'text', turn: 1, text: 'It is late.' });
    await stage.pass(3000);
    await stage.speak();
    stage.talk.session.close(byPerson);
    await stage.pass(5000);
    stage.write(0, 'How late is it?');
    await stage.pass(100);
    expect(stage.kept).toEqual(['person: How late is it?', 'parley: It is late.']);
    stage.talk.connected = () => Promise.resolve({ ok: true, value: stage.talk.server('two') });
    await stage.talk.live();
    expect(stage.phrases).toEqual([]);
    stage.write(1, 'Thank you.');
    await stage.pass(3000);
    expect(stage.kept.at(-1)).toBe('person: Thank you.');
    expect(stage.phrases).toEqual([]);
  });

  it('does not recreate a talk that was deleted meanwhile', async () => {
    stage.want('afterTalk');
    await stage.talk.live();
    await stage.speak();
    stage.talk.session.emit({ event: 'text', turn: 1, text: 'It is late.' });
    await stage.pass(3000);
    stage.talk.session.close(byPerson);
    await stage.pass(5000);
    stage.talk.talkStore.stored.delete('stamp-one');
    stage.write(0, 'How late is it?');
    await stage.pass(3000);
    await stage.talk.talkRecorder.end();
    expect(stage.talk.talkStore.stored.size).toBe(0);
    expect(stage.talk.posted('talkTrouble')).toEqual([]);
  });

  it('is stored with the talk if the user decides later', async () => {
    stage.want('afterTalk', 'ask');
    await stage.talk.live();
    await stage.speak();
    stage.talk.session.close(byPerson);
    await stage.pass(5000);
    stage.write(0, 'How late is it?');
    await stage.pass(3000);
    expect(stage.kept).toEqual([]);
    stage.talk.talkRecorder.answer(true);
    await stage.pass(3000);
    expect(stage.kept).toEqual(['person: How late is it?']);
  });

  it('keeps the user’s correction after later transcriptions', async () => {
    stage.want('whileTalking');
    await stage.talk.live();
    await stage.speak();
    const at = stage.phrases[0]?.at ?? -1;
    await stage.handlers.correctOwnWords({ at, text: ' How  late is it? ' }, noPage);
    stage.write(0, 'Holidays it?');
    await stage.pass(3000);
    expect(stage.phrases).toMatchObject([{ text: 'How late is it?', transcribed: 'corrected' }]);
    expect(stage.kept).toEqual(['person: How late is it?']);
    await stage.handlers.correctOwnWords({ talk: 'stamp-one', at, text: '' }, noPage);
    expect(stage.phrases).toEqual([]);
  });
});
