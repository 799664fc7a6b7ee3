import { describe, expect, it } from 'vitest';
import {
  CancellerCache,
  type EchoCanceller,
  type EchoFinding,
  isEchoCancelled,
} from '../../../../../electron/audio/echo/echo-canceller.ts';

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
