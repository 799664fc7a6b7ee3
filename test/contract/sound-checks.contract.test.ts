import { expect, it } from 'vitest';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import type { RoomJudgement } from '../../shared/audio/sound-tests.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { echoRoom } from '../fakes/echo-room.ts';
import type { HeardOneself } from './sound/hear-oneself.ts';
import { soundServerForEach } from './sound/server-for-each.ts';
import { reportMeasurement } from '../set-up/report-measurement.ts';

const { server, run } = await soundServerForEach((server) => server.loopBack());

it(
  'the own-sound check plays a quiet voice louder, with less noise and the same words',
  { timeout: 90_000 },
  async () => {
    // 15 dB over the noise, which plays alone first.
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
    const { code, output, stderr } = await run('hear-oneself.ts', file);
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
  const { code, output, stderr } = await run('try-room.ts');
  expect(code, stderr).toBe(0);
  const { noiseDb, echo } = JSON.parse(output) as RoomJudgement;
  reportMeasurement(`a room that is looped back: ${output.trimEnd()}`);
  // A monitor source is silent while no program plays.
  expect(noiseDb).toBeLessThan(-90);
  // Playback is aligned with the captured sound, as `sound-echo` checks.
  expect(echo?.delayMs).toBeGreaterThan(-10);
  expect(echo?.delayMs).toBeLessThan(40);
  // The loopback is as loud as the playback.
  expect(echo?.echoAboveNoiseDb).toBeGreaterThan(60);
  expect(echo?.medianCancelledDb).toBeGreaterThan(20);
});
