import { classifyRoom } from '../../../../../../shared/audio/sound-tests.ts';
import { describe, expect, it } from 'vitest';
import {
  roomReport,
  runRoomTest,
} from '../../../../../../electron/hosts/terminal/commands/doctor-room.ts';
import type { InputLine } from '../../../../../../electron/hosts/terminal/line-input.ts';
import { type AppError, appError, failure } from '../../../../../../shared/errors/app-error.ts';
import { defaultSettings } from '../../../../../../shared/settings/settings.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { FakeRoom } from '../../../../../fakes/fake-room.ts';
import { soundFromWav } from '../../../../../../electron/audio/dsp/sound-from-wav.ts';
import { inputRate } from '../../../../../../shared/protocol/realtime-api.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';
import { type OwnSoundVerdict, roomAdvice } from '../../../../../../shared/audio/sound-tests.ts';
import { hearYourself } from '../../../../../../electron/hosts/terminal/commands/doctor-command.ts';
import { successReply } from '../../../../../fakes/fake-bridge.ts';

interface RoomStage {
  /** Typed lines, one per question, or `^C`; without lines there is no user. */
  readonly types?: readonly string[];
  readonly json?: boolean;
  readonly alone?: boolean;
  readonly into?: string;
  /** The gain of the echo, which comes 60 ms after the sound. */
  readonly echo?: number;
  readonly muted?: boolean;
  readonly lost?: AppError;
  /** When Ctrl-C is pressed, in milliseconds since the start. */
  readonly interruptedAt?: number;
}

/** Runs `parley doctor --room` to its end. */
async function testRoom(stage: RoomStage) {
  const { types, json = false, alone = false, into, echo = 0.3, muted = false, lost } = stage;
  const clock = new FakeClock();
  const files = new FakeFiles();
  files.putFolder('rooms');
  const asked: string[] = [];
  const lines = [...(types ?? [])];
  const { terminal, written, interrupt } = fakeTerminal();
  const room = new FakeRoom(clock, { echo, muted, lost });
  const core = { ...room.parts, clock, files, settings: { get: () => defaultSettings } };
  const host = {
    ...terminal,
    openLines: () => ({
      typed: types !== undefined,
      next: (question: string): Promise<InputLine> => {
        asked.push(question.trim());
        const text = lines.shift();
        if (text === undefined) return Promise.resolve({ kind: 'ended' });
        if (text === '^C') return Promise.resolve({ kind: 'interrupted', cleared: false });
        return Promise.resolve({ kind: 'line', text, continues: false });
      },
      close: () => undefined,
    }),
  };
  const over = new AbortController();
  const running = runRoomTest(core, host, { json, alone, into }).finally(() => {
    over.abort();
  });
  running.catch(() => undefined);
  for (let ms = 0; !over.signal.aborted && ms < 60_000; ms += 10) {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    if (ms === stage.interruptedAt) interrupt();
    room.passStep();
  }
  await running;
  const { ended, played } = room;
  return { ...written, asked, ended, played, files: files.names(), bytes: files };
}

const stopped = 'Room        Stopped; the recording is discarded.\n';

