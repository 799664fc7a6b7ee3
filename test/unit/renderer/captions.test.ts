import { describe, expect, it } from 'vitest';
import {
  CaptionAnnouncer,
  UserTranscriptAnnouncer,
} from '../../../renderer/talk/captions/caption-live-region.tsx';
import {
  CaptionRows,
  mergeTranscriptRows,
  toRowParts,
  visiblePhrases,
} from '../../../renderer/talk/captions/caption-rows.ts';
import { formatTranscript, toCaptionParts } from '../../../renderer/talk/captions/caption-text.tsx';
import type { CaptionedTurn, UserPhrase } from '../../../shared/talk/talk-view.ts';
import { sampleTurns, sampleUserTranscript } from '../../gallery/sample-talk.ts';
import { createCueSelector, findCueStarts } from '../../../renderer/mini/mini-window.tsx';

const makeTurn = (
  turn: number,
  text: string,
  part: Partial<CaptionedTurn> = {},
): CaptionedTurn => ({
  turn,
  text,
  heard: 0,
  cutFrom: undefined,
  settled: false,
  ...part,
});
const rowTexts = (turns: readonly CaptionedTurn[]): readonly string[] =>
  new CaptionRows().update(turns).map((row) => {
    const turn = turns[row.index];
    if (turn === undefined) throw new Error('The row has no turn.');
    const { heard, coming, cut } = toRowParts(turn, row);
    return heard + coming + cut;
  });

const longTexts = {
  sentences: 'A sentence that is as long as most are. '.repeat(100),
  words: 'word '.repeat(800),
  'one word': 'x'.repeat(4000),
  chinese: '好的。灯每三秒转一次，'.repeat(300),
  smileys: `a${'👍'.repeat(2000)}`,
  spaces: ' '.repeat(4000),
};

describe('caption rows', () => {
  it('have one row per short turn', () => {
    const rows = new CaptionRows().update([makeTurn(1, 'One.'), makeTurn(4, '')]);
    expect(rows).toEqual([
      { key: '1:0', index: 0, from: 0, to: undefined },
      { key: '4:0', index: 1, from: 0, to: undefined },
    ]);
  });

  it.each(Object.entries(longTexts))(
    'split a turn of %s into bounded rows without losing text',
    (_of, text) => {
      const rows = rowTexts([makeTurn(1, text)]);
      expect(rows.join('')).toBe(text);
      expect(rows.length).toBeGreaterThan(3);
      for (const row of rows) {
        expect(row.length).toBeLessThanOrEqual(1000);
        expect(row).not.toMatch(/\p{Surrogate}/u);
      }
    },
  );

  it('end after a sentence, or else between words', () => {
    for (const row of rowTexts([makeTurn(1, longTexts.sentences)]))
      expect(row).toMatch(/^A .*are\. $/u);
    for (const row of rowTexts([makeTurn(1, longTexts.words)]))
      expect(row).toMatch(/^word .*word $/u);
  });

  it('stay the same while the turn grows, until a row is added', () => {
    const growing = new CaptionRows();
    const { sentences } = longTexts;
    let before = growing.update([]);
    let lists = 0;
    for (let letters = 0; letters <= sentences.length; letters += 13) {
      const turns = [makeTurn(1, sentences.slice(0, letters))];
      const rows = growing.update(turns);
      expect(rows).toEqual(new CaptionRows().update(turns));
      if (rows !== before) lists += 1;
      before = rows;
    }
    expect(lists).toBe(before.length);
  });

  it('are rebuilt when old turns are dropped and when a new talk begins', () => {
    const rows = new CaptionRows();
    const turns = [1, 2, 3].map((turn) => makeTurn(turn, longTexts.words));
    rows.update(turns);
    expect(rows.update(turns.slice(1))).toEqual(new CaptionRows().update(turns.slice(1)));
    const other = [makeTurn(2, longTexts.sentences), makeTurn(3, 'x')];
    expect(rows.update(other)).toEqual(new CaptionRows().update(other));
    expect(rows.update([])).toEqual([]);
  });

  it('split into heard, coming and cut text', () => {
    const turn = makeTurn(1, longTexts.words, { heard: 1500, cutFrom: 2500 });
    const rows = new CaptionRows().update([turn]);
    const parts = rows.map((row) => toRowParts(turn, row));
    expect(parts.map(({ heard }) => heard.length)).toEqual([1000, 500, 0, 0]);
    expect(parts.map(({ coming, cut }) => [coming !== '', cut !== ''])).toEqual([
      [false, false],
      [true, false],
      [true, true],
      [false, true],
    ]);
  });
});

const turn = (number: number, text = 'Hello.') => makeTurn(number, text, { settled: true });
const phrase = (
  at: number,
  after: number | undefined,
  state: UserPhrase['state'] = 'written',
): UserPhrase => ({ at, after, state, seconds: 2, text: 'Hi.', transcribed: 'byMachine' });

const keys = (turns: readonly CaptionedTurn[], phrases: readonly UserPhrase[]) =>
  mergeTranscriptRows(new CaptionRows().update(turns), turns, phrases).map(({ key }) => key);

