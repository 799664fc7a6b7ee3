import { describe, expect, it } from 'vitest';
import {
  TransmitGate,
  type TransmitMode,
} from '../../../../../electron/audio/capture/transmit-gate.ts';
import { fadeCurve } from '../../../../../electron/audio/dsp/samples.ts';
import { Framer } from '../../../../../shared/audio/framer.ts';
import { randomRuns, seeded } from '../../../../fakes/seeded.ts';

const rate = 16_000;

/** A gate with numbered (or constant) input, and its output. */
function gateHarness(mode: TransmitMode, sample: (index: number) => number = (index) => index) {
  const gate = new TransmitGate({ rate, mode });
  const out: number[] = [];
  let taken = 0;
  return {
    gate,
    out,
    get taken() {
      return taken;
    },
    /** Samples emitted beyond the input: the lead of the server’s time. */
    get ahead() {
      return out.length - taken;
    },
    /** Pushes one block of this length. */
    pushAudio: (length: number) => {
      const block = Float32Array.from({ length }, (_, n) => sample(taken + n + 1));
      taken += length;
      for (const part of gate.push(block)) out.push(...part);
      // Parts of the output may share the block's memory, which is valid only until the next push.
      block.fill(Number.NaN);
    },
  };
}

/** Consecutive numbers starting at `from`. */
const counted = (from: number, length: number): number[] =>
  Array.from({ length }, (_, n) => from + n);

const preRoll = 8000;
const tail = 720;
const fade = 80;
const maxAhead = 48_000;
const zeros = (length: number) => Array.from({ length }, () => 0);

describe('the transmit gate', () => {
  it('passes everything when open, after a fade of 5 ms', () => {
    const { pushAudio, out } = gateHarness('open');
    for (const length of [30, 0, 100, 320]) pushAudio(length);
    expect(out.length).toBe(450);
    expect(out.slice(fade)).toEqual(counted(fade + 1, 450 - fade));
    fadeCurve(fade).forEach((gain, n) => {
      expect(out[n]).toBeCloseTo(gain * (n + 1), 4);
    });
  });

  it.each(['hold', 'closed'] as const)('emits silence of the same length in mode %s', (mode) => {
    const { pushAudio, out, gate } = gateHarness(mode);
    for (const length of [320, 1, 0, 9999]) pushAudio(length);
    expect(out).toEqual(zeros(10_320));
    expect(gate.transmitting).toBe(false);
  });

  it('emits the 500 ms before a press first, then the live sound', () => {
    const harness = gateHarness('hold');
    const { pushAudio, out, gate } = harness;
    pushAudio(10_000);
    gate.setPressed(true);
    expect(gate.transmitting).toBe(true);
    pushAudio(320);
    expect(harness.ahead).toBe(preRoll);
    expect(out.slice(0, 10_000)).toEqual(zeros(10_000));
    expect(out.slice(10_000 + fade)).toEqual(
      counted(10_001 - preRoll + fade, preRoll - fade + 320),
    );
    pushAudio(320);
    expect(out.slice(-640)).toEqual(counted(10_001, 640));
    expect(out.length).toBe(10_640 + preRoll);
  });

  it('passes 45 ms after a release, fades out in 5 ms, and then emits silence', () => {
    const { pushAudio, out, gate } = gateHarness('hold');
    gate.setPressed(true);
    pushAudio(1000);
    gate.setPressed(false);
    pushAudio(1000);
    expect(out.slice(fade, 1000 + tail)).toEqual(counted(fade + 1, 1000 - fade + tail));
    fadeCurve(fade).forEach((gain, n) => {
      const at = 1000 + tail + fade - 1 - n;
      expect(out[at]).toBeCloseTo(gain * (at + 1), 3);
    });
    expect(out.slice(1000 + tail + fade)).toEqual(zeros(200));
  });

  it.each(['mute', 'mode'] as const)('discards speech during %s', (kind) => {
    const harness = gateHarness('hold');
    const { pushAudio, out, gate } = harness;
    pushAudio(5000);
    if (kind === 'mute') gate.setMuted(true);
    else gate.setMode('closed');
    pushAudio(5000);
    if (kind === 'mute') gate.setMuted(false);
    else gate.setMode('hold');
    pushAudio(100);
    gate.setPressed(true);
    pushAudio(100);
    expect(harness.ahead).toBe(100);
    expect(out.slice(0, 10_100)).toEqual(zeros(10_100));
    expect(out.slice(10_100 + fade)).toEqual(counted(10_001 + fade, 200 - fade));
  });
});

