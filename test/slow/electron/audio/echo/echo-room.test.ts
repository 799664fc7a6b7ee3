import { describe, expect, it } from 'vitest';
import { AdaptiveCanceller } from '../../../../../electron/audio/echo/adaptive-canceller.ts';
import { openVoiceActivityDetector } from '../../../../../electron/gateway/dialogue-manager.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import {
  randomJumps,
  echoRoom,
  powerDb,
  cancelEcho,
  echoReductionDb,
  measureVoice,
  type EchoRoom,
  type EchoRoomOptions,
} from '../../../../fakes/echo-room.ts';
import {
  BargeInDetector,
  defaultBargeInOptions,
} from '../../../../../electron/audio/detection/barge-in.ts';
import { VoiceModel } from '../../../../../electron/audio/detection/voice-model.ts';
import { echoBlockSamples } from '../../../../../electron/audio/echo/echo-canceller.ts';
import { judgeRoom } from '../../../../../electron/audio/devices/room-test.ts';
import type { RoomTestFailure, RoomJudgement } from '../../../../../shared/audio/sound-tests.ts';

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

  it('leaves the sound of a headset user unchanged even during an answer', () => {
    const room = echoRoom({ seed: 10, echoDb: -200, speaks: [[2, 10]] });
    const { gainDb, snrDb } = measureVoice(room, cancelEcho(room), 2, 10);
    expect(Math.abs(gainDb)).toBeLessThan(1);
    expect(snrDb).toBeGreaterThan(12);
  });
});

