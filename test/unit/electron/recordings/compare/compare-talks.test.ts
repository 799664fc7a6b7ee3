import { describe, expect, it } from 'vitest';
import {
  compareTalks,
  pairSpeech,
  type MeasuredTalk,
  toPercentiles,
} from '../../../../../electron/recordings/compare/compare-talks.ts';
import {
  defaultComparisonBounds,
  differencesBeyond,
  type MeasuredAnswer,
} from '../../../../../shared/recordings/tape-comparison.ts';

/** Speech segments from start and length in seconds. */
const speech = (...stretches: readonly (readonly [number, number])[]) =>
  stretches.map(([from, length]) => ({ from: from * 1000, to: (from + length) * 1000 }));

const userSpeech = speech([1, 2], [10, 1.2], [20, 3]);

/** A talk with answers by the index of the speech that they answer; `unasked` comes first. */
function talk(
  said: MeasuredTalk['speech'],
  answers: Readonly<Record<number | 'unasked', string> | Record<number, string>>,
  { latencyMs = 800, troubles = [] as readonly string[] } = {},
): MeasuredTalk {
  const answerTo = new Map<number | undefined, number>();
  const list = Object.entries(answers).map(([key, text], index): MeasuredAnswer => {
    const to = key === 'unasked' ? undefined : Number(key);
    answerTo.set(to, index);
    const spokeUntil = to === undefined ? undefined : said[to]?.to;
    const delay = spokeUntil === undefined ? undefined : latencyMs;
    return { at: (spokeUntil ?? 0) + latencyMs, text, spokeUntil, latencyMs: delay, cut: false };
  });
  return {
    speech: said,
    answerTo,
    measures: {
      mode: 'audio',
      server: 'wss://one.example/',
      recordedAt: '2026-01-02T03:04:05.000Z',
      lengthMs: 30_000,
      answers: list,
      latencyMs: toPercentiles(list.flatMap((answer) => answer.latencyMs ?? [])),
      interruptions: 0,
      reconnects: 0,
      troubles,
      limits: [],
      ending: undefined,
    },
  };
}

const texts = (one: MeasuredTalk, other: MeasuredTalk) =>
  compareTalks(one, other).answers.map((pair) => [pair.one?.text, pair.other?.text]);

describe('pairing the speech of two talks', () => {
  const later = (ms: number) =>
    userSpeech.map(({ from, to }) => ({ from: from + ms, to: to + ms }));

  it('pairs the same speech at any offset', () => {
    expect(pairSpeech(userSpeech, later(7300))).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  it('leaves speech unpaired that only one talk has, at any position', () => {
    const [, ...withoutFirst] = later(4000);
    expect(pairSpeech(userSpeech, withoutFirst)).toEqual([
      [0, undefined],
      [1, 0],
      [2, 1],
    ]);
    expect(pairSpeech(withoutFirst, userSpeech)[0]).toEqual([undefined, 0]);
    expect(pairSpeech(userSpeech, userSpeech.toSpliced(1, 1))).toContainEqual([1, undefined]);
  });

  it('pairs by order if a user repeats the words at other times and speeds', () => {
    const repeated = speech([3, 2.4], [19, 1], [41, 2.6]);
    expect(pairSpeech(userSpeech, repeated)).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  it('finds by the time which of several equal segments is missing', () => {
    const four = speech([1, 2], [8, 2], [15, 2], [22, 2]);
    const three = four.toSpliced(2, 1);
    expect(pairSpeech(four, three)).toContainEqual([2, undefined]);
  });

  it('pairs nothing without speech', () => {
    expect(pairSpeech([], [])).toEqual([]);
    expect(pairSpeech(userSpeech, [])).toHaveLength(3);
  });
});

describe('comparing two talks', () => {
  it('shows a missing answer as missing and keeps the others in place', () => {
    const one = talk(userSpeech, { 0: 'red', 1: 'green', 2: 'blue' });
    const other = talk(userSpeech, { 0: 'red', 2: 'blue' });
    expect(texts(one, other)).toEqual([
      ['red', 'red'],
      ['green', undefined],
      ['blue', 'blue'],
    ]);
    expect(texts(other, one)[1]).toEqual([undefined, 'green']);
  });

  it('pairs unprompted answers with each other', () => {
    const one = talk(userSpeech, { unasked: 'hello', 0: 'red' });
    expect(texts(one, talk(userSpeech, { 0: 'red' }))).toContainEqual(['hello', undefined]);
  });

  it('pairs answers by order if no speech was heard', () => {
    const one = talk([], { [-1]: 'red', [-2]: 'green' });
    expect(texts(one, talk(userSpeech, { 0: 'red' }))).toEqual([
      ['red', 'red'],
      ['green', undefined],
    ]);
  });

  it('compares the words of all answers regardless of their pairing', () => {
    const one = talk(userSpeech, { 0: 'red green', 1: 'blue' });
    const other = talk(userSpeech, { 0: 'red', 1: 'green blue' });
    expect(compareTalks(one, other).sameWords).toBe(1);
  });
});

describe('the difference between two talks', () => {
  const one = talk(userSpeech, { 0: 'red', 1: 'green' });
  const differs = (other: MeasuredTalk, bounds = defaultComparisonBounds) =>
    differencesBeyond(compareTalks(one, other), bounds);

  it('is empty for equal talks', () => {
    expect(differs(one)).toEqual([]);
  });

  it('includes missing answers beyond the allowed number', () => {
    const other = talk(userSpeech, { 0: 'red green' });
    expect(differs(other)).toEqual(['answers']);
    expect(differs(other, { ...defaultComparisonBounds, maxMissing: 1 })).toEqual([]);
    // An additional answer is not a missing one.
    expect(differencesBeyond(compareTalks(other, one), defaultComparisonBounds)).toEqual([]);
  });

  it('includes latency above the allowed ratio and the measuring error', () => {
    const said = { 0: 'red', 1: 'green' };
    expect(differs(talk(userSpeech, said, { latencyMs: 1300 }))).toEqual(['latency']);
    expect(differs(talk(userSpeech, said, { latencyMs: 1100 }))).toEqual([]);
    const fast = talk(userSpeech, said, { latencyMs: 50 });
    const slower = talk(userSpeech, said, { latencyMs: 150 });
    expect(differencesBeyond(compareTalks(fast, slower), defaultComparisonBounds)).toEqual([]);
  });

  it('includes other words and new troubles', () => {
    expect(differs(talk(userSpeech, { 0: 'yes', 1: 'no' }))).toEqual(['words']);
    expect(differs(talk(userSpeech, { 0: 'red', 1: 'green' }, { troubles: ['closed'] }))).toEqual([
      'troubles',
    ]);
  });
});
