import { beforeEach, describe, expect, it } from 'vitest';
import { createOwnWordsHandlers } from '../../../../../electron/recordings/history/own-words-handlers.ts';
import { parseStoredTalk } from '../../../../../electron/recordings/history/talk-source.ts';
import {
  OwnWordsController,
  type WriterEvents,
} from '../../../../../electron/talk/own-words/own-words-controller.ts';
import type { WriterPermission } from '../../../../../electron/talk/own-words/phrase-writer.ts';
import type { SpokenPhrase } from '../../../../../electron/talk/own-words/waiting-phrases.ts';
import { noPage } from '../../../../../shared/ipc/page.ts';
import type { OwnPhrase } from '../../../../../shared/talk/own-words.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';
import { byPerson, lost } from '../stage.ts';
import { TalkControllerHarness } from '../talk-controller-harness.ts';

/** A talk whose phrases come to the test, which writes them down. */
class OwnWordsStage {
  readonly added: SpokenPhrase[] = [];
  readonly permissions: WriterPermission[] = [];
  readonly forgotten: string[] = [];
  events: WriterEvents = { report: () => undefined, status: () => undefined };
  readonly words: OwnWordsController = new OwnWordsController({
    clock: { now: () => this.talk.clock.now() },
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
  readonly talk = new TalkControllerHarness({ ownWords: this.words });
  readonly handlers = createOwnWordsHandlers({
    ownWords: this.words,
    tapeWords: { write: () => Promise.reject(new Error('There is no tape.')) },
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

  /** A second of voice, and the pause that ends it. */
  async speak(): Promise<void> {
    for (let block = 0; block < 100; block += 1) {
      this.talk.clock.advance(20);
      const samples = new Float32Array(320);
      if (block < 50) samples.forEach((_, n) => (samples[n] = n % 2 === 0 ? 0.2 : -0.2));
      this.words.pushAudio(samples, true);
    }
    await flushPromises();
  }

  get phrases(): readonly OwnPhrase[] {
    return this.talk.controller.view.ownWords.phrases;
  }

  /** What stands on the disk, both sides. */
  get kept(): readonly string[] {
    const { text = '' } = this.talk.talkStore.stored.get('stamp-one') ?? {};
    const record = parseStoredTalk('stamp-one', text);
    return record.ok ? record.value.turns.map(({ by, text }) => `${by}: ${text}`) : [];
  }

  write(index: number, text: string): void {
    const phrase = this.added[index];
    if (phrase === undefined) throw new Error('There is no such phrase.');
    this.events.report(phrase, { state: 'written', text });
  }
}

let stage: OwnWordsStage;

beforeEach(() => {
  stage = new OwnWordsStage();
});

describe('what the person says', () => {
  it('is shown and kept where it was said, before what answers it', async () => {
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
    // Heard from the beginning: within a fifth of a second of when it was said.
    expect(stage.added[0]?.at).toBeLessThanOrEqual(60);
    expect(stage.added[0]?.server).toBe('one');
  });

  it.each([31_536_000_000, -31_536_000_000])(
    'is shown where it was said though the calendar is set by %i ms meanwhile',
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

  it('is sent nowhere where that is not wanted, and not cut at all', async () => {
    await stage.talk.live();
    await stage.speak();
    expect([stage.added, stage.phrases]).toEqual([[], []]);
    expect(stage.talk.controller.view.ownWords.status.kind).toBe('off');
  });

  it('is sent nowhere from a talk that leaves nothing', async () => {
    stage.want('whileTalking');
    stage.talk.incognito = true;
    await stage.talk.live();
    await stage.speak();
    expect(stage.added).toEqual([]);
    expect(stage.talk.controller.view.ownWords.status.kind).toBe('off');
  });

  it('is asked for while talking only where that is wanted, and never while the talk has no place', async () => {
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

  it('is written into the record after the talk as well, and into that of the talk before', async () => {
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

  it('does not bring back a talk that was deleted meanwhile', async () => {
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

  it('is kept with the talk when that is decided later', async () => {
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

  it('is put right by hand, on the screen and in the record, and no machine changes it again', async () => {
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
