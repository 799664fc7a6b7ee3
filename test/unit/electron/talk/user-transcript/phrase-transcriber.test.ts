import { describe, expect, it } from 'vitest';
import { cleanTranscript } from '../../../../../electron/talk/user-transcript/phrase-transcription.ts';
import { PhraseTranscriberHarness } from './phrase-transcriber-harness.ts';
import {
  type CutPhrase,
  PhraseCutter,
} from '../../../../../electron/talk/user-transcript/phrase-cutter.ts';
import { randomRuns, seeded } from '../../../../fakes/seeded.ts';

describe('transcribed phrases', () => {
  it('use one session in turn, which is released soon after the last phrase', async () => {
    const harness = new PhraseTranscriberHarness({ workers: 1 });
    harness.say(0, 0);
    harness.say(5000, 1);
    harness.say(9000, 'other');
    await harness.pass(12_000);
    expect(harness.last).toEqual({
      0: { state: 'written', text: 'Where is the station?' },
      5000: { state: 'written', text: 'It is late.' },
      9000: { state: 'written', text: '' },
    });
    expect(harness.opened).toBe(1);
    expect(harness.statuses.at(-1)).toEqual({ kind: 'idle' });
    // The only worker is free, so a new talk does not wait.
    const talk = harness.talk();
    await harness.pass(2000);
    expect(talk.phase).toBe('live');
    talk.end();
    await harness.pass(2000);
  });

  it('leave a queue at once while a talk runs, and wait in the queue after the talk', async () => {
    const harness = new PhraseTranscriberHarness({ workers: 1 });
    const talk = harness.talk();
    await harness.pass(2000);
    harness.writer.permit('ifFree');
    harness.say(0);
    await harness.pass(2000);
    expect(harness.last).toEqual({ 0: { state: 'waiting' } });
    expect(harness.statuses.at(-1)).toEqual({ kind: 'busy' });
    // Another client joins the queue first.
    const other = harness.talk();
    talk.end();
    await harness.pass(2000);
    expect(other.phase).toBe('live');
    harness.writer.permit('yes');
    await harness.pass(2000);
    expect(harness.statuses.at(-1)).toEqual({ kind: 'queued', position: 1 });
    other.end();
    await harness.pass(6000);
    expect(harness.last).toEqual({ 0: { state: 'written', text: 'Where is the station?' } });
  });

  it('release the session during a phrase when the talk needs a worker, and lose no phrase', async () => {
    const harness = new PhraseTranscriberHarness({ workers: 1 });
    harness.writer.permit('ifFree');
    harness.say(0);
    harness.say(3000, 1);
    await harness.pass(300);
    expect(harness.last).toMatchObject({ 0: { state: 'writing' } });
    // The talk reconnects and needs a worker.
    harness.writer.permit('no');
    const talk = harness.talk();
    await harness.pass(1500);
    expect(talk.phase).toBe('live');
    expect(harness.last).toMatchObject({ 0: { state: 'waiting' } });
    harness.writer.permit('yes');
    talk.end();
    await harness.pass(9000);
    expect(harness.last).toMatchObject({ 0: { state: 'written' }, 3000: { state: 'written' } });
  });

  it('are not requested after three failed phrases in a row, until the user retries', async () => {
    const harness = new PhraseTranscriberHarness({
      workers: 1,
      faults: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((session) => ({
        session,
        kind: 'drop' as const,
        atStep: 1,
      })),
    });
    for (const at of [0, 1, 2, 3, 4]) harness.say(at);
    await harness.pass(180_000);
    const { opened } = harness;
    expect(opened).toBeLessThanOrEqual(9);
    expect(Object.values(harness.last).map(({ state }) => state)).toEqual(
      Array.from({ length: 5 }, () => 'unwritten'),
    );
    expect(harness.statuses.at(-1)).toMatchObject({ kind: 'failed' });
    harness.say(9);
    await harness.pass(60_000);
    expect(harness.opened).toBe(opened);
    expect(harness.last).toMatchObject({ 9: { state: 'unwritten' } });
    // Failed phrases can be retried.
    while (harness.opened < 12) {
      harness.writer.retry('talk');
      await harness.pass(60_000);
    }
    harness.writer.retry('talk');
    await harness.pass(60_000);
    expect(Object.values(harness.last).map(({ state }) => state)).toEqual(
      Array.from({ length: 6 }, () => 'written'),
    );
  });

  it('report once if the server has no chat', async () => {
    const harness = new PhraseTranscriberHarness({}, 'legacy');
    harness.say(0);
    harness.say(1);
    await harness.pass(5000);
    harness.say(2);
    await harness.pass(5000);
    expect(harness.opened).toBe(1);
    for (const at of [0, 1, 2])
      expect(harness.last[at]).toMatchObject({
        state: 'unwritten',
        error: { code: 'noChatInLegacy' },
      });
    expect(harness.statuses.filter(({ kind }) => kind === 'failed')).toHaveLength(1);
  });

  it('are discarded with their talk, even during a request, while others continue', async () => {
    const harness = new PhraseTranscriberHarness();
    harness.say(0, 0, 'one');
    harness.say(1, 1, 'two');
    await harness.pass(300);
    harness.writer.forget((talk) => talk === 'one');
    const said = harness.news.length;
    await harness.pass(6000);
    expect(harness.news.slice(said).map(([at]) => at)).not.toContain(0);
    expect(harness.last).toMatchObject({ 1: { state: 'written', text: 'It is late.' } });
  });

  it('are stored for up to ten minutes of speech', async () => {
    const harness = new PhraseTranscriberHarness();
    harness.writer.permit('no');
    const samples = new Float32Array(20 * 16_000);
    for (let at = 0; at < 32; at += 1)
      harness.writer.add({ talk: 'talk', at, server: 'server', samples });
    expect(harness.news.map(([at, { state }]) => [at, state])).toEqual([
      [0, 'unwritten'],
      [1, 'unwritten'],
    ]);
    await harness.writer.end();
  });
});