describe('a room test in a terminal', () => {
  it('plays a phrase twice for a user, judges the room, and stores nothing by default', async () => {
    const { out, err, asked, played, ended, files } = await testRoom({ types: ['', ''] });
    expect(played).toBe(2);
    expect(err).toBe(
      'Listening to the room; stay quiet until the phrase ends…\nPlaying a phrase…\n',
    );
    expect(asked).toEqual([
      'Now speak over the phrase: press Enter, and speak while it plays.',
      'Keep the recording in this folder? y/N',
    ]);
    const [noise, echo, person, ...rest] = out.split('\n');
    expect(noise).toMatch(/^Room {8}Noise: quiet \(−6\d dBFS\)\.$/u);
    expect(echo).toMatch(
      /^ {12}Echo: heard, and removed \(\d\d dB above the noise, 6\d ms late; reduced by \d\d dB, at worst \d+\)\.$/u,
    );
    expect(person).toMatch(/^ {12}Your voice: not louder than the echo/u);
    expect(rest).toEqual(['']);
    expect(files).toEqual([]);
    expect(ended).toBeGreaterThanOrEqual(2);
  });

  it('stores both recordings, aligned, under the names that the benchmarks read', async () => {
    const { out, files, bytes } = await testRoom({ types: ['', 'y'], into: 'rooms' });
    expect(files.map((file) => file.replace(/\d{8}T\d{6}/u, 'TIME'))).toEqual([
      'rooms/room-TIME_doubletalk_lpb.wav',
      'rooms/room-TIME_doubletalk_mic.wav',
      'rooms/room-TIME_lpb.wav',
      'rooms/room-TIME_mic.wav',
    ]);
    for (const file of files) expect(out).toContain(file);
    const [, , played, heard] = files.map((file) => {
      const sound = soundFromWav(bytes.bytes(file), inputRate, 60);
      if (!sound.ok) throw new Error(file);
      return sound.value;
    });
    expect(played?.length).toBeGreaterThan(3 * inputRate);
    expect(heard?.length).toBe(played?.length);
    const loud = (sound: Float32Array | undefined) => sound?.findIndex((x) => Math.abs(x) > 0.02);
    expect((loud(heard) ?? 0) - (loud(played) ?? 0)).toBeGreaterThan(0.055 * inputRate);
    expect((loud(heard) ?? 0) - (loud(played) ?? 0)).toBeLessThan(0.1 * inputRate);
  });

  it('asks nothing and plays once if it is piped or has --json, and stores only in a named folder', async () => {
    const piped = await testRoom({});
    expect({ ...piped, out: undefined }).toMatchObject({ asked: [], played: 1, files: [] });
    expect(piped.out).not.toContain('Your voice');
    const { asked, played, out } = await testRoom({ types: ['', 'y'], json: true, into: 'rooms' });
    expect({ asked, played }).toEqual({ asked: [], played: 1 });
    const [room = '', kept] = out.split('\n');
    expect(JSON.parse(room)).toMatchObject({ event: 'room', advice: [] });
    expect(kept).toContain('"kept":["rooms/room-');
  });

  it('reports a missing echo and a silent microphone', async () => {
    const headset = await testRoom({ echo: 0 });
    expect(headset.out).toContain('No echo is heard: a headset, or the volume is down.\n');
    const muted = await testRoom({ muted: true, into: 'rooms' });
    expect(muted.out).toMatch(/^Room {8}The microphone delivers only silence\. .+\n$/u);
    expect(muted.files).toEqual([]);
  });

  it('reports a missing device, and plays nothing', async () => {
    const { out, played } = await testRoom({ lost: appError('noMicrophone') });
    expect(out).toMatch(/^Room {8}There is no microphone.*\n$/u);
    expect(played).toBe(0);
  });

  it('ends at Ctrl-C, during playback or at a question, and stores nothing', async () => {
    const playing = await testRoom({ interruptedAt: 3000, into: 'rooms' });
    expect(playing).toMatchObject({ out: stopped, played: 1, files: [] });
    expect(playing.ended).toBeGreaterThanOrEqual(2);
    const atFirst = await testRoom({ types: ['^C'], into: 'rooms' });
    expect(atFirst).toMatchObject({ out: stopped, played: 1, files: [] });
    const atLast = await testRoom({ types: ['', '^C'], into: 'rooms' });
    expect(atLast).toMatchObject({ played: 2, files: [] });
  });
});

const good = {
  noiseDb: -62.3,
  echo: {
    delayMs: 48.2,
    echoAboveNoiseDb: 14.4,
    medianCancelledDb: 31,
    worstCancelledDb: 18.2,
    residualAboveNoiseDb: 2,
  },
  person: { attenuationDb: 1.2 },
  isClipped: false,
};