describe('the merged rows', () => {
  it('are in the order in which they began', () => {
    const phrases = [phrase(10, undefined), phrase(20, 4), phrase(30, 4), phrase(40, 9)];
    expect(keys([turn(4), turn(7), turn(9)], phrases)).toEqual([
      'own:10',
      '4:0',
      'own:20',
      'own:30',
      '7:0',
      '9:0',
      'own:40',
    ]);
  });

  it('do not split a long turn, and work without turns', () => {
    const long = turn(2, 'A sentence of some words. '.repeat(120));
    const rows = keys([turn(1), long], [phrase(10, 1), phrase(20, 2)]);
    expect(rows.length).toBeGreaterThan(5);
    expect([rows[1], rows.at(-1)]).toEqual(['own:10', 'own:20']);
    expect(rows.slice(2, -1).every((key) => key.startsWith('2:'))).toBe(true);
    expect(keys([], [phrase(10, undefined)])).toEqual(['own:10']);
  });

  it('mark when the user spoke if nothing was transcribed', () => {
    const turns = [turn(4), turn(7)];
    const rows = new CaptionRows().update(turns);
    const spoken = [
      { at: 10, after: undefined, seconds: 3 },
      { at: 20, after: 4, seconds: 2 },
      { at: 30, after: 7, seconds: 1 },
    ];
    const marked = (phrases: readonly UserPhrase[]) =>
      mergeTranscriptRows(rows, turns, phrases, spoken).map(({ key }) => key);
    expect(marked([])).toEqual(['spoken:10', '4:0', 'spoken:20', '7:0', 'spoken:30']);
    expect(marked([phrase(15, 4)])).toEqual(['4:0', 'own:15', '7:0']);
  });

  it('leave out phrases that are only transcribed after the talk', () => {
    const phrases = [phrase(10, undefined, 'waiting'), phrase(20, 1)];
    const shown = (kind: 'afterTalk' | 'queued') =>
      visiblePhrases({ status: { kind, demonstration: false }, phrases }).map(({ at }) => at);
    expect(shown('afterTalk')).toEqual([20]);
    expect(shown('queued')).toEqual([10, 20]);
  });
});

const spokenTurn = makeTurn(1, 'One. Two, three. Four');

describe('a caption', () => {
  it('splits into heard, coming and cut text', () => {
    expect(toCaptionParts({ ...spokenTurn, heard: 5, cutFrom: 9 })).toEqual({
      heard: 'One. ',
      coming: 'Two, ',
      cut: 'three. Four',
    });
    expect(toCaptionParts({ ...spokenTurn, heard: 30, cutFrom: 9 })).toEqual({
      heard: 'One. Two,',
      coming: ' ',
      cut: 'three. Four',
    });
  });

  it('never splits a surrogate pair', () => {
    const { heard, coming } = toCaptionParts({ ...spokenTurn, text: 'a👍b', heard: 2 });
    expect([heard, coming]).toEqual(['a👍', 'b']);
  });
});

const names = { you: 'You: ', parley: 'Parley: ' };

it('the copied transcript contains heard answers and transcribed phrases in order', () => {
  const captions = sampleTurns('en');
  const { phrases } = sampleUserTranscript('en');
  const text = formatTranscript({ captions, phrases }, names);
  const who = text.split('\n\n').map((line) => line.split(':')[0]);
  expect(who).toEqual(['You', 'Parley', 'Parley', 'You', 'Parley']);
  expect(text).toContain('You: What does a lighthouse keeper do all day?');
  // Cut or upcoming text was not heard.
  expect(text).not.toContain('which begins in the year');
  expect(text).not.toContain('miles away');
});

describe('the caption announcer', () => {
  it('announces whole heard sentences, each once, and the rest at the end of the turn', () => {
    const announcer = new CaptionAnnouncer();
    const said = [2, 4, 5, 9, 17, 20].map((heard) => announcer.next([{ ...spokenTurn, heard }]));
    expect(said).toEqual([undefined, 'One.', undefined, undefined, 'Two, three.', undefined]);
    expect(announcer.next([{ ...spokenTurn, heard: 21, settled: true }])).toBe('Four');
    expect(announcer.next([{ ...spokenTurn, heard: 21, settled: true }])).toBeUndefined();
    expect(announcer.next([{ ...spokenTurn, turn: 2, heard: 4 }])).toBe('One.');
  });

  it('recognizes Chinese full stops, and does not split numbers', () => {
    const announcer = new CaptionAnnouncer();
    const text = '好的。灯每3.5秒';
    expect(announcer.next([{ ...spokenTurn, text, heard: text.length }])).toBe('好的。');
  });

  it('announces the answers of the next talk, whose turns count from one again', () => {
    const announcer = new CaptionAnnouncer();
    const heard = (turn: number) => makeTurn(turn, spokenTurn.text, { heard: 4, settled: true });
    const turns = [1, 2, 3].map(heard);
    expect(announcer.next(turns)).toBe('One. One. One.');
    expect(announcer.next([])).toBeUndefined();
    expect(announcer.next([heard(1)])).toBe('One.');
  });

  it('continues from the earlier place after a seek back, without the words before that place', () => {
    const announcer = new CaptionAnnouncer();
    const { text } = spokenTurn;
    announcer.next([1, 2, 3].map((turn) => makeTurn(turn, text, { heard: 21, settled: true })));
    expect(announcer.next([{ ...spokenTurn, turn: 1, heard: 4 }])).toBeUndefined();
    expect(announcer.next([{ ...spokenTurn, turn: 1, heard: 17 }])).toBe('Two, three.');
  });

  it('announces no text that was never heard', () => {
    const cut = { ...spokenTurn, heard: 4, cutFrom: 4, settled: true };
    expect(new CaptionAnnouncer().next([cut])).toBe('One.');
  });
});