describe('the spoken words in a model’s answer', () => {
  it.each([
    ['Where is the station?', 'Where is the station?'],
    ['  Where is\n the station? ', 'Where is the station?'],
    ['"Where is the station?"', 'Where is the station?'],
    ['“Where is the station?”', 'Where is the station?'],
    ['The speaker says: "Where is the station?"', 'Where is the station?'],
    ['Sure! Here is the transcript: Where is the station?', 'Where is the station?'],
    ['Transcription: Where is the station?', 'Where is the station?'],
    ['<think>Somebody asks.\nSo:</think>Where is the station?', 'Where is the station?'],
    ['「车站在哪里？」', '车站在哪里？'],
    ['好的，转写结果如下：“车站在哪里？”', '车站在哪里？'],
    ['说话人说：车站在哪里？', '车站在哪里？'],
    ['He said: "no", and then: "yes"', 'He said: "no", and then: "yes"'],
    ['"One" and "two"', '"One" and "two"'],
    ['The person I mean says hello.', 'The person I mean says hello.'],
    ['Here is the thing: I am lost.', 'Here is the thing: I am lost.'],
    ['I want to [unclear] there.', 'I want to … there.'],
    ['Okay.', 'Okay.'],
    ['3', '3'],
  ])('are read from %j as %j', (answer, words) => {
    expect(cleanTranscript(answer, 3)).toBe(words);
  });

  it.each([
    '',
    '[unclear]',
    '[unclear] I am only a demonstration.',
    '(inaudible)',
    'Silence.',
    '（听不清）',
    '[无法听清]',
    '…',
    '""',
    'No speech',
  ])('are missing in %j', (answer) => {
    expect(cleanTranscript(answer, 3)).toBe('');
  });

  it('are left out if nobody could have said so much in the time', () => {
    const story = 'Once upon a time there was a king. '.repeat(10);
    expect(cleanTranscript(story, 2)).toBe('');
    expect(cleanTranscript(story, 20)).toBe(story.trim());
  });
});

const ms = 16;

/** A microphone with blocks of 20 ms or the given length. */
class Speaking {
  readonly phrases: CutPhrase[] = [];
  readonly cutter = new PhraseCutter((phrase) => {
    this.phrases.push(phrase);
  });
  now = 0;