describe('the report on a room', () => {
  it('has only the measurements if they are good', () => {
    expect(roomReport(good, true)).toEqual([
      'Noise: quiet (−62 dBFS).',
      'Echo: heard, and removed (14 dB above the noise, 48 ms late; reduced by 31 dB, at worst 18).',
      'Your voice: heard over the echo (1.2 dB quieter).',
    ]);
    expect(roomReport({ ...good, person: undefined }, false)).toHaveLength(2);
  });

  it('reports an unheard voice, and an echo below the noise', () => {
    expect(roomReport({ ...good, echo: undefined, person: undefined }, true)[2]).toBe(
      'Your voice: not heard. Speak louder, or move closer to the microphone.',
    );
    const cancelled = { medianCancelledDb: 0.4, worstCancelledDb: -0.4 };
    const quiet = { ...good.echo, ...cancelled, echoAboveNoiseDb: -4.6 };
    expect(roomReport({ ...good, echo: quiet }, false)[1]).toBe(
      'Echo: softer than the noise (5 dB below it, 48 ms late; reduced by 0 dB, at worst 0).',
    );
  });

  it('gives advice for each poor measurement', () => {
    const poor = {
      noiseDb: -40,
      echo: { ...good.echo, delayMs: 300, residualAboveNoiseDb: 12 },
      person: { attenuationDb: 8 },
      isClipped: true,
    };
    expect(roomAdvice(poor)).toEqual(['clipped', 'noise', 'echoLeft', 'late', 'person']);
    const lines = roomReport(poor, true);
    expect(lines).toHaveLength(8);
    expect(lines[1]).toMatch(/^Echo: heard, and partly removed \(/u);
    expect(lines[2]).toBe('Your voice: heard over the echo, but quieter (8.0 dB quieter).');
    // In digital silence any echo is far above the noise, so it must not trigger advice.
    const digital = { ...good, noiseDb: -100, echo: { ...good.echo, residualAboveNoiseDb: 25 } };
    expect(roomAdvice(digital)).toEqual([]);
  });
});

/** Runs `parley doctor --hear-yourself` with a core that gives this verdict. */
async function hear(verdict: OwnSoundVerdict | undefined, json = false) {
  const asked: unknown[] = [];
  const { terminal, written } = fakeTerminal();
  const answer = (name: unknown, input: unknown) => {
    asked.push(input === undefined ? name : [name, input]);
    if (verdict === undefined) return Promise.resolve(failure('noMicrophone'));
    return Promise.resolve(successReply(name === 'recordOwnSound' ? verdict : undefined));
  };
  await hearYourself({ answer }, terminal, json);
  return { asked, ...written };
}

describe('parley doctor --hear-yourself', () => {
  it('reports the result, plays both versions, and stores nothing', async () => {
    const { asked, out, err } = await hear('clipped');
    expect(asked).toEqual([
      'recordOwnSound',
      ['playOwnSound', { as: 'captured' }],
      ['playOwnSound', { as: 'sent' }],
      'forgetOwnSound',
    ]);
    expect(out).toMatch(/^Yourself +That was too loud/u);
    expect(err).toMatch(/Speak now…\nAs the microphone hears you…\nAs the server hears you…\n$/u);
  });

  it('plays nothing without speech or without a microphone', async () => {
    const silence = await hear('unheard', true);
    expect(silence.out).toBe('{"event":"ownSound","verdict":"unheard"}\n');
    expect(silence.asked).toEqual(['recordOwnSound']);
    const { asked, out } = await hear(undefined);
    expect(asked).toEqual(['recordOwnSound']);
    expect(out).toMatch(/^Yourself +There is no microphone/u);
  });
});

it.each([
  [-60, -70, 'hardly', 'quiet'],
  [-40, -58, 'some', 'some'],
  [-20, -50, 'some', 'some'],
  [-15, -44, 'loud', 'loud'],
  [3, -20, 'loud', 'loud'],
])(
  'a chirp at %d dB in a room of %d dBFS is classified: %s, %s',
  (levelDb, noiseDb, echo, noise) => {
    expect(classifyRoom({ levelDb, noiseDb })).toEqual({ echo, noise });
  },
);
