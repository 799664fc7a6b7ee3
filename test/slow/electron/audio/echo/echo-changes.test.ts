import { describe, expect, it } from 'vitest';
import { AdaptiveCanceller } from '../../../../../electron/audio/echo/adaptive-canceller.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import {
  echoRoom,
  type EchoRoom,
  powerDb,
  cancelEcho,
  echoReductionDb,
  measureVoice,
} from '../../../../fakes/echo-room.ts';

/** One room up to a time, and another afterwards. */
function thenOther(one: EchoRoom, other: EchoRoom, at: number): EchoRoom {
  const from = at * inputRate;
  const joined = (first: Float32Array, second: Float32Array): Float32Array => {
    const whole = first.slice();
    whole.set(second.subarray(from), from);
    return whole;
  };
  return {
    played: joined(one.played, other.played),
    echo: joined(one.echo, other.echo),
    voice: joined(one.voice, other.voice),
    microphone: joined(one.microphone, other.microphone),
  };
}

describe('a change of the room during an answer', () => {
  it('passes the user unchanged after a headset is plugged in', () => {
    const speaks = [[8, 11]] as const;
    const open = echoRoom({ seed: 21, echoDb: -22, speaks });
    const worn = echoRoom({ seed: 21, echoDb: -200, speaks });
    const heard = cancelEcho(thenOther(open, worn, 6));
    expect(echoReductionDb(open, heard, 4, 6)).toBeGreaterThan(25);
    const { levelDb, clearDb } = measureVoice(worn, heard, 8, 11);
    expect(Math.abs(levelDb)).toBeLessThan(1.5);
    expect(clearDb).toBeGreaterThan(8);
  });

  it('learns the path to a replaced microphone', () => {
    const one = echoRoom({ seed: 22, echoDb: -22, delayMs: 40 });
    const other = echoRoom({ seed: 23, echoDb: -24, delayMs: 110 });
    const room = thenOther(one, other, 6);
    const canceller = new AdaptiveCanceller();
    const until = 6 * inputRate;
    const half = (from: number, to?: number) => ({
      microphone: room.microphone.slice(from, to),
      played: room.played.slice(from, to),
    });
    cancelEcho(half(0, until), canceller);
    canceller.reset();
    const heard = cancelEcho(half(until), canceller);
    const taken = (from: number, to: number): number =>
      powerDb(room.microphone, 6 + from, 6 + to) - powerDb(heard, from, to);
    // Unknown echo is blocked, and the former path does no harm.
    expect(taken(0, 1)).toBeGreaterThan(12);
    expect(taken(2, 6)).toBeGreaterThan(25);
  });

  it('cancels only this Parley’s answer, not that of another one in the room', () => {
    // The other one talks all the time, unknown to this one.
    const room = echoRoom({ seed: 24, echoDb: -24, voiceDb: -28, speaks: [[1, 12]] });
    const heard = cancelEcho(room);
    const before = measureVoice(room, room.microphone, 4, 12);
    const { levelDb, clearDb } = measureVoice(room, heard, 4, 12);
    expect(levelDb).toBeGreaterThan(-6);
    expect(clearDb).toBeGreaterThan(before.clearDb + 4);
  });
});
