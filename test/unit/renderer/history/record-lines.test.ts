import { describe, expect, it } from 'vitest';
import { heardParts, recordLines, recordText } from '../../../../renderer/history/history-text.ts';
import { recordTitle } from '../../../../shared/recordings/history-item.ts';
import { sampleRecord } from '../../../gallery/sample-history.ts';

const record = sampleRecord('en');
const names = { you: 'I: ', parley: 'It: ' };

describe('a stored talk', () => {
  it('lists words, pictures and events in order, without the beginning and the end', () => {
    const kinds = recordLines(record).map(({ kind, at }) => `${at / 1000} ${kind}`);
    expect(kinds).toEqual([
      '3 turn',
      '6.2 turn',
      '19.4 turn',
      '24 event',
      '40 event',
      '44 event',
      '51 event',
      '58 event',
      '62 picture',
      '64 turn',
    ]);
  });

  it('numbers turns as in the record, counting silent ones', () => {
    const [first, ...others] = record.turns;
    const silent = { by: 'parley', at: 1000, text: ' ', heard: 1 } as const;
    const turns = first === undefined ? [] : [silent, first, ...others];
    const lines = recordLines({ ...record, turns, events: [], pictures: [] });
    expect(lines.map((line) => (line.kind === 'turn' ? line.index : -1))).toEqual([1, 2, 3, 4]);
  });

  it('strikes out unheard words after the talk, but not while they may still be heard', () => {
    const turn = { by: 'parley', at: 0, text: 'one two three', heard: 7 } as const;
    expect(heardParts(turn, true)).toMatchObject({ heard: 7, cutFrom: 7 });
    expect(heardParts(turn, false).cutFrom).toBeUndefined();
    expect(heardParts({ ...turn, cutFrom: 4 }, false).cutFrom).toBe(4);
    // The user's words count as spoken regardless of `heard`.
    expect(heardParts({ ...turn, by: 'person' }, true)).toMatchObject({
      heard: 13,
      cutFrom: undefined,
    });
  });

  it('is copied as far as it was heard', () => {
    const turns = [
      { by: 'person', at: 0, text: 'Hello', heard: 0 },
      { by: 'parley', at: 1, text: 'one two three', heard: 7, cutFrom: 7 },
      { by: 'parley', at: 2, text: 'never heard', heard: 0 },
    ] as const;
    expect(recordText({ ...record, turns }, names)).toBe('I: Hello\n\nIt: one two');
  });

  it('has its name or its first words as title, cut between characters', () => {
    expect(recordTitle({ ...record, title: 'Lights' })).toBe('Lights');
    expect(recordTitle(record)).toBe('How far can one see such a light?');
    const text = '🌊'.repeat(100);
    const turns = [{ by: 'parley', at: 0, text, heard: 0 }] as const;
    expect(recordTitle({ ...record, turns })).toBe(`${'🌊'.repeat(80)}…`);
    expect(recordTitle({ ...record, turns: [] })).toBe('');
  });
});
