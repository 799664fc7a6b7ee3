import { describe, expect, it } from 'vitest';
import {
  type EchoCanceller,
  type EchoFinding,
  KnownRoom,
} from '../../../../../electron/audio/echo/echo-canceller.ts';

function canceller(finding: EchoFinding): EchoCanceller {
  return {
    finding,
    hearsSomebody: false,
    aheadMs: 20,
    process: (frame: Float32Array) => frame,
    rejoin: () => undefined,
    reset: () => undefined,
  };
}

const desk = { microphone: 'Desk', speaker: 'Built-in' };

describe('the room that was heard last', () => {
  it('is given once to whoever opens the same microphone again, also before a speaker is there', () => {
    for (const speaker of ['Built-in', undefined]) {
      const room = new KnownRoom();
      const one = canceller('heard');
      room.keep(desk, one);
      expect(room.take({ microphone: 'Desk', speaker })).toBe(one);
      expect(room.take(desk)).toBeUndefined();
    }
  });

  it('is none of another microphone or another speaker', () => {
    const room = new KnownRoom();
    room.keep(desk, canceller('heard'));
    expect(room.take({ microphone: 'Webcam', speaker: 'Built-in' })).toBeUndefined();
    expect(room.take({ microphone: 'Desk', speaker: 'HDMI' })).toBeUndefined();
    expect(room.take({ microphone: undefined, speaker: undefined })).toBeUndefined();
  });

  it.each(['none', 'unknown'] as const)('is not kept where an echo was %s', (finding) => {
    const room = new KnownRoom();
    room.keep(desk, canceller(finding));
    expect(room.take(desk)).toBeUndefined();
  });

  it('gives way to the next', () => {
    const room = new KnownRoom();
    const next = canceller('heard');
    room.keep(desk, canceller('heard'));
    room.keep({ ...desk, microphone: 'Webcam' }, next);
    expect(room.take(desk)).toBeUndefined();
    expect(room.take({ ...desk, microphone: 'Webcam' })).toBe(next);
  });
});
