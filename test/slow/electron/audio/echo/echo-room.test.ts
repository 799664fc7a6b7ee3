import { describe, expect, it } from 'vitest';
import { AdaptiveCanceller } from '../../../../../electron/audio/echo/adaptive-canceller.ts';
import { openVoiceActivityDetector } from '../../../../../electron/gateway/dialogue-manager.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import {
  randomJumps,
  echoRoom,
  type EchoRoom,
  type EchoRoomOptions,
  powerDb,
  cancelEcho,
  echoReductionDb,
  measureVoice,
} from '../../../../fakes/echo-room.ts';

/** Levels of 20 ms blocks, quietest first. */
function blockLevels(heard: Float32Array, from: number, to: number): readonly number[] {
  const levels: number[] = [];
  for (let at = from; at + 0.02 <= to; at += 0.02) levels.push(powerDb(heard, at, at + 0.02));
  return levels.toSorted((one, other) => one - other);
}

/** The 99th percentile of the block levels. */
function p99Db(heard: Float32Array, from: number, to: number): number {
  const levels = blockLevels(heard, from, to);
  return levels[Math.floor(levels.length * 0.99)] ?? 0;
}

/** The milliseconds of sound that the demonstration would take for speech. */
function maxVoiceMs(heard: Float32Array): number {
  return openVoiceActivityDetector().push(heard);
}