describe('the echo canceller after a change during an answer', () => {
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
      // The demonstration yields after 400 ms of speech. It may do so only if breaks come less than 3 s apart.
      expect(maxVoiceMs(heard)).toBeLessThan(seconds < 3 ? 1000 : 400);
      const levels = blockLevels(heard, 1, 20);
      expect(levels[levels.length >> 1]).toBeLessThan(-55);
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

const answerAt = 0.5;
const answerSeconds = 2.4;
const seeds = Array.from({ length: 12 }, (_, n) => n + 20);
/** When the user begins to speak. The time varies, so that the user speaks over different syllables of the answer. */
const personAt = (seed: number): number => 0.85 + (seed % 4) * 0.1;

/** When the first answer is ducked, in seconds; infinity if it is not. */
function duckedAt(options: EchoRoomOptions): number {
  const { microphone, played } = echoRoom({
    seconds: answerSeconds,
    pauses: [[0, answerAt]],
    ...options,
  });
  const [canceller, voice] = [new AdaptiveCanceller(), new VoiceModel()];
  const detector = new BargeInDetector(defaultBargeInOptions);
  for (let at = 0; at + echoBlockSamples <= microphone.length; at += echoBlockSamples) {
    const block = (of: Float32Array): Float32Array => of.slice(at, at + echoBlockSamples);
    const clean = canceller.process(block(microphone), block(played));
    voice.push(clean);
    const ms = (at * 1000) / inputRate;
    const answering = ms >= answerAt * 1000;
    if (answering) detector.played(block(played), ms);
    const event = detector.push(clean, ms, answering, {
      likelihood: voice.likelihood,
      presence: canceller.nearEndPresence,
    });
    if (event === 'duck') return at / inputRate;
  }
  return Infinity;
}

/** Counts the rooms, of twelve, that detect a user within 0.3 s. The user begins 0.35 to 0.65 s into the answer. */
function countDetected(options: Omit<EchoRoomOptions, 'seed'>): number {
  const count = seeds.filter((seed) => {
    const at = personAt(seed);
    const after = duckedAt({ seed, speaks: [[at, answerSeconds]], ...options }) - at;
    return after >= 0 && after <= 0.3;
  }).length;
  process.stdout.write(`${JSON.stringify(options)}: ${count} of ${seeds.length} in 0.3 s\n`);
  return count;
}

describe('speech over the first answer after a start', () => {
  // Headphones give an echo of -70 dBFS.
  it.each([
    [-20, -70, 11],
    [-26, -70, 11],
    [-32, -70, 11],
    [-18, -36, 11],
    [-26, -26, 11],
    [-26, -20, 5],
  ])(
    'is detected within 0.3 s at %i dBFS over an echo of %i dBFS, in at least %i of 12 rooms',
    (voiceDb, echoDb, rooms) => {
      expect(countDetected({ echoDb, voiceDb })).toBeGreaterThanOrEqual(rooms);
    },
  );
});

it.each([
  { delayMs: 25, echoDb: -20 },
  { delayMs: 60, echoDb: -26 },
  { delayMs: 150, echoDb: -24, reverbSeconds: 0.45 },
  { delayMs: 60, echoDb: -22, drive: 3 },
])('the echo of a first answer does not duck that answer: %o', (options) => {
  expect(seeds.filter((seed) => duckedAt({ seed, ...options }) < Infinity)).toEqual([]);
});

const testSeconds = 7;
/** The last second is for the phrase's reverberation. */
const pauses = [[6, testSeconds]] as const;
const speaks = [[1, 6]] as const;

/** Judges a simulated room: quiet, with the phrase, and with a voice at this level over the phrase. */
async function judgedRoom(options: EchoRoomOptions, voiceDb?: number): Promise<RoomJudgement> {
  const quiet = echoRoom({ ...options, echoDb: -200, seconds: 1 }).microphone;
  const alone = echoRoom({ ...options, seconds: testSeconds, pauses });
  if (voiceDb === undefined) return getJudgement(await judgeRoom({ quiet, alone }));
  const { microphone, played } = echoRoom({
    ...options,
    seconds: testSeconds,
    pauses,
    voiceDb,
    speaks,
  });
  // The second recording starts at another moment.
  const later = Math.round(0.123 * inputRate);
  const over = { microphone: microphone.subarray(later), played: played.subarray(later) };
  return getJudgement(await judgeRoom({ quiet, alone, over }));
}

function getJudgement(judgement: RoomJudgement | RoomTestFailure): RoomJudgement {
  if (typeof judgement === 'string') throw new Error(judgement);
  return judgement;
}

describe('judgeRoom', () => {
  it('measures delay, level and cancellation of an echo in a quiet room', async () => {
    const { noiseDb, echo, person } = await judgedRoom({ seed: 2, echoDb: -30, noiseDb: -65 }, -26);
    expect(noiseDb).toBeCloseTo(-65, 0);
    expect(echo?.delayMs).toBeGreaterThan(55);
    expect(echo?.delayMs).toBeLessThan(75);
    expect(echo?.echoAboveNoiseDb).toBeCloseTo(35, -0.5);
    expect(echo?.medianCancelledDb).toBeGreaterThan(28);
    expect(echo?.worstCancelledDb).toBeGreaterThan(15);
    expect(echo?.worstCancelledDb).toBeLessThan(echo?.medianCancelledDb ?? 0);
    expect(echo?.residualAboveNoiseDb).toBeLessThan(6);
    expect(person?.attenuationDb).toBeLessThan(3);
  });

  it('reports that speech gets quieter in a room whose echo keeps changing', async () => {
    const jumps = [1.7, 2.4, 3.1, 3.8, 4.5, 5.2].map((at, n) => ({ at, ms: n % 2 === 0 ? 90 : 0 }));
    const [steady, broken] = [
      await judgedRoom({ seed: 4, echoDb: -20 }, -20),
      await judgedRoom({ seed: 4, echoDb: -20, jumps }, -20),
    ];
    expect(steady.person?.attenuationDb).toBeLessThan(4);
    expect(broken.person?.attenuationDb).toBeGreaterThan((steady.person?.attenuationDb ?? 0) + 0.5);
    expect(broken.echo?.residualAboveNoiseDb).toBeGreaterThan(
      (steady.echo?.residualAboveNoiseDb ?? 0) + 5,
    );
  });
});
