import { describe, expect, it } from 'vitest';
import { AdaptiveCanceller } from '../../../../../electron/audio/echo/adaptive-canceller.ts';
import {
  echoMemorySamples,
  CancellerCache,
  isEchoCancelled,
  echoBlockSamples,
  type EchoCanceller,
  type EchoFinding,
} from '../../../../../electron/audio/echo/echo-canceller.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { EchoEvidence } from '../../../../../electron/audio/echo/echo-confidence.ts';
import { EchoDelayEstimator } from '../../../../../electron/audio/echo/echo-delay.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { echoRoom, powerDb, type EchoRoomOptions } from '../../../../fakes/echo-room.ts';
import { emptyHalfSpectrum } from '../../../../../electron/audio/dsp/real-fft.ts';
import { echoBands, EchoSuppressor } from '../../../../../electron/audio/echo/echo-suppressor.ts';

const random = seeded(4);
const noise = (level: number) =>
  Float32Array.from({ length: 160 }, () => (random() * 2 - 1) * level);
const silence = new Float32Array(160);

/** Plays this many blocks of noise, a share of which returns as echo. */
function play(canceller: AdaptiveCanceller, blocks: number, share: number): void {
  for (let block = 0; block < blocks; block += 1) {
    const played = noise(0.3);
    const own = noise(0.001);
    const frame = played.map((sample, n) => share * sample + (own[n] ?? 0));
    canceller.process(frame, played);
  }
}

describe('AdaptiveCanceller', () => {
  it('only delays the sound by 10 ms while nothing plays', () => {
    const canceller = new AdaptiveCanceller();
    let before = silence;
    for (let block = 0; block < 200; block += 1) {
      const frame = noise(0.5);
      const late = canceller.process(frame, silence);
      late.forEach((sample, n) => {
        expect(Math.abs(sample - (before[n] ?? 0))).toBeLessThan(1e-5);
      });
      before = frame;
    }
    expect(canceller.finding).toBe('unknown');
  });

  it('reports whether there is an echo, and leaves the sound unchanged without one', () => {
    const heard = new AdaptiveCanceller();
    play(heard, 100, 0.3);
    expect(heard.finding).toBe('heard');
    const none = new AdaptiveCanceller();
    play(none, 300, 0);
    expect(none.finding).toBe('unknown');
    play(none, 200, 0);
    expect(none.finding).toBe('none');
    const frame = noise(0.1);
    none.process(frame, noise(0.3));
    const late = none.process(noise(0.1), noise(0.3));
    late.forEach((sample, n) => {
      expect(Math.abs(sample - (frame[n] ?? 0))).toBeLessThan(1e-5);
    });
    // The headphones are unplugged.
    play(none, 300, 0.3);
    expect(none.finding).toBe('heard');
  });

  it('still cancels playback from before a gap', () => {
    const canceller = new AdaptiveCanceller();
    // Playback is heard 30 ms later.
    const played = Array.from({ length: 400 }, () => noise(0.3));
    const echoInBlock = (block: number) =>
      (played[block - 3] ?? silence).map((sample) => sample * 0.3);
    const run = (from: number, to: number): number => {
      let left = 0;
      for (let block = from; block < to; block += 1) {
        const clean = canceller.process(echoInBlock(block), played[block] ?? silence);
        left = Math.max(left, ...clean.map((sample) => Math.abs(sample)));
      }
      return left;
    };
    run(0, 300);
    const before = new Float32Array(echoMemorySamples);
    played.slice(305 - 38, 305).forEach((block, n) => {
      before.set(block, n * block.length);
    });
    canceller.resume(before);
    expect(run(305, 306)).toBeLessThan(0.09 * 0.5);
    expect(run(306, 330)).toBeLessThan(0.09 * 0.2);
  });

  it('starts without knowledge for another microphone', () => {
    const canceller = new AdaptiveCanceller();
    play(canceller, 200, 0.3);
    canceller.reset();
    expect(canceller.finding).toBe('unknown');
    expect(canceller.leadMs).toBe(20);
  });

  it('keeps its knowledge of the room across a gap', () => {
    const canceller = new AdaptiveCanceller();
    play(canceller, 200, 0.3);
    canceller.resume(new Float32Array(echoMemorySamples));
    expect(canceller.finding).toBe('heard');
    let left = 0;
    for (let block = 0; block < 20; block += 1) {
      const played = noise(0.3);
      const clean = canceller.process(
        played.map((sample) => sample * 0.3),
        played,
      );
      left = Math.max(left, ...clean.map((sample) => Math.abs(sample)));
    }
    expect(left).toBeLessThan(0.3 * 0.3 * 0.3);
  });
});

