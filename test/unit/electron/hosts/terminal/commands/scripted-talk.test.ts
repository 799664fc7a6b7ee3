import { describe, expect, it } from 'vitest';
import {
  repeatAtIntervals,
  TalkEndDetector,
} from '../../../../../../electron/hosts/terminal/commands/scripted-talk.ts';
import {
  answerTimeoutMs,
  quietAfterAnswerMs,
} from '../../../../../../electron/talk/last-answer.ts';
import type { Clock } from '../../../../../../shared/ports/clock.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';

/** A clock whose timers are this many milliseconds late. */
function lateTimers(clock: FakeClock, by: number): Clock {
  return { now: clock.now, after: (ms, run) => clock.after(ms + by, run) };
}

describe('repeatAtIntervals', () => {
  it('does not accumulate the delays of late timers', () => {
    const clock = new FakeClock();
    const times: number[] = [];
    const stop = repeatAtIntervals(lateTimers(clock, 7), 0, 1000, () => times.push(clock.now()));
    clock.advance(60_500);
    stop();
    expect(times).toHaveLength(60);
    expect(times.at(-1)).toBe(60_007);
  });

  it('catches up on missed calls, until it is stopped', () => {
    const clock = new FakeClock();
    const counts: number[] = [];
    const stop = repeatAtIntervals(lateTimers(clock, 5000), 0, 1000, (count) => {
      counts.push(count);
      if (count === 4) stop();
    });
    clock.advance(60_000);
    expect(counts).toEqual([1, 2, 3, 4]);
  });
});

describe('the end of a talk with a file', () => {
  const text = { event: 'text', turn: 1, text: 'hi' } as const;
  const turnEnded = { event: 'turnEnded', turn: 1 } as const;

  it('comes some time after the answer has ended and was heard', () => {
    const end = new TalkEndDetector(2000);
    end.onEvent(text);
    expect(end.isOver(3000, false)).toBe(false);
    end.onEvent(turnEnded);
    expect(end.isOver(4000, false)).toBe(false);
    expect(end.isOver(4000 + quietAfterAnswerMs - 1, true)).toBe(false);
    expect(end.isOver(4000 + quietAfterAnswerMs, true)).toBe(true);
  });

  it('waits for another turn that follows soon', () => {
    const end = new TalkEndDetector(0);
    end.onEvent(text);
    end.onEvent(turnEnded);
    expect(end.isOver(100, false)).toBe(false);
    end.onEvent(text);
    expect(end.isOver(100 + quietAfterAnswerMs, true)).toBe(false);
  });

  it('comes without an answer when none comes in time', () => {
    const end = new TalkEndDetector(2000);
    end.onEvent({ event: 'listen', yields: false, flushedSamples: 0 });
    expect(end.isOver(2000 + answerTimeoutMs - 1, true)).toBe(false);
    expect(end.isOver(2000 + answerTimeoutMs, true)).toBe(true);
  });

  it('does not come after an answer during the input', () => {
    const end = new TalkEndDetector(5000);
    end.onEvent(text);
    end.onEvent(turnEnded);
    expect(end.isOver(2000, false)).toBe(false);
    expect(end.isOver(2100, true)).toBe(false);
    expect(end.isOver(5000 + quietAfterAnswerMs, true)).toBe(false);
    expect(end.isOver(5000 + answerTimeoutMs, true)).toBe(true);
  });
});
