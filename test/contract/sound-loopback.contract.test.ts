import { expect, it } from 'vitest';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import type { RoomJudgement } from '../../shared/audio/sound-tests.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { echoRoom } from '../fakes/echo-room.ts';
import { reportMeasurement } from '../set-up/report-measurement.ts';
import type { Alignment, HeardOneself, OwnEcho } from './sound/loopback-programs.ts';
import { soundServerForEach } from './sound/server-for-each.ts';

const { server, run } = await soundServerForEach((server) => server.loopBack());

it(
  'the echo canceller removes Parley’s own sound from a captured loopback',
  { timeout: 90_000 },
  async () => {
    const { played } = echoRoom({ seed: 1, seconds: 15 });
    const speech = resample(played, inputRate, outputRate);
    const file = server().file('speech', new Uint8Array(speech.buffer));
    const { code, output } = await run('loopback-programs.ts', 'speakAndHear', file);
    expect(code).toBe(0);
    const { rawDb, leftDb, state, processorShare } = JSON.parse(output) as OwnEcho;
    const shown = (levels: readonly number[]) => levels.map((db) => db.toFixed(0)).join(' ');
    reportMeasurement(
      `own echo, every half second in dBFS: ${shown(rawDb)}; after cancellation: ${shown(leftDb)}; ` +
        `${(processorShare * 100).toFixed(1)} % of a core with both streams`,
    );
    expect(state).toBe('heard');
    expect(rawDb.slice(4).every((db) => db > -45)).toBe(true);
    // Under load the rig itself breaks playback now and then, and half a second around a break is not silent (a
    // limit of PulseAudio: decision 11). So the median counts.
    const median = (levels: readonly number[]): number =>
      levels.slice(4).toSorted((a, b) => a - b)[levels.slice(4).length >> 1] ?? 0;
    expect(median(rawDb) - median(leftDb)).toBeGreaterThan(30);
  },
);

it('the echo canceller gets the far end at its capture time', { timeout: 60_000 }, async () => {
  const { code, output } = await run('loopback-programs.ts', 'chirpAndHear');
  expect(code).toBe(0);
  const { offsets, levels, captured } = JSON.parse(output) as Alignment;
  const found = offsets.filter((offset) => typeof offset === 'number').toSorted((a, b) => a - b);
  const median = found[found.length >> 1] ?? Number.NaN;
  const worst = Math.max(...found.map((offset) => Math.abs(offset - median)));
  reportMeasurement(
    `echo reference: captured ${median.toFixed(1)} ms after it was heard, at most ` +
      `${worst.toFixed(1)} ms off that; ${found.length} chirps`,
  );
  expect(captured).toBeGreaterThan(12 * 16_000);
  expect(found.length).toBeGreaterThanOrEqual(10);
  // A busy machine breaks a chirp now and then, which does not affect the alignment.
  expect(Math.abs(median)).toBeLessThan(10);
  const aligned = found.filter((offset) => Math.abs(offset - median) < 5);
  expect(aligned.length).toBeGreaterThanOrEqual(8);
  const unattenuated = levels.filter((level) => Math.abs(level ?? 99) < 0.5);
  expect(unattenuated.length).toBeGreaterThanOrEqual(6);
});

it(
  'the own-sound check plays a quiet voice louder, with less noise and the same words',
  { timeout: 90_000 },
  async () => {
    // 17 dB over the noise, which plays alone first.
    const speaks = [
      [1, 3],
      [3.4, 10],
    ] as const;
    const { microphone } = echoRoom({
      seed: 3,
      seconds: 10,
      echoDb: -200,
      voiceDb: -38,
      noiseDb: -55,
      speaks,
    });
    const speech = resample(microphone, inputRate, outputRate);
    const file = server().file('speech', new Uint8Array(speech.buffer));
    const { code, output, stderr } = await run('loopback-programs.ts', 'hearOneself', file);
    expect(code, stderr).toBe(0);
    const { captured, sent, verdict, alike, laterMs } = JSON.parse(output) as HeardOneself;
    reportMeasurement(
      `hearing oneself: room ${captured.roomDb.toFixed(0)} and ${sent.roomDb.toFixed(0)} dBFS, ` +
        `voice ${captured.lastVoiceDb.toFixed(0)} and ${sent.lastVoiceDb.toFixed(0)} at the end, ` +
        `alike ${alike.toFixed(3)} at ${laterMs.toFixed(1)} ms`,
    );
    expect(['good', 'quiet']).toContain(verdict);
    // The noise relative to the voice, because both are amplified.
    const aboveNoise = ({ roomDb, voiceDb }: HeardOneself['sent']): number => voiceDb - roomDb;
    expect(aboveNoise(sent) - aboveNoise(captured)).toBeGreaterThan(8);
    const wantedDb = -24;
    const off = ({ lastVoiceDb }: HeardOneself['sent']): number => Math.abs(lastVoiceDb - wantedDb);
    expect(off(captured) - off(sent)).toBeGreaterThan(3);
    // The same words, 5 ms later.
    expect(alike).toBeGreaterThan(0.9);
    expect(laterMs).toBeCloseTo(5, 0);
  },
);

it('the room check measures noise, delay and echo of a loopback', { timeout: 90_000 }, async () => {
  const { code, output, stderr } = await run('loopback-programs.ts', 'tryRoom');
  expect(code, stderr).toBe(0);
  const { noiseDb, echo } = JSON.parse(output) as RoomJudgement;
  reportMeasurement(`a room that is looped back: ${output.trimEnd()}`);
  // A monitor source is silent while no program plays.
  expect(noiseDb).toBeLessThan(-90);
  // Playback is aligned with the captured sound, as a test above checks.
  expect(echo?.delayMs).toBeGreaterThan(-10);
  expect(echo?.delayMs).toBeLessThan(40);
  // The loopback is as loud as the playback.
  expect(echo?.echoAboveNoiseDb).toBeGreaterThan(60);
  expect(echo?.medianCancelledDb).toBeGreaterThan(20);
});
