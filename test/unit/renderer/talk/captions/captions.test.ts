import { describe, expect, it } from 'vitest';
import { formatClock, secondsLeft } from '../../../../../renderer/i18n/format.ts';
import { CaptionAnnouncer } from '../../../../../renderer/talk/captions/caption-live-region.tsx';
import { toCaptionParts } from '../../../../../renderer/talk/captions/caption-text.tsx';
import { endingTitle } from '../../../../../renderer/talk/talk-ui-state.ts';
import { queueProgress } from '../../../../../renderer/talk/voice-waveform.tsx';
import { sessionError } from '../../../../../shared/errors/session-reasons.ts';
import type { CaptionedTurn } from '../../../../../shared/talk/captions.ts';

const turn: CaptionedTurn = {
  turn: 1,
  text: 'One. Two, three. Four',
  heard: 0,
  cutFrom: undefined,
  settled: false,
};

describe('a caption', () => {
  it('splits into heard, coming and cut text', () => {
    expect(toCaptionParts({ ...turn, heard: 5, cutFrom: 9 })).toEqual({
      heard: 'One. ',
      coming: 'Two, ',
      cut: 'three. Four',
    });
    expect(toCaptionParts({ ...turn, heard: 30, cutFrom: 9 })).toEqual({
      heard: 'One. Two,',
      coming: ' ',
      cut: 'three. Four',
    });
  });

  it('never splits a surrogate pair', () => {
    const { heard, coming } = toCaptionParts({ ...turn, text: 'a👍b', heard: 2 });
    expect([heard, coming]).toEqual(['a👍', 'b']);
  });
});

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

describe('the talk screen’s formatting', () => {
  it('formats durations and remaining seconds', () => {
    expect([formatClock(0), formatClock(65), formatClock(3600), formatClock(-3)]).toEqual([
      '0:00',
      '1:05',
      '1:00:00',
      '0:00',
    ]);
    expect([
      secondsLeft(10, 1000, 1000),
      secondsLeft(10, 1000, 4500),
      secondsLeft(1, 0, 9e9),
    ]).toEqual([10, 7, 0]);
  });

  it('computes the progress through the queue', () => {
    const queued = (position?: number, length?: number) =>
      queueProgress({ phase: 'queued', position, length, etaSeconds: undefined });
    expect([queued(7, 7), queued(1, 7)]).toEqual([0.125, 0.875]);
    expect([queued(), queued(3, 0), queued(9, 2)]).toEqual([0, 0, 0]);
    expect(queueProgress({ phase: 'live' })).toBeUndefined();
  });

  it('picks the headline of an ending', () => {
    const ending = { error: sessionError('x'), by: 'server', orderly: true } as const;
    expect(endingTitle(ending, 'none')).toBe('server');
    expect(endingTitle({ ...ending, error: sessionError('timeout') }, 'continue')).toBe('limit');
    expect(endingTitle({ ...ending, error: sessionError('context_full') }, 'continue')).toBe(
      'context',
    );
    expect(endingTitle(ending, 'checkToken')).toBe('token');
    expect(endingTitle({ ...ending, by: 'network' }, 'checkEndpoint')).toBe('endpoint');
  });
});
