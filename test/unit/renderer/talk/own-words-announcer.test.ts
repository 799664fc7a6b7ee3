import { describe, expect, it } from 'vitest';
import { OwnWordsAnnouncer } from '../../../../renderer/talk/captions/caption-live-region.tsx';
import type { OwnPhrase } from '../../../../shared/talk/own-words.ts';

const phrase = (at: number, text: string, part: Partial<OwnPhrase> = {}): OwnPhrase => ({
  at,
  seconds: 1,
  after: undefined,
  state: 'written',
  text,
  transcribed: 'byMachine',
  ...part,
});

describe('the person’s own words', () => {
  it('are said once, when they have been written down, and not for being put right', () => {
    const announcer = new OwnWordsAnnouncer([phrase(1, 'There before')]);
    const waits = phrase(2, '', { state: 'waiting' });
    expect(announcer.next([phrase(1, 'There before'), waits])).toEqual([]);
    expect(announcer.next([phrase(1, 'There before'), phrase(2, 'Good day')])).toEqual([
      'Good day',
    ]);
    const right = phrase(2, 'Good morning', { transcribed: 'corrected' });
    expect(announcer.next([phrase(1, 'There before'), right])).toEqual([]);
    expect(announcer.next([right, phrase(3, '')])).toEqual([]);
  });

  it('are the newest where many come at once, as after a jump, and again after a jump back', () => {
    const announcer = new OwnWordsAnnouncer([]);
    const all = [1, 2, 3, 4].map((at) => phrase(at, `Phrase ${at}`));
    expect(announcer.next(all)).toEqual(['Phrase 3', 'Phrase 4']);
    expect(announcer.next(all.slice(0, 1))).toEqual([]);
    expect(announcer.next(all.slice(0, 2))).toEqual(['Phrase 2']);
  });
});