describe('isEchoCancelled', () => {
  const speakers = { microphone: 'Built-in Microphone', speaker: 'Built-in Audio' };

  it.each([
    'USB Headset',
    'WH-1000XM4 Headphones',
    "Mei's AirPods Pro",
    'Galaxy Buds (Hands-Free AG Audio)',
    'Earphone',
    '小米蓝牙耳机',
  ])('is false in the mode auto with %s', (name) => {
    expect(isEchoCancelled('auto', speakers)).toBe(true);
    expect(isEchoCancelled('auto', { ...speakers, speaker: name })).toBe(false);
    expect(isEchoCancelled('auto', { ...speakers, microphone: name })).toBe(false);
    expect(isEchoCancelled('on', { ...speakers, speaker: name })).toBe(true);
  });

  it('is true for unknown devices, and false when switched off', () => {
    expect(isEchoCancelled('auto', { microphone: undefined, speaker: 'default' })).toBe(true);
    expect(isEchoCancelled('off', speakers)).toBe(false);
  });
});

function cancellerWith(finding: EchoFinding): EchoCanceller {
  return {
    finding,
    nearEndPresence: undefined,
    leadMs: 20,
    delayMs: 10,
    process: (frame: Float32Array) => frame,
    resume: () => undefined,
    reset: () => undefined,
  };
}

const devices = { microphone: 'Desk', speaker: 'Built-in' };

describe('CancellerCache', () => {
  it('returns a canceller once only, for the same microphone, even before a speaker is open', () => {
    for (const speaker of ['Built-in', undefined]) {
      const cache = new CancellerCache();
      const first = cancellerWith('heard');
      cache.put(devices, first);
      expect(cache.take({ microphone: 'Desk', speaker })).toBe(first);
      expect(cache.take(devices)).toBeUndefined();
    }
  });

  it('returns nothing for another microphone or speaker', () => {
    const cache = new CancellerCache();
    cache.put(devices, cancellerWith('heard'));
    expect(cache.take({ microphone: 'Webcam', speaker: 'Built-in' })).toBeUndefined();
    expect(cache.take({ microphone: 'Desk', speaker: 'HDMI' })).toBeUndefined();
    expect(cache.take({ microphone: undefined, speaker: undefined })).toBeUndefined();
  });

  it.each(['none', 'unknown'] as const)('keeps nothing for the finding %s', (finding) => {
    const cache = new CancellerCache();
    cache.put(devices, cancellerWith(finding));
    expect(cache.take(devices)).toBeUndefined();
  });
});

describe('EchoEvidence', () => {
  const block = (level: number): Float32Array => new Float32Array(160).fill(level);

  it('counts an echo path as proven while it removes most of the echo, and for some time after', () => {
    const evidence = new EchoEvidence();
    expect(evidence.isProven).toBe(false);
    expect(evidence.follow(block(0.1), block(0.01), true)).toBe(true);
    // Somebody speaks, or the echo delay has changed.
    for (let n = 0; n < 20; n += 1) evidence.follow(block(0.1), block(0.1), true);
    expect(evidence.follow(block(0.1), block(0.1), true)).toBe(false);
    expect(evidence.isProven).toBe(true);
  });

  it('drops the proof after seconds without success, but not during silence', () => {
    const evidence = new EchoEvidence();
    evidence.follow(block(0.1), block(0.01), true);
    for (let n = 0; n < 1000; n += 1) evidence.follow(block(0), block(0), true);
    expect(evidence.isProven).toBe(true);
    for (let n = 0; n < 250; n += 1) evidence.follow(block(0.1), block(0.1), true);
    expect(evidence.isProven).toBe(false);
  });
});

const block = echoBlockSamples;

/** The measured delay in a simulated room, and the seconds it took. */
function findIn(
  options: EchoRoomOptions,
): { readonly ms: number; readonly after: number } | undefined {
  const { microphone, played } = echoRoom(options);
  const delay = new EchoDelayEstimator();
  for (let from = 0; from + block <= played.length; from += block) {
    const now = played.subarray(from, from + block);
    const isPlayed = now.some((sample) => Math.abs(sample) > 1e-4);
    const ms = delay.follow(microphone.subarray(from, from + block), now, isPlayed);
    if (ms !== undefined) return { ms, after: from / inputRate };
  }
  return undefined;
}

describe('EchoDelayEstimator', () => {
  it.each([60, 200, 300, 400, 500])(
    'measures the delay within two and a half seconds of an answer (%i ms)',
    (delayMs) => {
      for (const seed of [1, 2, 3, 4]) {
        const found = findIn({ seed, delayMs });
        expect(found?.ms).toBeGreaterThan(delayMs - 5);
        expect(found?.ms).toBeLessThan(delayMs + 15);
        expect(found?.after).toBeLessThan(2.5);
      }
    },
  );

  it('measures the delay during near-end speech', () => {
    const found = findIn({ seed: 5, delayMs: 350, speaks: [[0, 12]], seconds: 12 });
    expect(found?.ms).toBeGreaterThan(345);
    expect(found?.ms).toBeLessThan(365);
  });
});

