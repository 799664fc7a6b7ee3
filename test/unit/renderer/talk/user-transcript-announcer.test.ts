import { describe, expect, it } from 'vitest';
import { UserTranscriptAnnouncer } from '../../../../renderer/talk/captions/caption-live-region.tsx';
import type { UserPhrase } from '../../../../shared/talk/captions.ts';

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
