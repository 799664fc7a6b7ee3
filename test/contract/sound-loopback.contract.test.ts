import { expect, it } from 'vitest';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { echoRoom } from '../fakes/echo-room.ts';
import { reportMeasurement } from '../set-up/report-measurement.ts';
import type { Alignment, OwnEcho } from './sound/loopback-programs.ts';
import { soundServerForEach } from './sound/sound-server.ts';

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
    // Under load, PulseAudio sometimes interrupts playback, and half a second around such a break is not silent. So the
    // median counts.
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
