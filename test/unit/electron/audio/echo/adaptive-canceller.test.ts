import { describe, expect, it } from 'vitest';
import { AdaptiveCanceller } from '../../../../../electron/audio/echo/adaptive-canceller.ts';
import {
  CancellerCache,
  echoBlockSamples,
  type EchoCanceller,
  type EchoFinding,
  echoMemorySamples,
  isEchoCancelled,
} from '../../../../../electron/audio/echo/echo-canceller.ts';
import { EchoEvidence } from '../../../../../electron/audio/echo/echo-confidence.ts';
import { FarEndHistory } from '../../../../../electron/audio/echo/echo-filter.ts';
import { seeded } from '../../../../fakes/seeded.ts';

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

describe('EchoEvidence', () => {
  const block = (level: number): Float32Array => new Float32Array(160).fill(level);

  it('counts a path as proven while it removes most of the echo, and for a while after', () => {
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

describe('FarEndHistory', () => {
  const [size, blocks] = [512, 26];
  const random = seeded(3);
  const played = Float32Array.from({ length: echoMemorySamples }, () => random() - 0.5);

  function createHistory(sound: Float32Array): FarEndHistory {
    const history = new FarEndHistory(size, blocks);
    for (let at = 0; at < sound.length; at += echoBlockSamples)
      history.push(sound.subarray(at, at + echoBlockSamples));
    return history;
  }

  const spectra = (history: FarEndHistory) =>
    Array.from({ length: blocks }, (_, age) => Array.from(history.spectrumOf(age).re));

  it('is the same whether filled block by block or at once', () => {
    const atOnce = new FarEndHistory(size, blocks);
    atOnce.remember(played);
    expect(spectra(atOnce)).toEqual(spectra(createHistory(played)));
  });

  it('shifts by blocks as if it had been filled later', () => {
    const later = 2 * echoBlockSamples;
    const history = createHistory(played);
    history.delay(later);
    const moved = new Float32Array(played.length);
    moved.set(played.subarray(0, played.length - later), later);
    expect(spectra(history)).toEqual(spectra(createHistory(moved)));
    history.push(played.subarray(0, echoBlockSamples));
    expect(history.spectrumOf(1).re).not.toEqual(history.spectrumOf(0).re);
  });
});

function cancellerWith(finding: EchoFinding): EchoCanceller {
  return {
    finding,
    nearEndPresence: undefined,
    leadMs: 20,
    process: (frame: Float32Array) => frame,
    resume: () => undefined,
    reset: () => undefined,
  };
}

const devices = { microphone: 'Desk', speaker: 'Built-in' };

describe('CancellerCache', () => {
  it('returns a canceller once for the same microphone, even before a speaker is open', () => {
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

  it('keeps only the newest canceller', () => {
    const cache = new CancellerCache();
    const next = cancellerWith('heard');
    cache.put(devices, cancellerWith('heard'));
    cache.put({ ...devices, microphone: 'Webcam' }, next);
    expect(cache.take(devices)).toBeUndefined();
    expect(cache.take({ ...devices, microphone: 'Webcam' })).toBe(next);
  });
});