describe('AdaptiveCanceller with a late echo', () => {
  it.each([250, 400])('removes an echo that comes %i ms late', (delayMs) => {
    const { microphone, played } = echoRoom({ seed: 7, delayMs, seconds: 14 });
    const canceller = new AdaptiveCanceller();
    const left = new Float32Array(microphone.length);
    for (let from = 0; from + block <= microphone.length; from += block) {
      const reference = new Float32Array(block);
      const at = from + Math.round((canceller.leadMs * inputRate) / 1000);
      for (let n = 0; n < block; n += 1) reference[n] = played[at + n] ?? 0;
      left.set(canceller.process(microphone.slice(from, from + block), reference), from);
    }
    expect(powerDb(left, 8, 13) - powerDb(microphone, 8, 13)).toBeLessThan(-25);
  });
});

const blockRandom = seeded(5);
const nothing = new Float32Array(echoBlockSamples);
const randomBlock = () => nothing.map(() => blockRandom() - 0.5);

/** A judge with fixed results. */
class JudgeFake {
  readonly gains = new Float32Array(echoBands);
  readonly received: Float32Array[] = [];
  presence = 0;

  judge(features: Float32Array): void {
    this.received.push(features.slice());
  }
}

function run(suppressor: EchoSuppressor, block: Float32Array, echo = nothing): Float32Array {
  suppressor.push(block, echo, echo);
  return suppressor.process(emptyHalfSpectrum(512)).slice();
}

describe('EchoSuppressor', () => {
  it.each([0, 0.5, 1])('applies the judge’s gain of %d, one block late', (gain) => {
    const judge = new JudgeFake();
    judge.gains.fill(gain);
    const suppressor = new EchoSuppressor(judge);
    const blocks = Array.from({ length: 6 }, randomBlock);
    const made = blocks.map((block) => run(suppressor, block));
    for (let n = 2; n < 6; n += 1)
      made[n]?.forEach((sample, at) => {
        expect(sample).toBeCloseTo(gain * (blocks[n - 1]?.[at] ?? 0), 4);
      });
  });

  it('passes the coherence of residual and expected echo to the judge', () => {
    const judge = new JudgeFake();
    const suppressor = new EchoSuppressor(judge);
    const alike = (): number => {
      const bands = judge.received.at(-1)?.subarray(4 * echoBands) ?? new Float32Array();
      return bands.reduce((sum, one) => sum + one, 0) / echoBands;
    };
    for (let n = 0; n < 20; n += 1) {
      const block = randomBlock();
      run(suppressor, block, block);
    }
    expect(alike()).toBeGreaterThan(0.99);
    for (let n = 0; n < 20; n += 1) run(suppressor, randomBlock(), randomBlock());
    expect(alike()).toBeLessThan(0.5);
  });

  it('attenuates 15 % less, in decibels, while a person certainly speaks', () => {
    const [gain, tone] = [0.1, Float32Array.from({ length: 160 }, (_, n) => Math.sin(n / 3))];
    const levelWith = (presence: number): number => {
      const judge = new JudgeFake();
      judge.gains.fill(gain);
      judge.presence = presence;
      const suppressor = new EchoSuppressor(judge);
      let made: Float32Array = tone;
      for (let n = 0; n < 6; n += 1) made = run(suppressor, tone);
      return Math.sqrt(made.reduce((sum, sample) => sum + sample ** 2, 0));
    };
    expect(levelWith(0.95) / levelWith(0.5)).toBeCloseTo(gain ** -0.15, 2);
  });

  it('reports how likely a person speaks, except while it lets sound through unchanged', () => {
    const judge = new JudgeFake();
    const suppressor = new EchoSuppressor(judge);
    expect(suppressor.nearEndPresence).toBeUndefined();
    judge.presence = 0.9;
    run(suppressor, randomBlock());
    expect(suppressor.nearEndPresence).toBe(0.9);
    suppressor.pass(randomBlock());
    expect(suppressor.nearEndPresence).toBeUndefined();
  });
});

it('EchoSuppressor passes sound unchanged without an echo, one block late', () => {
  const suppressor = new EchoSuppressor(new JudgeFake());
  const blocks = Array.from({ length: 6 }, randomBlock);
  const made = blocks.map((block) => suppressor.pass(block).slice());
  for (let n = 1; n < 6; n += 1)
    made[n]?.forEach((sample, at) => {
      expect(sample).toBeCloseTo(blocks[n - 1]?.[at] ?? 0, 4);
    });
});
