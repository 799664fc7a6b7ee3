import { describe, expect, it } from 'vitest';
import { CaptionRows, rowPartsOf } from '../../../../../renderer/talk/captions/caption-rows.ts';
import type { CaptionedTurn } from '../../../../../shared/talk/caption-patch.ts';

const turnOf = (turn: number, text: string, rest: Partial<CaptionedTurn> = {}): CaptionedTurn => ({
  turn,
  text,
  heard: 0,
  cutFrom: undefined,
  settled: false,
  ...rest,
});
const shown = (turns: readonly CaptionedTurn[]): readonly string[] =>
  new CaptionRows().of(turns).map((row) => {
    const turn = turns[row.index];
    if (turn === undefined) throw new Error('A row without its turn.');
    const { heard, coming, cut } = rowPartsOf(turn, row);
    return heard + coming + cut;
  });

const hostile = {
  sentences: 'A sentence that is as long as most are. '.repeat(100),
  words: 'word '.repeat(800),
  'one word': 'x'.repeat(4000),
  chinese: '好的。灯每三秒转一次，'.repeat(300),
  smileys: `a${'👍'.repeat(2000)}`,
  spaces: ' '.repeat(4000),
};

describe('the rows of captions', () => {
  it('are the turns, each whole', () => {
    const rows = new CaptionRows().of([turnOf(1, 'One.'), turnOf(4, '')]);
    expect(rows).toEqual([
      { key: '1:0', index: 0, from: 0, to: undefined },
      { key: '4:0', index: 1, from: 0, to: undefined },
    ]);
  });

  it.each(Object.entries(hostile))(
    'are bounded parts of a turn of %s, and lose nothing',
    (_of, text) => {
      const rows = shown([turnOf(1, text)]);
      expect(rows.join('')).toBe(text);
      expect(rows.length).toBeGreaterThan(3);
      for (const row of rows) {
        expect(row.length).toBeLessThanOrEqual(1000);
        expect(row).not.toMatch(/\p{Surrogate}/u);
      }
    },
  );

  it('end after a sentence, else between words', () => {
    for (const row of shown([turnOf(1, hostile.sentences)])) expect(row).toMatch(/^A .*are\. $/u);
    for (const row of shown([turnOf(1, hostile.words)])) expect(row).toMatch(/^word .*word $/u);
  });

  it('stand where they stood while the turn grows, and are the same list until one is new', () => {
    const growing = new CaptionRows();
    const { sentences } = hostile;
    let before = growing.of([]);
    let lists = 0;
    for (let letters = 0; letters <= sentences.length; letters += 13) {
      const turns = [turnOf(1, sentences.slice(0, letters))];
      const rows = growing.of(turns);
      expect(rows).toEqual(new CaptionRows().of(turns));
      if (rows !== before) lists += 1;
      before = rows;
    }
    expect(lists).toBe(before.length);
  });

  it('follow turns that go, and another talk', () => {
    const rows = new CaptionRows();
    const turns = [1, 2, 3].map((turn) => turnOf(turn, hostile.words));
    rows.of(turns);
    expect(rows.of(turns.slice(1))).toEqual(new CaptionRows().of(turns.slice(1)));
    const other = [turnOf(2, hostile.sentences), turnOf(3, 'x')];
    expect(rows.of(other)).toEqual(new CaptionRows().of(other));
    expect(rows.of([])).toEqual([]);
  });

  it('know what of them was heard and cut', () => {
    const turn = turnOf(1, hostile.words, { heard: 1500, cutFrom: 2500 });
    const rows = new CaptionRows().of([turn]);
    const parts = rows.map((row) => rowPartsOf(turn, row));
    expect(parts.map(({ heard }) => heard.length)).toEqual([1000, 500, 0, 0]);
    expect(parts.map(({ coming, cut }) => [coming !== '', cut !== ''])).toEqual([
      [false, false],
      [true, false],
      [true, true],
      [false, true],
    ]);
  });
});
