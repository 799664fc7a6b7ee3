import { describe, expect, it } from 'vitest';
import {
  type EchoCanceller,
  type EchoFinding,
  KnownRoom,
} from '../../../../../electron/audio/echo/echo-canceller.ts';

function canceller(finding: EchoFinding) {
  const one = {
    closed: 0,
    finding,
    hearsSomebody: false,
    aheadMs: 20,
    process: (frame: Float32Array) => frame,
    rejoin: () => undefined,
    reset: () => undefined,
    close: () => {
      one.closed += 1;
    },
  } satisfies EchoCanceller & { closed: number };
  return one;
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
      room.close();
      expect(one.closed).toBe(0);
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
    const one = canceller(finding);
    room.keep(desk, one);
    expect(one.closed).toBe(1);
    expect(room.take(desk)).toBeUndefined();
  });

  it('gives way to the next, and is closed with Parley', () => {
    const room = new KnownRoom();
    const [one, next] = [canceller('heard'), canceller('heard')];
    room.keep(desk, one);
    room.keep({ ...desk, microphone: 'Webcam' }, next);
    expect([one.closed, next.closed]).toEqual([1, 0]);
    room.close();
    expect(next.closed).toBe(1);
  });
});