describe('the timeline of the transmit gate', () => {
  function pressedOnce() {
    const harness = gateHarness('hold');
    harness.pushAudio(preRoll);
    harness.gate.setPressed(true);
    harness.pushAudio(16_000);
    harness.gate.setPressed(false);
    harness.pushAudio(tail + fade);
    return harness;
  }

  it('skips silence to balance the pre-roll, two seconds after speech', () => {
    const harness = pressedOnce();
    const { pushAudio, out } = harness;
    pushAudio(32_000);
    expect(harness.ahead).toBe(preRoll);
    const before = out.length;
    pushAudio(3000);
    expect(out.length).toBe(before);
    pushAudio(5001);
    expect(out.length).toBe(before + 1);
    expect(harness.ahead).toBe(0);
  });

  it('skips silence above a lead of three seconds, even during an answer', () => {
    const harness = pressedOnce();
    const { pushAudio, gate } = harness;
    gate.setAnswering(true);
    for (let press = 0; press < 9; press += 1) {
      pushAudio(preRoll);
      expect(harness.ahead).toBe(Math.min((press + 1) * preRoll, maxAhead));
      gate.setPressed(true);
      pushAudio(320);
      gate.setPressed(false);
      pushAudio(tail + fade);
    }
  });

  it('reports the end of speech once, and then skips silence for what was sent ahead', () => {
    const harness = gateHarness('hold');
    const { pushAudio, gate } = harness;
    const ends = () => [gate.takeSpeechEnd(), gate.takeSpeechEnd()];
    pushAudio(1000);
    gate.setPressed(true);
    pushAudio(1000);
    gate.setPressed(false);
    pushAudio(tail);
    expect(ends()).toEqual([false, false]);
    pushAudio(fade);
    expect(ends()).toEqual([true, false]);
    gate.countSentAhead(5000);
    pushAudio(32_000 + 10_000);
    expect(harness.ahead).toBe(-5000);
    for (const close of [() => gate.setMuted(true), () => gate.setMode('closed')]) {
      gate.setPressed(true);
      pushAudio(1000);
      close();
      pushAudio(1000);
      expect(ends()).toEqual([false, false]);
      gate.setMuted(false);
      gate.setPressed(false);
    }
  });

  it('keeps passing sound after a release for the latency of the microphone', () => {
    for (const tailMs of [0, 10, 250]) {
      const { pushAudio, out, gate } = gateHarness('hold');
      gate.setPressed(true);
      pushAudio(1000);
      gate.setPressed(false, tailMs);
      pushAudio(9000);
      expect(out.findLastIndex((sample) => sample !== 0) + 1).toBe(1000 + tailMs * 16 + fade);
    }
  });

  it('completes the chunk with the last word within 1.02 s', () => {
    const waits: number[] = [];
    for (let held = 4000; held < 36_000; held += 640) {
      const { gate } = gateHarness('hold');
      const framer = new Framer(rate);
      const last = preRoll + held;
      const handed: number[] = [];
      for (let heard = 0; handed.length === 0 && heard < 200_000; heard += 320) {
        gate.setPressed(heard >= preRoll && heard < last - tail);
        const block = Float32Array.from({ length: 320 }, (_, n) =>
          heard + n === last - 1 - fade ? 1 : 0.5,
        );
        for (const part of gate.push(block)) {
          if (framer.push(part).some((chunk) => chunk.includes(1))) handed.push(heard + 320);
        }
      }
      waits.push(((handed[0] ?? Infinity) - last) / 16);
    }
    const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
    expect(Math.max(...waits)).toBeLessThanOrEqual(1020);
    expect(mean).toBeGreaterThan(400);
    expect(mean).toBeLessThan(600);
  });
});

const modes: readonly TransmitMode[] = ['open', 'hold', 'hold', 'closed'];

/** Random actions of user and program, with blocks of any length in between. */
function play(seed: number, harness: ReturnType<typeof gateHarness>, after: () => void) {
  const random = seeded(seed);
  const acts: readonly ((gate: TransmitGate) => void)[] = [
    (gate) => {
      gate.setPressed(random() < 0.5);
    },
    (gate) => {
      gate.setMuted(random() < 0.3);
    },
    (gate) => {
      gate.setMode(modes[Math.floor(random() * modes.length)] ?? 'hold');
    },
    (gate) => {
      gate.setAnswering(random() < 0.5);
    },
  ];
  for (let step = 0; step < 120; step += 1) {
    acts[Math.floor(random() * 7)]?.(harness.gate);
    const maxBlock = random() < 0.3 ? 4000 : 330;
    harness.pushAudio(Math.floor(random() * maxBlock));
    after();
  }
}

describe('the transmit gate under random actions', () => {
  const seeds = Array.from({ length: randomRuns(60) }, (_, seed) => seed);

  it('emits its input plus its lead, which is bounded and balanced', () => {
    for (const seed of seeds) {
      const harness = gateHarness('hold');
      const { gate } = harness;
      play(seed, harness, () => {
        expect(harness.ahead).toBeGreaterThanOrEqual(0);
        expect(harness.ahead).toBeLessThanOrEqual(maxAhead + preRoll);
      });
      gate.setMuted(true);
      gate.setAnswering(false);
      harness.pushAudio(6 * rate);
      expect(harness.ahead).toBe(0);
    }
  });

  it('makes no clicks', () => {
    for (const seed of seeds) {
      const harness = gateHarness('hold', () => 1);
      play(seed, harness, () => undefined);
      let steepest = 0;
      let before = 0;
      for (const sample of harness.out) {
        steepest = Math.max(steepest, Math.abs(sample - before));
        before = sample;
      }
      expect(steepest).toBeLessThan(Math.PI / 2 / fade + 1e-4);
    }
  });

  it('emits every unmuted sample at most once and in order', () => {
    for (const seed of seeds) {
      const gains = gateHarness('hold', () => 1);
      play(seed, gains, () => undefined);
      const harness = gateHarness('hold');
      const secret = new Set<number>();
      let mutedSince: number | undefined;
      const spy = harness.gate.setMuted.bind(harness.gate);
      harness.gate.setMuted = (muted) => {
        if (muted) mutedSince ??= harness.taken;
        else if (mutedSince !== undefined) {
          for (let n = mutedSince + fade + 1; n <= harness.taken; n += 1) secret.add(n);
          mutedSince = undefined;
        }
        spy(muted);
      };
      play(seed, harness, () => undefined);
      harness.gate.setMuted(false);
      let newest = 0;
      let heard = 0;
      for (const [at, sample] of harness.out.entries()) {
        const gain = gains.out[at] ?? 0;
        if (gain === 0) continue;
        const index = Math.round(sample / gain);
        if (index <= newest || secret.has(index)) expect.unreachable(`${index} after ${newest}`);
        newest = index;
        heard += 1;
      }
      expect(heard).toBeGreaterThan(1000);
    }
  });
});
