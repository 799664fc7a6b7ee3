import { describe, expect, it } from 'vitest';
import {
  type EchoCanceller,
  type EchoFinding,
  CancellerCache,
} from '../../../../../electron/audio/echo/echo-canceller.ts';

function canceller(finding: EchoFinding): EchoCanceller {
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
      const room = new CancellerCache();
      const first = canceller('heard');
      room.keep(devices, first);
      expect(room.take({ microphone: 'Desk', speaker })).toBe(first);
      expect(room.take(devices)).toBeUndefined();
    }
  });

  it('returns nothing for another microphone or speaker', () => {
    const room = new CancellerCache();
    room.keep(devices, canceller('heard'));
    expect(room.take({ microphone: 'Webcam', speaker: 'Built-in' })).toBeUndefined();
    expect(room.take({ microphone: 'Desk', speaker: 'HDMI' })).toBeUndefined();
    expect(room.take({ microphone: undefined, speaker: undefined })).toBeUndefined();
  });

  it.each(['none', 'unknown'] as const)('keeps nothing for the finding %s', (finding) => {
    const room = new CancellerCache();
    room.keep(devices, canceller(finding));
    expect(room.take(devices)).toBeUndefined();
  });

  it('keeps only the newest room', () => {
    const room = new CancellerCache();
    const next = canceller('heard');
    room.keep(devices, canceller('heard'));
    room.keep({ ...devices, microphone: 'Webcam' }, next);
    expect(room.take(devices)).toBeUndefined();
    expect(room.take({ ...devices, microphone: 'Webcam' })).toBe(next);
  });
});
