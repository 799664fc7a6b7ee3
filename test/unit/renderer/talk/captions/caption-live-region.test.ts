import { describe, expect, it } from 'vitest';
import {
  CaptionAnnouncer,
  UserTranscriptAnnouncer,
} from '../../../../../renderer/talk/captions/caption-live-region.tsx';
import type { CaptionedTurn, UserPhrase } from '../../../../../shared/talk/captions.ts';

const turn: CaptionedTurn = {
  turn: 1,
  text: 'One. Two, three. Four',
  heard: 0,
  cutFrom: undefined,
  settled: false,
};

describe('the caption announcer', () => {
  it('announces whole heard sentences, each once, and the rest at the end of the turn', () => {
    const announcer = new CaptionAnnouncer();
    const said = [2, 4, 5, 9, 17, 20].map((heard) => announcer.next([{ ...turn, heard }]));
    expect(said).toEqual([undefined, 'One.', undefined, undefined, 'Two, three.', undefined]);
    expect(announcer.next([{ ...turn, heard: 21, settled: true }])).toBe('Four');
    expect(announcer.next([{ ...turn, heard: 21, settled: true }])).toBeUndefined();
    expect(announcer.next([{ ...turn, turn: 2, heard: 4 }])).toBe('One.');
  });

  it('recognizes Chinese full stops, and does not split numbers', () => {
    const announcer = new CaptionAnnouncer();
    const text = '好的。灯每3.5秒';
    expect(announcer.next([{ ...turn, text, heard: text.length }])).toBe('好的。');
  });

  it('announces no text that was never heard', () => {
    const cut = { ...turn, heard: 4, cutFrom: 4, settled: true };
    expect(new CaptionAnnouncer().next([cut])).toBe('One.');
  });
});

const phrase = (at: number, text: string, part: Partial<UserPhrase> = {}): UserPhrase => ({
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
    const announcer = new UserTranscriptAnnouncer([phrase(1, 'There before')]);
    const waits = phrase(2, '', { state: 'waiting' });
    expect(announcer.next([phrase(1, 'There before'), waits])).toEqual([]);
    expect(announcer.next([phrase(1, 'There before'), phrase(2, 'Good day')])).toEqual([
      'Good day',
    ]);
    const corrected = phrase(2, 'Good morning', { transcribed: 'corrected' });
    expect(announcer.next([phrase(1, 'There before'), corrected])).toEqual([]);
    expect(announcer.next([corrected, phrase(3, '')])).toEqual([]);
  });

  it('announces only the newest of many phrases', () => {
    const announcer = new UserTranscriptAnnouncer([]);
    const all = [1, 2, 3, 4].map((at) => phrase(at, `Phrase ${at}`));
    expect(announcer.next(all)).toEqual(['Phrase 3', 'Phrase 4']);
    expect(announcer.next(all.slice(0, 1))).toEqual([]);
    expect(announcer.next(all.slice(0, 2))).toEqual(['Phrase 2']);
  });
});
