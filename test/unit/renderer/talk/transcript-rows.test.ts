import { describe, expect, it } from 'vitest';
import {
  CaptionRows,
  mergeTranscriptRows,
  visiblePhrases,
} from '../../../../renderer/talk/captions/caption-rows.ts';
import type { CaptionedTurn, UserPhrase } from '../../../../shared/talk/captions.ts';

const turn = (turn: number, text = 'Hello.'): CaptionedTurn => ({
  turn,
  text,
  heard: 0,
  cutFrom: undefined,
  settled: true,
});
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

  it('hide phrases that wait for the end of the talk', () => {
    const phrases = [phrase(10, undefined, 'waiting'), phrase(20, 1)];
    const shown = (kind: 'afterTalk' | 'queued') =>
      visiblePhrases({ status: { kind, demonstration: false }, phrases }).map(({ at }) => at);
    expect(shown('afterTalk')).toEqual([20]);
    expect(shown('queued')).toEqual([10, 20]);
  });
});
