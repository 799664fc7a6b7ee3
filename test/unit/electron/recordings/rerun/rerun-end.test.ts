import { describe, expect, it } from 'vitest';
import { RerunEnd, TapedSound } from '../../../../../electron/recordings/rerun/taped-talk.ts';

const text = { event: 'text', turn: 1, text: 'Yes.' } as const;
const turnEnded = { event: 'turnEnded', turn: 1 } as const;

/** A tape of ten seconds, in which something is said until the fourth. */
function spoken(): RerunEnd {
  const end = new RerunEnd(10_000);
  end.spoke(4000);
  return end;
}

describe('when a tape that is sent again is over', () => {
  it('is not before its end, however quiet it is', () => {
    expect(spoken().reached(9990, true)).toBe(false);
  });

  it('is at its end where the last thing was answered long before', () => {
    const end = spoken();
    end.hear(text);
    end.hear(turnEnded);
    expect(end.reached(10_000, true)).toBe(true);
  });

  it('waits ten seconds for the answer to what was said last', () => {
    const end = spoken();
    expect(end.reached(13_900, true)).toBe(false);
    expect(end.reached(14_000, true)).toBe(true);
  });

  it('takes no answer to what was said before for one', () => {
    const end = spoken();
    end.hear(text);
    end.hear(turnEnded);
    end.spoke(9000);
    expect(end.reached(12_000, true)).toBe(false);
  });

  it('waits for an answer to end, to be heard, and for another that may follow', () => {
    const end = spoken();
    end.hear(text);
    expect(end.reached(20_000, true)).toBe(false);
    end.hear(turnEnded);
    expect(end.reached(21_000, false)).toBe(false);
    expect(end.reached(22_400, true)).toBe(false);
    expect(end.reached(22_500, true)).toBe(true);
  });

  it('does not wait for ever for a turn that never ends', () => {
    const end = spoken();
    end.hear(text);
    expect(end.reached(69_000, false)).toBe(false);
    expect(end.reached(70_001, false)).toBe(true);
  });
});

describe('sound from a tape', () => {
  const chunk = (value: number): Float32Array => new Float32Array(1600).fill(value);

  it('stands where it was said, which is before it went out', () => {
    const sound = new TapedSound();
    sound.put(1000, chunk(1));
    expect(sound.takeUntil(900).every((sample) => sample === 0)).toBe(true);
    expect(sound.takeUntil(1000)).toEqual(chunk(1));
    expect(sound.takeUntil(1000)).toHaveLength(0);
  });

  it('has neither a hole nor an overlap where chunks came a little late or at once', () => {
    const sound = new TapedSound();
    sound.put(100, chunk(1));
    sound.put(260, chunk(2));
    sound.put(261, chunk(3));
    expect([...sound.takeUntil(400)]).toEqual([
      ...[chunk(1), chunk(2), chunk(3)].flatMap((part) => Array.from(part)),
      ...new Float32Array(1600),
    ]);
  });

  it('keeps a pause that was one', () => {
    const sound = new TapedSound();
    sound.put(100, chunk(1));
    sound.put(1100, chunk(2));
    sound.takeUntil(100);
    expect(sound.takeUntil(1000).every((sample) => sample === 0)).toBe(true);
    expect(sound.takeUntil(1100)).toEqual(chunk(2));
  });

  it('loses nothing of what comes too late to stand where it was', () => {
    const sound = new TapedSound();
    sound.takeUntil(500);
    sound.put(400, chunk(1));
    expect(sound.takeUntil(600)).toEqual(chunk(1));
  });
});
