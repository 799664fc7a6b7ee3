import { describe, expect, it } from 'vitest';
import { EchoCancellation } from '../../../../../electron/audio/echo/echo-cancellation.ts';
import type {
  EchoCanceller,
  EchoDevices,
  OpenEchoCanceller,
} from '../../../../../electron/audio/echo/echo-canceller.ts';
import { SpeakerHistory } from '../../../../../electron/audio/echo/far-end-signal.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { seeded } from '../../../../fakes/seeded.ts';

type Process = EchoCanceller['process'];

/** Passes frames unchanged. */
const passing: Process = (frame) => frame;

class CancellerFake implements EchoCanceller {
  readonly process: Process;
  readonly finding = 'heard';
  nearEndPresence: number | undefined;
  leadMs = 0;
  delayMs = 0;
  resets = 0;
  /** The far ends passed to `resume`. */
  readonly resumed: Float32Array[] = [];

  constructor(process: Process) {
    this.process = process;
  }

  resume(played: Float32Array): void {
    this.resumed.push(played);
  }

  reset(): void {
    this.resets += 1;
  }
}

function setUp(process: Process = passing, open?: OpenEchoCanceller) {
  const devices: EchoDevices[] = [];
  const setting = { isEnabled: true };
  const reference = new SpeakerHistory({ playedRate: 24_000, capturedRate: 16_000 });
  const log = new FakeLog();
  const canceller = new CancellerFake(process);
  /** Start times of the requested references. */
  const asked: number[] = [];
  const echo = new EchoCancellation({
    open: open ?? (() => canceller),
    farEnd: {
      speaker: 'Monitor',
      get newest() {
        return reference.newest;
      },
      fill: (into, from, step) => {
        asked.push(from);
        reference.fill(into, from, step);
      },
    },
    log,
    isEnabled: (asking) => {
      devices.push(asking);
      return setting.isEnabled;
    },
  });
  return { echo, reference, log, canceller, asked, devices, setting };
}

const sound = (ms: number) => Math.sin(ms * 2.1) * 0.4 + Math.sin(ms * 7.3 + 1) * 0.4;
const counted = (from: number, length: number) => Float32Array.from({ length }, (_, n) => from + n);

