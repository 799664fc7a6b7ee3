import { describe, expect, it } from 'vitest';
import { DeviceLock } from '../../../../../electron/audio/devices/device-lease.ts';
import {
  RoomController,
  type SaveRoom,
} from '../../../../../electron/audio/devices/room-controller.ts';
import type { RoomStep } from '../../../../../shared/audio/sound-tests.ts';
import { appError, type AppError } from '../../../../../shared/errors/app-error.ts';
import { OpenPage, type Page } from '../../../../../shared/ipc/page.ts';
import { defaultSettings } from '../../../../../shared/settings/settings.ts';
import { judgeRoom, roomName, writeRoom } from '../../../../../electron/audio/devices/room-test.ts';
import { soundFromWav } from '../../../../../electron/audio/dsp/sound-from-wav.ts';
import { inputRate, outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import type { AudioSink } from '../../../../../electron/audio/capture/microphone.ts';
import {
  createChirp,
  findChirp,
  LoopbackTest,
} from '../../../../../electron/audio/devices/loopback-test.ts';
import type { DeviceEvent } from '../../../../../electron/audio/devices/stream-supervisor.ts';
import { resample } from '../../../../../electron/audio/dsp/sinc-resampler.ts';
import { unwrapAnswer, RefusedError } from '../../../../fakes/unwrap.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeRoom } from '../../../../fakes/fake-room.ts';
import { flushPromises } from '../../../../fakes/promises.ts';
import { echoRoom } from '../../../../fakes/echo-room.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { randomRuns, seeded } from '../../../../fakes/seeded.ts';

/** Opens a page in a simulated room; `place` answers the question where to save. */
function open(options: ConstructorParameters<typeof FakeRoom>[1] = {}, place?: SaveRoom) {
  const clock = new FakeClock();
  const room = new FakeRoom(clock, options);
  const steps: RoomStep[] = [];
  const talk = { isActive: false };
  const lock = new DeviceLock();
  lock.setTalk(talk);
  let choosing: Promise<unknown> = Promise.resolve();
  const controller = new RoomController({
    devices: room.parts,
    roomPhrase: room.parts.roomPhrase,
    clock,
    lock,
    settings: { get: () => defaultSettings },
    post: (name, payload) => {
      if (name === 'roomStep') steps.push(payload as RoomStep);
    },
    chooseRoomPlace: async () => {
      await choosing;
      return place;
    },
  });
  const page = new OpenPage();
  const { testRoom, speakInRoom, keepRoom, forgetRoom } = controller.handlers;
  /** Advances time while the test is at one of these steps, for a minute at most. */
  const pass = async (until: (step: RoomStep['step'] | undefined) => boolean): Promise<void> => {
    for (let ms = 0; ms < 60_000; ms += 10) {
      await flushPromises();
      if (until(steps.at(-1)?.step)) return;
      room.passStep();
    }
  };
  return {
    room,
    steps,
    talk,
    lock,
    page,
    begin: (from: Page = page) => {
      const asked = unwrapAnswer(testRoom(undefined, from));
      // Keeps the rejection from counting as unhandled, because the test looks at it later.
      asked.catch(() => undefined);
      return asked;
    },
    to: (step: RoomStep['step']) => pass((now) => now === step),
    toEnd: async (asked: Promise<unknown>) => {
      let isOver = false;
      const over = () => void (isOver = true);
      asked.then(over, over);
      await pass(() => isOver);
    },
    speak: (from: Page = page) => speakInRoom(undefined, from),
    keep: (from: Page = page) => unwrapAnswer(keepRoom(undefined, from)),
    forget: (from: Page = page) => Promise.resolve(forgetRoom(undefined, from)),
    holdChoosing: (until: Promise<unknown>) => {
      choosing = until;
    },
  };
}

type Opened = ReturnType<typeof open>;

/** Runs a whole test up to the judgement. */
async function tried(opened: Opened) {
  const asked = opened.begin();
  await opened.to('ready');
  void opened.speak();
  opened.room.speaks = true;
  await opened.toEnd(asked);
  return asked;
}

const refusal = (code: 'testStopped' | 'ownSoundGone' | 'talkHasSound' | 'noMicrophone') =>
  new RefusedError(appError(code));

describe('the room test of a page', () => {
  it('records the quiet room, plays, waits for the user, plays again, and judges', async () => {
    const opened = open();
    const found = await tried(opened);
    if (typeof found === 'string') throw new Error(found);
    expect(opened.steps).toEqual([
      { step: 'quiet', ms: 2000 },
      { step: 'alone', ms: 4400 },
      { step: 'ready' },
      { step: 'over', ms: 4400 },
      { step: 'judging' },
    ]);
    expect(opened.room.played).toBe(2);
    expect(found.person?.attenuationDb).toBeLessThan(6);
    expect(found.echo?.delayMs).toBeCloseTo(60, -1);
    expect(opened.room.ended).toBeGreaterThanOrEqual(2);
    expect(opened.lock.isFree).toBe(true);
  });

  it('reports a silent microphone, and keeps nothing', async () => {
    const opened = open({ muted: true });
    expect(await tried(opened)).toBe('mute');
    await expect(opened.keep()).rejects.toEqual(refusal('ownSoundGone'));
  });

  it.each(['quiet', 'alone', 'ready', 'over', 'judging'] as const)(
    'can be stopped during step: %s',
    async (step) => {
      const opened = open();
      const asked = opened.begin();
      if (step === 'over' || step === 'judging') {
        await opened.to('ready');
        void opened.speak();
      }
      await opened.to(step);
      await opened.forget();
      await opened.toEnd(asked);
      await expect(asked).rejects.toEqual(refusal('testStopped'));
      expect(opened.lock.isFree).toBe(true);
      expect(opened.room.ended).toBeGreaterThanOrEqual(2);
      await expect(opened.keep()).rejects.toEqual(refusal('ownSoundGone'));
    },
  );

  it('cannot run during a talk, which also ends a waiting test', async () => {
    const opened = open();
    const asked = opened.begin();
    await opened.to('ready');
    await opened.lock.preempt();
    await expect(asked).rejects.toEqual(refusal('testStopped'));
    opened.talk.isActive = true;
    await expect(opened.begin()).rejects.toEqual(refusal('talkHasSound'));
  });

  it('reports a missing microphone, even one lost while waiting for the user', async () => {
    const lost = appError('noMicrophone');
    await expect(open({ lost }).begin()).rejects.toEqual(refusal('noMicrophone'));
    const opened = open();
    const asked = opened.begin();
    await opened.to('ready');
    opened.room.lose(lost);
    await expect(asked).rejects.toEqual(refusal('noMicrophone'));
    expect(opened.lock.isFree).toBe(true);
  });

  it('ends with its page and discards the recordings', async () => {
    const opened = open();
    const asked = opened.begin();
    await opened.to('alone');
    opened.page.gone();
    await expect(asked).rejects.toEqual(refusal('testStopped'));
    expect(opened.lock.isFree).toBe(true);
    const later = open();
    await tried(later);
    later.page.gone();
    await expect(later.keep()).rejects.toEqual(refusal('ownSoundGone'));
  });

  it('ends when another page begins a test, which continues', async () => {
    const opened = open();
    const first = opened.begin();
    await opened.to('alone');
    const other = new OpenPage();
    const second = opened.begin(other);
    await expect(first).rejects.toEqual(refusal('testStopped'));
    await opened.to('ready');
    void opened.speak(other);
    await opened.to('over');
    expect(opened.steps.at(-1)?.step).toBe('over');
    expect(opened.lock.isFree).toBe(false);
    await opened.lock.preempt();
    await expect(second).rejects.toEqual(refusal('testStopped'));
  });
});

describe('the recordings of a room test', () => {
  it('are saved where the user chooses, and then discarded', async () => {
    const kept: object[] = [];
    const opened = open({}, (room) => {
      kept.push(room);
      return Promise.resolve({ ok: true, value: { kind: 'folder', path: '/rooms' } });
    });
    await tried(opened);
    expect(await opened.keep()).toEqual({ kind: 'folder', path: '/rooms' });
    expect(kept).toHaveLength(1);
    await expect(opened.keep()).rejects.toEqual(refusal('ownSoundGone'));
  });

  it('stay when the user cancels or writing fails', async () => {
    const unplaced = open();
    await tried(unplaced);
    expect(await unplaced.keep()).toEqual({ kind: 'cancelled' });
    expect(await unplaced.keep()).toEqual({ kind: 'cancelled' });
    const error = appError('diskFull', { path: '/rooms' });
    const full = open({}, () => Promise.resolve({ ok: false, error }));
    await tried(full);
    for (const _time of [1, 2]) await expect(full.keep()).rejects.toEqual(new RefusedError(error));
  });
});

describe('judgeRoom', () => {
  it('reports a sound that clips the microphone', async () => {
    const { microphone, played } = echoRoom({ seed: 5, seconds: 3, echoDb: -26 });
    const quiet = microphone.subarray(0, 100);
    const clipped = microphone.map((x) => Math.max(-1, Math.min(1, 30 * x)));
    for (const [sound, isClipped] of [
      [microphone, false],
      [clipped, true],
    ] as const)
      expect(await judgeRoom({ quiet, alone: { microphone: sound, played } })).toMatchObject({
        isClipped,
      });
  });

  it('judges no room without captured sound', async () => {
    const silence = new Float32Array(inputRate * 2);
    const { microphone, played } = echoRoom({ seed: 6, seconds: 2 });
    expect(await judgeRoom({ quiet: silence, alone: { microphone: silence, played } })).toBe(
      'mute',
    );
    expect(await judgeRoom({ quiet: silence, alone: { microphone, played: silence } })).toBe(
      'unplayed',
    );
    const nothing = new Float32Array();
    expect(await judgeRoom({ quiet: nothing, alone: { microphone: nothing, played } })).toBe(
      'mute',
    );
  });
});

const sound = (level: number) => new Float32Array(1600).fill(level);
const recording = (level: number) => ({ microphone: sound(level), played: sound(-level) });
const room = { quiet: sound(0), alone: recording(0.25), over: recording(0.5) };
const name = roomName(new Date('2026-11-27T16:15:04.123Z'));

it('the files of a room test are named after the local time', () => {
  const inShanghai = Object.assign(new Date('2026-11-27T16:15:04Z'), {
    toLocaleString: () => '2026-11-28 00:15:04',
  });
  expect(roomName(inShanghai)).toBe('room-20261128T001504');
});

it('the files of a room test are written under the names that the benchmarks read', async () => {
  const files = new FakeFiles();
  files.putFolder('rooms');
  const written = await writeRoom(files, 'rooms', name, room);
  const stem = 'rooms/room-20261127T161504';
  expect(written).toEqual({
    ok: true,
    value: [
      `${stem}_mic.wav`,
      `${stem}_lpb.wav`,
      `${stem}_doubletalk_mic.wav`,
      `${stem}_doubletalk_lpb.wav`,
    ],
  });
  const first = soundFromWav(files.bytes(`${stem}_doubletalk_mic.wav`), 16_000, 60);
  expect(first.ok && [first.value.length, first.value[0]]).toEqual([
    1600,
    expect.closeTo(0.5, 3) as number,
  ]);
});

it('the files of a room test are written completely or not at all', async () => {
  const files = new FakeFiles();
  files.putFolder('rooms');
  files.fill(5000);
  expect(await writeRoom(files, 'rooms', name, room)).toMatchObject({ ok: false });
  expect(files.names()).toEqual([]);
});

const blockMs = 20;

/** Simulates a room that returns playback after a delay at half the level, or not at all. */
async function listenIn({
  backAfterMs = 0,
  deaf = false,
  error = undefined as AppError | undefined,
}) {
  const clock = new FakeClock();
  let sink: AudioSink = { pushAudio: () => undefined };
  let ended = 0;
  let air: { readonly sound: Float32Array; readonly from: number } | undefined;
  const opened = { end: () => Promise.resolve(void (ended += 1)) };
  const devices = {
    openMicrophone: (_choice: unknown, listener: AudioSink) => {
      sink = listener;
      return Promise.resolve(opened);
    },
    openSpeaker: (_choice: unknown, emit: (event: DeviceEvent) => void) => {
      if (error !== undefined) emit({ kind: 'lost', error });
      const write = (sound: Float32Array): void => {
        air = { sound: resample(sound, outputRate, inputRate), from: clock.now() + backAfterMs };
      };
      return Promise.resolve({ ...opened, write, setVolume: () => undefined });
    },
  };
  const result = new LoopbackTest(devices, clock).run();
  for (let ms = 0; ms < 5000; ms += blockMs) {
    // Lets promises between the timers run.
    await Promise.resolve();
    await Promise.resolve();
    clock.advance(blockMs);
    const block = new Float32Array((inputRate * blockMs) / 1000);
    const at = ((clock.now() - blockMs - (air?.from ?? 0)) * inputRate) / 1000;
    const hum = (n: number): number => (n % 2 === 0 ? 0.001 : -0.001);
    if (!deaf) block.forEach((_, n) => (block[n] = 0.5 * (air?.sound[at + n] ?? 0) + hum(n)));
    sink.pushAudio(block);
  }
  return { result: await result, ended };
}

it('the loopback test reports the delay and level of the chirp, and the noise before it', async () => {
  const { result, ended } = await listenIn({ backAfterMs: 140 });
  expect(result).toEqual({ heard: true, latencyMs: 140, levelDb: -6, noiseDb: -60 });
  expect(ended).toBe(2);
});

it('the loopback test reports why a device cannot be opened', async () => {
  const error = appError('deviceTaken', { device: 'Box' });
  const { result, ended } = await listenIn({ error });
  expect({ result, ended }).toEqual({ result: { heard: false, error }, ended: 2 });
});

const seconds = 3;

/** Noise with this RMS, white, or low-passed if `dull`. */
function noise(random: () => number, rms: number, dull = false): Float32Array {
  const samples = new Float32Array(seconds * inputRate);
  let last = 0;
  for (let n = 0; n < samples.length; n += 1) {
    const white = (random() * 2 - 1) * Math.sqrt(3);
    last = dull ? 0.95 * last + Math.sqrt(1 - 0.95 ** 2) * white : white;
    samples[n] = rms * last;
  }
  return samples;
}

/** Noise in the chirp’s band, like voices. */
function murmur(random: () => number): Float32Array {
  const samples = noise(random, 0.1);
  const [ring, turn] = [0.97, (2 * Math.PI * 1500) / inputRate];
  for (let n = 2; n < samples.length; n += 1) {
    const rung =
      2 * ring * Math.cos(turn) * (samples[n - 1] ?? 0) - ring ** 2 * (samples[n - 2] ?? 0);
    samples[n] = (samples[n] ?? 0) + rung;
  }
  return samples;
}

/** Adds the chirp to a recording with a delay and a gain. */
function add(to: Float32Array, delayMs: number, gain: number): void {
  // A finer grid gives delays between samples.
  const fine = createChirp(inputRate * 16);
  const from = Math.round((delayMs / 1000) * inputRate * 16);
  for (let n = Math.ceil(from / 16); n * 16 - from < fine.length; n += 1) {
    to[n] = (to[n] ?? 0) + gain * (fine[n * 16 - from] ?? 0);
  }
}

const cases = Array.from({ length: randomRuns(25) }, (_, seed) => ({ seed: seed + 1 }));

describe('findChirp', () => {
  it.each(cases)('measures delay and level in noise, seed $seed', ({ seed }) => {
    const random = seeded(seed);
    const levelDb = -36 * random();
    const gain = (random() < 0.5 ? -1 : 1) * 10 ** (levelDb / 20);
    const delayMs = random() * 2400;
    // The chirp’s RMS is about 0.11; the noise reaches up to half of the returned chirp.
    const heard = noise(random, 0.054 * Math.abs(gain) * random(), random() < 0.5);
    add(heard, delayMs, gain);
    const found = findChirp(heard, inputRate);
    expect(Math.abs(((found?.sample ?? NaN) / inputRate) * 1000 - delayMs)).toBeLessThan(1);
    expect(Math.abs((found?.levelDb ?? NaN) - levelDb)).toBeLessThan(0.5);
  });

  it.each(cases)('finds nothing in noise alone, seed $seed', ({ seed }) => {
    const random = seeded(seed + 2000);
    expect(findChirp(noise(random, 10 ** (-4 * random()), seed % 2 === 0), inputRate)).toBe(
      undefined,
    );
    expect(findChirp(murmur(random), inputRate)).toBe(undefined);
  });
});
