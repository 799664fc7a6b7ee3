import { describe, expect, it } from 'vitest';
import { mergeOwnTurns } from '../../../../../electron/recordings/history/talk-record-builder.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import type { TalkRecord } from '../../../../../shared/recordings/talk-record.ts';

const record: TalkRecord = {
  title: '',
  pinned: false,
  mode: 'audio',
  server: { name: 'Home' },
  begunAt: 0,
  savedAt: 10_000,
  turns: [
    { by: 'parley', at: 1000, text: 'Hello.', heard: 6 },
    { by: 'parley', at: 5000, text: 'It is late.', heard: 4, cutFrom: 4 },
  ],
  events: [
    { kind: 'interrupted', at: 5500, turn: 1 },
    { kind: 'trouble', at: 6000, error: appError('connectionLost') },
  ],
  pictures: [],
};

const own = (at: number, text: string) => ({ at, text, transcribed: 'byMachine' }) as const;
const texts = ({ turns }: TalkRecord): readonly string[] => turns.map(({ text }) => text);

describe('the user’s words in a record', () => {
  it('are inserted at their times without moving interruptions', () => {
    const said = mergeOwnTurns(record, [own(7000, 'No.'), own(3000, 'How late is it?')]);
    expect(texts(said)).toEqual(['Hello.', 'How late is it?', 'It is late.', 'No.']);
    expect(said.events[0]).toMatchObject({ kind: 'interrupted', turn: 2 });
    expect(said.turns[1]).toEqual({
      by: 'person',
      at: 3000,
      text: 'How late is it?',
      heard: 15,
      transcribed: 'byMachine',
    });
    const before = mergeOwnTurns(said, [own(500, 'Hi!')]);
    expect(texts(before)[0]).toBe('Hi!');
    expect(before.events[0]).toMatchObject({ turn: 3 });
  });

  it('are corrected in place and removed if empty', () => {
    const said = mergeOwnTurns(record, [own(3000, 'How late as it?')]);
    const right = mergeOwnTurns(said, [
      { at: 3000, text: 'How late is it?', transcribed: 'corrected' },
    ]);
    expect(right.turns[1]).toMatchObject({ text: 'How late is it?', transcribed: 'corrected' });
    expect(right.turns).toHaveLength(3);
    const out = mergeOwnTurns(right, [{ at: 3000, text: '', transcribed: 'corrected' }]);
    expect(out).toEqual(record);
  });

  it('do not replace a turn of Parley that has the same time', () => {
    const said = mergeOwnTurns(record, [own(1000, 'Hi!')]);
    expect(texts(said)).toEqual(['Hi!', 'Hello.', 'It is late.']);
    expect(texts(mergeOwnTurns(said, [own(1000, '')]))).toEqual(texts(record));
  });
});