/** One room up to a time in seconds, and another afterwards. */
function joinRooms(one: EchoRoom, other: EchoRoom, at: number): EchoRoom {
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

const rooms: readonly EchoRoomOptions[] = [
  { seed: 1, echoDb: -20, delayMs: 25 },
  { seed: 2, echoDb: -26, delayMs: 60 },
  { seed: 3, echoDb: -30, delayMs: 120 },
  { seed: 4, echoDb: -24, delayMs: 90, noiseDb: -50 },
  { seed: 5, echoDb: -20, delayMs: 40, noiseDb: -70, reverbSeconds: 0.3 },
];

describe('the echo canceller in a simulated room', () => {
  it.each(rooms)('cancels the echo: %o', (options) => {
    const room = echoRoom(options);
    const heard = cancelEcho(room);
    // The canceller cannot remove the room’s noise.
    const reachable = powerDb(room.echo, 5, 12) - (options.noiseDb ?? -60);
    expect(echoReductionDb(room, heard, 0, 1)).toBeGreaterThan(Math.min(20, reachable - 3));
    expect(echoReductionDb(room, heard, 1, 3)).toBeGreaterThan(20);
    expect(echoReductionDb(room, heard, 5, 12)).toBeGreaterThan(Math.min(28, reachable - 3));
    expect(p99Db(heard, 5, 12)).toBeLessThan(Math.max(-50, (options.noiseDb ?? -60) + 3));
  });

  it('cancels more than 24 dB of the echo of an overdriven speaker', () => {
    const room = echoRoom({ seed: 6, echoDb: -20, drive: 3, delayMs: 80 });
    expect(echoReductionDb(room, cancelEcho(room), 5, 12)).toBeGreaterThan(24);
  });

  it.each([60, -40])('finds the echo again after its delay changes by %d ms', (ms) => {
    const room = echoRoom({ seed: 7, delayMs: 80, jumps: [{ at: 6, ms }] });
    const heard = cancelEcho(room);
    expect(echoReductionDb(room, heard, 7, 8)).toBeGreaterThan(12);
    expect(echoReductionDb(room, heard, 9, 12)).toBeGreaterThan(24);
  });

  it.each([1, 2, 3])('cancels high frequencies despite clock drift: room %d', (seed) => {
    // A shift of 1/16 ms hardly matters for the low frequencies of a vowel, but it does for the high ones of an s.
    const jumps = Array.from({ length: 30 }, (_, n) => ({ at: 4 + n / 2, ms: (n % 2) / 16 }));
    const room = echoRoom({ seed, echoDb: -20, noiseDb: -90, seconds: 20, jumps });
    const heard = cancelEcho(room);
    for (let at = 8; at < 19; at += 0.5) expect(powerDb(heard, at, at + 0.5)).toBeLessThan(-65);
  });

  it.each([-20, -26, -32])('preserves speech over an echo of %d dBFS', (echoDb) => {
    const room = echoRoom({ seed: 8, echoDb, speaks: [[5, 8]] });
    const heard = cancelEcho(room);
    const { gainDb, snrDb } = measureVoice(room, heard, 5, 8);
    const before = measureVoice(room, room.microphone, 5, 8);
    expect(gainDb).toBeGreaterThan(-4);
    expect(snrDb).toBeGreaterThan(Math.min(10, before.snrDb + 5));
    // Speech did not spoil the learned path.
    expect(echoReductionDb(room, heard, 9, 12)).toBeGreaterThan(25);
  });

  it('leaves speech without echo unchanged', () => {
    const room = echoRoom({ seed: 9, pauses: [[6, 12]], speaks: [[7, 11]] });
    const { gainDb, snrDb } = measureVoice(room, cancelEcho(room), 7, 11);
    expect(Math.abs(gainDb)).toBeLessThan(0.1);
    expect(snrDb).toBeGreaterThan(25);
  });

  it('leaves the sound of a headset user unchanged even during an answer', () => {
    const room = echoRoom({ seed: 10, echoDb: -200, speaks: [[2, 10]] });
    const { gainDb, snrDb } = measureVoice(room, cancelEcho(room), 2, 10);
    expect(Math.abs(gainDb)).toBeLessThan(1);
    expect(snrDb).toBeGreaterThan(12);
  });

  it('keeps the learned path over a pause between answers', () => {
    const room = echoRoom({ seed: 11, pauses: [[6, 8]] });
    expect(echoReductionDb(room, cancelEcho(room), 8, 9)).toBeGreaterThan(20);
  });

  it('passes speech and cancels the echo when both last all the time', () => {
    // Such as the answer of another Parley, which this one does not know.
    const room = echoRoom({ seed: 24, echoDb: -24, voiceDb: -28, speaks: [[1, 12]] });
    const heard = cancelEcho(room);
    const before = measureVoice(room, room.microphone, 4, 12);
    const { gainDb, snrDb } = measureVoice(room, heard, 4, 12);
    expect(gainDb).toBeGreaterThan(-6);
    expect(snrDb).toBeGreaterThan(before.snrDb + 4);
  });
});

describe('the echo canceller after a change during an answer', () => {
  it('passes the user unchanged after a headset is plugged in', () => {
    const speaks = [[8, 11]] as const;
    const open = echoRoom({ seed: 21, echoDb: -22, speaks });
    const worn = echoRoom({ seed: 21, echoDb: -200, speaks });
    const heard = cancelEcho(joinRooms(open, worn, 6));
    expect(echoReductionDb(open, heard, 4, 6)).toBeGreaterThan(25);
    const { gainDb, snrDb } = measureVoice(worn, heard, 8, 11);
    expect(Math.abs(gainDb)).toBeLessThan(1.5);
    expect(snrDb).toBeGreaterThan(8);
  });

  it('learns the path to a replaced microphone', () => {
    const one = echoRoom({ seed: 22, echoDb: -22, delayMs: 40 });
    const other = echoRoom({ seed: 23, echoDb: -24, delayMs: 110 });
    const room = joinRooms(one, other, 6);
    const canceller = new AdaptiveCanceller();
    const until = 6 * inputRate;
    const half = (from: number, to?: number) => ({
      microphone: room.microphone.slice(from, to),
      played: room.played.slice(from, to),
    });
    cancelEcho(half(0, until), canceller);
    canceller.reset();
    const heard = cancelEcho(half(until), canceller);
    const reductionDb = (from: number, to: number): number =>
      powerDb(room.microphone, 6 + from, 6 + to) - powerDb(heard, from, to);
    // Most of the echo is blocked even before the new path is learned.
    expect(reductionDb(0, 1)).toBeGreaterThan(12);
    expect(reductionDb(2, 6)).toBeGreaterThan(25);
  });
});

const breaks = [0.5, 1, 3].flatMap((seconds) => [1, 2, 3].map((seed) => ({ seconds, seed })));

describe('unreported breaks in playback', () => {
  it.each(breaks)(
    'leave little echo, and only briefly: every $seconds s, room $seed',
    ({ seconds, seed }) => {
      const jumps = randomJumps(seconds, 20, seed);
      const room = echoRoom({ seed, echoDb: -24, delayMs: 50, seconds: 20, jumps });
      const heard = cancelEcho(room);
      expect(maxVoiceMs(room.microphone)).toBeGreaterThan(1000);
      // The demonstration yields after 400 ms of speech. With breaks every second or sooner, it may.
      expect(maxVoiceMs(heard)).toBeLessThan(seconds < 3 ? 1000 : 400);
      const levels = blockLevels(heard, 1, 20);
      expect(levels[levels.length >> 1]).toBeLessThan(-55);
    },
  );

  it.each([-20, -26, -32])(
    'let speech through between breaks, over an echo of %d dBFS',
    (echoDb) => {
      const speaks = [
        [5, 8],
        [10, 11],
        [14, 15],
      ] as const;
      const jumps = randomJumps(4, 20, 5);
      const room = echoRoom({ seed: 8, echoDb, seconds: 20, jumps, speaks });
      const heard = cancelEcho(room);
      for (const [from, to] of speaks)
        expect(measureVoice(room, heard, from, to).gainDb).toBeGreaterThan(-4);
    },
  );
});

describe('an echo canceller with invalid input', () => {
  const spoiledInputs: readonly (readonly [string, (room: EchoRoom) => Partial<EchoRoom>])[] = [
    ['a reference that stops', ({ played }) => ({ played: stopped(played, 4) })],
    ['a reference of something else', ({ played }) => ({ played: played.toReversed() })],
    ['a microphone that clips', ({ microphone }) => ({ microphone: clipped(microphone) })],
    ['a microphone with a DC offset', ({ microphone }) => ({ microphone: shifted(microphone) })],
    ['a reference with a DC offset', ({ played }) => ({ played: shifted(played) })],
    ['a reference far too loud', ({ played }) => ({ played: played.map((x) => x * 5) })],
  ];

  it.each(spoiledInputs)('adds at most 3 dB: %s', (what, spoil) => {
    const whole = echoRoom({ seed: 12, speaks: [[3, 6]] });
    const room = { ...whole, ...spoil(whole) };
    const heard = cancelEcho(room);
    expect(heard.every((sample) => Number.isFinite(sample))).toBe(true);
    for (let at = 0.5; at < 11; at += 0.5) {
      const louder = powerDb(heard, at, at + 0.5) - powerDb(room.microphone, at, at + 0.5);
      expect(louder).toBeLessThan(3);
    }
    // If the input never matches, only speech clearly louder than any echo passes.
    const isForeign = what === 'a reference of something else' || what.endsWith('too loud');
    expect(measureVoice(whole, heard, 3, 6).gainDb).toBeGreaterThan(isForeign ? -15 : -6);
  });
});

function stopped(sound: Float32Array, at: number): Float32Array {
  return sound.slice().fill(0, at * inputRate);
}

function clipped(sound: Float32Array): Float32Array {
  return sound.map((sample) => Math.max(-0.1, Math.min(0.1, sample)));
}

function shifted(sound: Float32Array): Float32Array {
  return sound.map((sample) => sample + 0.2);
}