const makePhrase = (at: number, text: string, part: Partial<UserPhrase> = {}): UserPhrase => ({
  at,
  seconds: 1,
  after: undefined,
  state: 'written',
  text,
  transcribed: 'byMachine',
  ...part,
});

describe('the user transcript announcer', () => {
  it('announces each phrase only when it is first transcribed', () => {
    const announcer = new UserTranscriptAnnouncer([makePhrase(1, 'There before')]);
    const waits = makePhrase(2, '', { state: 'waiting' });
    expect(announcer.next([makePhrase(1, 'There before'), waits])).toEqual([]);
    expect(announcer.next([makePhrase(1, 'There before'), makePhrase(2, 'Good day')])).toEqual([
      'Good day',
    ]);
    const corrected = makePhrase(2, 'Good morning', { transcribed: 'corrected' });
    expect(announcer.next([makePhrase(1, 'There before'), corrected])).toEqual([]);
    expect(announcer.next([corrected, makePhrase(3, '')])).toEqual([]);
  });

  it('announces only the two newest of many phrases', () => {
    const announcer = new UserTranscriptAnnouncer([]);
    const all = [1, 2, 3, 4].map((at) => makePhrase(at, `Phrase ${at}`));
    expect(announcer.next(all)).toEqual(['Phrase 3', 'Phrase 4']);
    expect(announcer.next(all.slice(0, 1))).toEqual([]);
    expect(announcer.next(all.slice(0, 2))).toEqual(['Phrase 2']);
  });
});

const cueTurn = (text: string, heard: number, cutFrom?: number) => ({
  turn: 1,
  text,
  heard,
  cutFrom,
  settled: false,
});
const visibleCue = (turn: CaptionedTurn) => createCueSelector()(turn);
const cues = (text: string): readonly string[] => {
  const starts = findCueStarts(text);
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
};
const long =
  'Of course. The light turns once in ten seconds, and on a clear night you can see it from afar. It was built long ago by people whose names nobody has kept, and it still stands.';

describe('the visible cue', () => {
  it('breaks after a sentence if that fills half of it, or else between words', () => {
    expect(cues(long)).toEqual([
      'Of course. The light turns once in ten seconds, and on a clear night you can see it ',
      'from afar. It was built long ago by people whose names nobody has kept, and it still ',
      'stands.',
    ]);
    expect(
      cues(
        'One sentence that fills more than half of the lines. And another one that is long as well.',
      ),
    ).toEqual([
      'One sentence that fills more than half of the lines. ',
      'And another one that is long as well.',
    ]);
  });

  it('holds half as many Chinese characters as Latin ones', () => {
    const text = '当然可以，'.repeat(20);
    for (const cue of cues(text)) expect(cue.length).toBeLessThanOrEqual(42);
    expect(cues(text).join('')).toBe(text);
  });

  it('loses no text and terminates for any text', () => {
    for (const text of ['', ' ', 'x'.repeat(500), '👩‍👩‍👧‍👦'.repeat(200), '. '.repeat(300)]) {
      expect(cues(text).join('')).toBe(text);
    }
  });

  it('stays until all of it has been heard, and the last cue stays after that', () => {
    expect(visibleCue(cueTurn(long, 3)).heard).toBe('Of ');
    expect(visibleCue(cueTurn(long, 80)).coming).toBe(' it ');
    const next = visibleCue(cueTurn(long, 90));
    expect(next.heard).toBe('from a');
    expect(next.coming).toMatch(/^far\. It was/);
    expect(visibleCue(cueTurn(long, long.length))).toEqual({
      heard: 'stands.',
      coming: '',
      cut: '',
    });
  });

  it('shows cut words as cut', () => {
    const { heard, coming, cut } = visibleCue(cueTurn(long, 20, 20));
    expect(heard + coming).toBe('Of course. The light ');
    expect(cut).toMatch(/^turns once/);
  });

  it('is the same for a growing text as for a complete one', () => {
    const all = `${long} 当然可以，${'One. '.repeat(30)}${long}`;
    const growing = createCueSelector();
    for (let letters = 0; letters <= all.length; letters += 7) {
      const text = all.slice(0, letters);
      for (const heard of [0, letters >> 1, letters])
        expect(growing(cueTurn(text, heard))).toEqual(visibleCue(cueTurn(text, heard)));
    }
    // Another talk can start with the same turn number.
    expect(growing(cueTurn('No.', 0)).coming).toBe('No.');
  });
});