  pass(length: number, level: number, { isUsersVoice = true, block = 20 } = {}): this {
    for (let left = length; left > 0; left -= block) {
      const samples = new Float32Array(Math.min(block, left) * ms);
      for (let n = 0; n < samples.length; n += 1) samples[n] = n % 2 === 0 ? level : -level;
      this.now += Math.min(block, left);
      this.cutter.push(samples, this.now, isUsersVoice);
    }
    return this;
  }

  get times(): readonly (readonly [number, number])[] {
    return this.phrases.map(({ samples, begunAt }) => [begunAt, begunAt + samples.length / ms]);
  }
}

describe('phrases', () => {
  it('begin before the voice and end in its pause', () => {
    const speaking = new Speaking().pass(2000, 0).pass(1500, 0.2).pass(1000, 0);
    const [[from, to] = [0, 0]] = speaking.times;
    expect(speaking.phrases).toHaveLength(1);
    expect(from).toBeGreaterThanOrEqual(1600);
    expect(from).toBeLessThanOrEqual(1800);
    expect(to).toBeGreaterThanOrEqual(3560);
    expect(to).toBeLessThanOrEqual(3760);
  });

  it('continue over short pauses between words', () => {
    const speaking = new Speaking();
    for (let word = 0; word < 5; word += 1) speaking.pass(300, 0.2).pass(500, 0);
    expect(speaking.pass(1000, 0).phrases).toHaveLength(1);
    for (let word = 0; word < 3; word += 1) speaking.pass(300, 0.2).pass(900, 0);
    expect(speaking.phrases).toHaveLength(4);
  });

  it('exclude the answer’s echo', () => {
    const speaking = new Speaking().pass(3000, 0.2, { isUsersVoice: false }).pass(500, 0);
    expect(speaking.phrases).toEqual([]);
    speaking.pass(1000, 0.2, { isUsersVoice: false }).pass(1000, 0.3).pass(1000, 0);
    expect(speaking.phrases).toHaveLength(1);
    expect(speaking.times[0]?.[0]).toBeGreaterThanOrEqual(4100);
  });

  it('are divided at the quietest place before they are too long, without loss', () => {
    const speaking = new Speaking().pass(500, 0);
    speaking.pass(17_000, 0.3).pass(120, 0.03).pass(9000, 0.3).pass(1000, 0);
    const [first, second] = speaking.times;
    expect(speaking.phrases).toHaveLength(2);
    expect(first?.[1]).toBeGreaterThanOrEqual(17_500);
    expect(first?.[1]).toBeLessThanOrEqual(17_620);
    expect(second?.[0]).toBe(first?.[1]);
  });

  it('have their spoken time, including pre-roll from before the talk key', () => {
    const speaking = new Speaking().pass(3000, 0);
    // Half a second of pre-roll arrives with the key.
    speaking.now -= 500;
    speaking.pass(500, 0.2, { block: 500 }).pass(500, 0.2).pass(1000, 0);
    expect(speaking.times[0]?.[0]).toBeLessThanOrEqual(2500);
    expect(speaking.times[0]?.[0]).toBeGreaterThanOrEqual(2100);
  });

  it('never overlap and are never longer than twenty seconds, for random sound', () => {
    for (let run = 0; run < randomRuns(24); run += 1) {
      const random = seeded(run + 1);
      const speaking = new Speaking();
      const block = [20, 37, 100][run % 3] ?? 20;
      for (let stretch = 0; stretch < 6; stretch += 1) {
        const level = [0, 0.01, 0.1, 0.4][Math.floor(random() * 4)] ?? 0;
        speaking.pass(Math.ceil(random() * 9000), level, { block });
      }
      speaking.cutter.finish();
      let before = 0;
      for (const [from, to] of speaking.times) {
        expect(from).toBeGreaterThanOrEqual(before);
        expect(to - from).toBeLessThanOrEqual(20_000);
        // Times are whole milliseconds.
        before = to - 1;
      }
      expect(before).toBeLessThanOrEqual(speaking.now);
    }
  });
});
