import { describe, expect, it } from 'vitest';
import {
  RerunEndDetector,
  CaptureTimeline,
} from '../../../../../electron/recordings/rerun/rerun-driver.ts';

const text = { event: 'text', turn: 1, text: 'Yes.' } as const;
const turnEnded = { event: 'turnEnded', turn: 1 } as const;

/** A ten-second tape with speech until second four. */
function createDetector(): RerunEndDetector {
  const end = new RerunEndDetector(10_000);
  end.noteSpeech(4000);
  return end;
}

describe('the end of a rerun', () => {
  it('does not come before the end of the tape’s input, even during silence', () => {
    expect(createDetector().isOver(9990, true)).toBe(false);
  });

  it('comes with the input if everything was answered before', () => {
    const end = createDetector();
    end.onEvent(text);
    end.onEvent(turnEnded);
    expect(end.isOver(10_000, true)).toBe(true);
  });

  it('waits ten seconds for an answer to the last words', () => {
    const end = createDetector();
    expect(end.isOver(13_900, true)).toBe(false);
    expect(end.isOver(14_000, true)).toBe(true);
  });

  it('ignores answers to earlier words', () => {
    const end = createDetector();
    end.onEvent(text);
    end.onEvent(turnEnded);
    end.noteSpeech(9000);
    expect(end.isOver(12_000, true)).toBe(false);
  });

  it('waits until an answer has ended and was heard, and for a possible next one', () => {
    const end = createDetector();
    end.onEvent(text);
    expect(end.isOver(20_000, true)).toBe(false);
    end.onEvent(turnEnded);
    expect(end.isOver(21_000, false)).toBe(false);
    expect(end.isOver(22_400, true)).toBe(false);
    expect(end.isOver(22_500, true)).toBe(true);
  });

  it('comes after a timeout if a turn never ends', () => {
    const end = createDetector();
    end.onEvent(text);
    expect(end.isOver(69_000, false)).toBe(false);
    expect(end.isOver(70_001, false)).toBe(true);
  });
});

describe('captured sound of a tape', () => {
  const chunk = (value: number): Float32Array => new Float32Array(1600).fill(value);

  it('is placed at its capture time, before it was sent', () => {
    const sound = new CaptureTimeline();
    sound.add(1000, chunk(1));
    expect(sound.takeUntil(900).every((sample) => sample === 0)).toBe(true);
    expect(sound.takeUntil(1000)).toEqual(chunk(1));
    expect(sound.takeUntil(1000)).toHaveLength(0);
  });

  it('is continuous if chunks arrived late or in bursts', () => {
    const sound = new CaptureTimeline();
    sound.add(100, chunk(1));
    sound.add(260, chunk(2));
    sound.add(261, chunk(3));
    expect([...sound.takeUntil(400)]).toEqual([
      ...[chunk(1), chunk(2), chunk(3)].flatMap((part) => Array.from(part)),
      ...new Float32Array(1600),
    ]);
  });

  it('keeps real pauses', () => {
    const sound = new CaptureTimeline();
    sound.add(100, chunk(1));
    sound.add(1100, chunk(2));
    sound.takeUntil(100);
    expect(sound.takeUntil(1000).every((sample) => sample === 0)).toBe(true);
    expect(sound.takeUntil(1100)).toEqual(chunk(2));
  });

  it('keeps sound that arrives too late for its place', () => {
    const sound = new CaptureTimeline();
    sound.takeUntil(500);
    sound.add(400, chunk(1));
    expect(sound.takeUntil(600)).toEqual(chunk(1));
  });
});