describe('EchoCancellation', () => {
  it('emits frames of 10 ms for any block size, without loss', () => {
    const random = seeded(3);
    const lengths = new Set<number>();
    const { echo } = setUp((frame, farEnd) => {
      lengths.add(frame.length).add(farEnd.length);
      return frame;
    });
    const heard: number[] = [];
    let taken = 0;
    while (taken < 16_000) {
      const length = Math.floor(random() * 700);
      heard.push(...echo.process(counted(taken, length), taken / 16));
      taken += length;
      expect(taken - heard.length).toBeLessThan(160);
    }
    expect([...lengths]).toEqual([160]);
    expect(heard).toEqual([...counted(0, heard.length)]);
  });

  it('reports the canceller’s likelihood of speech while the canceller is enabled', () => {
    const { echo, canceller, setting } = setUp();
    expect(echo.nearEndPresence).toBeUndefined();
    canceller.nearEndPresence = 0.7;
    expect(echo.nearEndPresence).toBe(0.7);
    setting.isEnabled = false;
    expect(echo.nearEndPresence).toBeUndefined();
  });

  it('removes the echo exactly if the canceller subtracts the far end', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const random = seeded(seed);
      // Milliseconds from playback to capture, through the room and the sound card.
      const delay = random() * 60;
      const { echo, reference } = setUp((frame, farEnd) =>
        frame.map((sample, n) => sample - (farEnd[n] ?? 0)),
      );
      let position = 0;
      let worst = 0;
      for (let taken = 0; taken < 16_000;) {
        while (position < (taken + 2400) * 1.5) {
          const length = 200 + Math.floor(random() * 500);
          const start = position;
          const block = Float32Array.from({ length }, (_, n) => sound((start + n) / 24));
          reference.played(block, position, position / 24 + delay);
          position += length;
        }
        const length = Math.floor(random() * 640);
        const now = taken / 16;
        const block = Float32Array.from({ length }, (_, n) => sound(now + n / 16 - delay));
        const rest = echo.process(block, now);
        // The output is up to a frame late, so for that long it has echo from before the far end began.
        if (now > delay + 15) worst = rest.reduce((peak, x) => Math.max(peak, Math.abs(x)), worst);
        taken += length;
      }
      expect(worst).toBeLessThan(0.01);
    }
  });

  it('ignores jitter and temporary errors of timestamps', () => {
    const random = seeded(6);
    const { echo, asked, canceller } = setUp();
    const time = (index: number) => 1000 + index * 20;
    for (let index = 0; index < 500; index += 1) {
      // Sawtooth jitter as from a sound server. Eight of every hundred blocks are stamped 10 ms too early.
      const slip = index % 100 < 8 && index > 100 ? -10 : 0;
      echo.process(new Float32Array(320), time(index) + random() + (index % 60) / 15 + slip);
    }
    const [first = 0, ...others] = asked.slice(100);
    const offs = others.map((start, n) => Math.abs(start - first - (n + 1) * 10));
    expect(Math.max(...offs)).toBeLessThan(0.3);
    expect([canceller.resets, canceller.resumed.length]).toEqual([0, 0]);
  });

  it('detects a gap, and gives the canceller the far end from before the gap', () => {
    const { echo, asked, canceller, reference } = setUp();
    reference.played(new Float32Array(72_000).fill(0.5), 0, 0);
    const time = (index: number) => 1000 + index * 20 + (index < 50 ? 0 : 60);
    for (let index = 0; index <= 52; index += 1) {
      // The gap counts only once the timestamps of three blocks show it.
      expect(canceller.resumed).toHaveLength(0);
      echo.process(new Float32Array(320), time(index));
    }
    expect(asked.slice(-2)).toEqual([time(52), time(52) + 10]);
    const past = [...(canceller.resumed[0] ?? [])];
    expect(past.filter((sample) => Math.abs(sample - 0.5) < 0.01)).toHaveLength(38 * 160);
  });

  it('replaces invalid samples before and after the canceller', () => {
    const seen: number[] = [];
    const { echo, reference } = setUp((_frame, farEnd) => {
      seen.push(...farEnd);
      return new Float32Array(160).fill(Number.NaN);
    });
    reference.played(new Float32Array(480).fill(Number.NaN), 0, 0);
    expect(echo.process(new Float32Array(160).fill(1), 5)).toEqual(new Float32Array(160));
    expect(seen.every((sample) => sample === 0)).toBe(true);
  });

  it('passes sound through if no canceller can be loaded, and logs that once', () => {
    const { echo, asked, log } = setUp(passing, () => {
      throw new Error('no such file');
    });
    for (let at = 0; at < 5; at += 1) {
      const block = counted(at, 320);
      expect(echo.process(block, at * 20)).toBe(block);
    }
    expect(asked).toEqual([]);
    expect(log.lines).toEqual([
      'parley warn: The echo canceller cannot be loaded (no such file); sound continues without it.',
    ]);
  });

  const broken: readonly (readonly [string, () => Float32Array])[] = [
    [
      'throws',
      () => {
        throw new Error('bad');
      },
    ],
    ['returns a block of another length', () => new Float32Array(3)],
  ];

  it.each(broken)('removes a canceller that %s, without losing a sample', (_what, breaks) => {
    let frames = 0;
    const { echo, log, asked } = setUp((frame) => {
      frames += 1;
      return frames < 3 ? frame : breaks();
    });
    const heard: number[] = [];
    for (let at = 0; at < 1000; at += 250) heard.push(...echo.process(counted(at, 250), at / 16));
    expect(heard).toEqual([...counted(0, 1000)]);
    expect([frames, asked.length]).toEqual([3, 3]);
    expect(log.lines).toHaveLength(1);
  });

  it('restarts with another device, without samples of the former one', () => {
    const { echo, canceller } = setUp();
    echo.process(counted(0, 200), 0);
    echo.begin(undefined);
    expect(canceller.resets).toBe(1);
    expect([...echo.process(counted(500, 160), 12.5)]).toEqual([...counted(500, 160)]);
    expect(canceller.resets).toBe(1);
  });

  it('can be switched during a talk without losing a sample', () => {
    const { echo, setting, asked, devices } = setUp();
    echo.begin('Desk microphone');
    const heard = [...echo.process(counted(0, 200), 0)];
    expect(echo.state).toBe('heard');
    expect(devices.at(-1)).toEqual({ microphone: 'Desk microphone', speaker: 'Monitor' });
    setting.isEnabled = false;
    heard.push(...echo.process(counted(200, 200), 12.5));
    expect(echo.state).toBe('off');
    heard.push(...echo.process(counted(400, 200), 25));
    setting.isEnabled = true;
    heard.push(...echo.process(counted(600, 200), 37.5));
    expect(heard).toEqual([...counted(0, 760)]);
    expect(asked).toEqual([0, 37.5]);
  });
});
