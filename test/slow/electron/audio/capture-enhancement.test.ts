import { describe, expect, it } from 'vitest';
import { inputRate } from '../../../../shared/protocol/realtime-api.ts';
import {
  createNoise,
  noiseKinds,
  noiseFor,
  scaledToDb,
  spokenScene,
  withNoise,
  powerDb,
  speechLevelDb,
  selectSteps,
  type SpokenScene,
  stepSamples,
} from '../../../fakes/spoken-scene.ts';
import { CaptureEnhancement } from '../../../../electron/audio/enhance/capture-enhancement.ts';
import { filterDelay } from '../../../../electron/audio/enhance/noise-suppression.ts';
import type { EnhancementStrength } from '../../../../shared/settings/audio-settings.ts';
import { emptyHalfSpectrum, RealFft } from '../../../../electron/audio/dsp/real-fft.ts';

const size = 512;
const bands = 15;
/** A segment of 380 ms, about a syllable, over which envelopes are compared. */
const segmentSteps = 38;
/** Clips an envelope at this factor of the clean one. */
const clipFactor = 6.6;

/**
 * Intelligibility as in STOI: the correlation of each third-octave band's envelope with the clean speech, averaged over
 * segments in whose middle somebody speaks. Clean speech has 1.
 */
function speechIntelligibility({ sound, speaks }: SpokenScene, heard: Float32Array): number {
  const [clean, heardEnvelopes] = [bandEnvelopes(sound), bandEnvelopes(heard)];
  let [sum, count] = [0, 0];
  for (let end = segmentSteps; end < speaks.length; end += 10) {
    if (speaks[end - segmentSteps / 2] !== true) continue;
    for (let band = 0; band < bands; band += 1) {
      const cleanBand = clean.slice(end - segmentSteps, end).map((step) => step[band] ?? 0);
      if (power(cleanBand) < 1e-9) continue;
      const heardBand = heardEnvelopes
        .slice(end - segmentSteps, end)
        .map((step) => step[band] ?? 0);
      const scale = Math.sqrt(power(cleanBand) / (power(heardBand) + 1e-12));
      sum += correlation(
        cleanBand,
        heardBand.map((value, n) => Math.min(scale * value, clipFactor * (cleanBand[n] ?? 0))),
      );
      count += 1;
    }
  }
  return sum / count;
}

function power(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

function correlation(one: readonly number[], two: readonly number[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [oneMean, twoMean] = [mean(one), mean(two)];
  const oneDeviations = one.map((value) => value - oneMean);
  const twoDeviations = two.map((value) => value - twoMean);
  const covariance = oneDeviations.reduce(
    (sum, value, n) => sum + value * (twoDeviations[n] ?? 0),
    0,
  );
  return covariance / Math.sqrt(power(oneDeviations) * power(twoDeviations) + 1e-12);
}

/** The amplitude of each third of an octave from 150 Hz on, every 10 ms. */
function bandEnvelopes(sound: Float32Array): readonly (readonly number[])[] {
  const fft = new RealFft(size);
  const spectrum = emptyHalfSpectrum(size);
  const work = new Float32Array(size);
  const edges = Array.from({ length: bands + 1 }, (_, band) =>
    Math.round((150 * 2 ** ((band - 0.5) / 3) * size) / inputRate),
  );
  return Array.from({ length: Math.floor(sound.length / stepSamples) }, (_, step) => {
    for (let n = 0; n < size; n += 1) {
      const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size);
      work[n] = (sound[step * stepSamples + n - size / 2] ?? 0) * hann;
    }
    fft.forward(work, spectrum);
    return Array.from({ length: bands }, (__, band) => {
      let sum = 0;
      const from = edges[band] ?? 0;
      for (let bin = from; bin < Math.max(from + 1, edges[band + 1] ?? 0); bin += 1)
        sum += (spectrum.re[bin] ?? 0) ** 2 + (spectrum.im[bin] ?? 0) ** 2;
      return Math.sqrt(sum);
    });
  });
}

interface Choice {
  readonly noise?: EnhancementStrength;
  readonly level?: EnhancementStrength;
}

/** Processes a sound and removes the delay. */
function enhance(sound: Float32Array, { noise = 'off', level = 'off' }: Choice): Float32Array {
  const enhancement = new CaptureEnhancement(() => ({ noise, level }));
  const output = sound.slice();
  for (let from = 0; from < output.length; from += 320)
    enhancement.process(output.subarray(from, from + 320));
  if (noise === 'off') return output;
  const aligned = new Float32Array(output.length);
  aligned.set(output.subarray(filterDelay));
  return aligned;
}

/** Steps well inside the pauses, once the noise is known. */
function findPauses({ speaks }: SpokenScene): readonly boolean[] {
  return speaks.map(
    (_, step) => step > 200 && !speaks.slice(Math.max(0, step - 45), step + 12).includes(true),
  );
}

/** Attenuation in the given steps, in dB. */
function attenuationDb(
  before: Float32Array,
  after: Float32Array,
  steps: readonly boolean[],
): number {
  return powerDb(selectSteps(before, steps, true)) - powerDb(selectSteps(after, steps, true));
}

const scene = spokenScene({ pauseMs: 1500 });
const pauses = findPauses(scene);
const known = scene.speaks.map((speaks, step) => speaks && step > 200);

describe('noise suppression', () => {
  it.each(
    (['fan', 'white', 'pink', 'hum', 'keyboard', 'music'] as const).flatMap((kind) => [
      ['gentle', kind, kind === 'music' ? 6 : 10, 0.005] as const,
      // Synthetic keys and chords sometimes begin like a voice, unlike the recorded ones of the training.
      ['strong', kind, kind === 'music' ? 8 : 14, 0.012] as const,
    ]),
  )(
    'lowers noise in pauses and keeps words intelligible: %s, over %s',
    (noise, kind, minPauseDb, maxLoss) => {
      const under = noiseFor(scene, kind);
      for (const snrDb of [20, 10]) {
        const heard = withNoise(scene, under, snrDb);
        const output = enhance(heard, { noise });
        const where = `${kind} ${snrDb}`;
        expect(attenuationDb(heard, output, pauses), where).toBeGreaterThan(minPauseDb);
        expect(attenuationDb(heard, output, known), where).toBeLessThan(
          noise === 'gentle' ? 1.3 : 2.5,
        );
        if (snrDb === 20 || kind === 'hum' || kind === 'music') continue;
        const loss = speechIntelligibility(scene, heard) - speechIntelligibility(scene, output);
        expect(loss, where).toBeLessThan(maxLoss);
      }
    },
  );

  it.each(['gentle', 'strong'] as const)(
    'leaves a voice in a quiet room unchanged: %s',
    (noise) => {
      const output = enhance(scene.sound, { noise });
      expect(Math.abs(attenuationDb(scene.sound, output, known))).toBeLessThan(0.3);
      expect(speechIntelligibility(scene, output)).toBeGreaterThan(0.995);
    },
  );

  it('lowers another talker by at most 8 dB, and babble by more', () => {
    const another = spokenScene({ pauseMs: 300, first: 3, count: 12 }).sound;
    for (const [sound, isNoise] of [
      [another, false],
      [noiseFor(scene, 'babble'), true],
    ] as const) {
      const heard = withNoise(scene, sound, 10);
      const loweredDb = attenuationDb(heard, enhance(heard, { noise: 'strong' }), pauses);
      expect(loweredDb > 8, `${loweredDb} dB`).toBe(isNoise);
    }
  });
});

describe('gain control', () => {
  const heardAt = (db: number, level: EnhancementStrength) => {
    const speech = spokenScene({ db, pauseMs: 600, count: 12 });
    const output = enhance(speech.sound, { level });
    const at = (from: number, to: number): number =>
      speechLevelDb(
        output.subarray(from * inputRate, to * inputRate),
        speech.speaks.slice(from * 100, to * 100),
      );
    return { speech, output, at };
  };

  it.each([-44, -35, -26, -15])('brings a voice of %i dBFS to about -24 within seconds', (db) => {
    const { speech, at, output } = heardAt(db, 'strong');
    for (const from of [7, 12, 18, 24, 30])
      expect(Math.abs(at(from, from + 6) + 24)).toBeLessThan(3);
    // A loud voice exceeds full scale until its level is known.
    const isWithin = (sample: number, n: number): boolean =>
      Math.abs(sample) <= Math.max(1, Math.abs(speech.sound[n] ?? 0));
    expect(output.every(isWithin)).toBe(true);
  });

  it('raises a quiet voice by at most its range', () => {
    expect(heardAt(-44, 'gentle').at(20, 30)).toBeCloseTo(-35, -0.5);
    expect(heardAt(-60, 'strong').at(20, 30)).toBeLessThan(-41);
  });

  it('changes its gain by less than 2 dB in 18 seconds of speech', () => {
    const { speech, output } = heardAt(-35, 'strong');
    const gains: number[] = [];
    for (let from = 12; from < 30; from += 1) {
      const [a, b] = [from * inputRate, (from + 1) * inputRate];
      if (powerDb(speech.sound.subarray(a, b)) > -50)
        gains.push(powerDb(output.subarray(a, b)) - powerDb(speech.sound.subarray(a, b)));
    }
    expect(gains.length).toBeGreaterThan(10);
    expect(Math.max(...gains) - Math.min(...gains)).toBeLessThan(2);
  });

  it.each(noiseKinds)('amplifies nothing without speech: %s', (kind) => {
    const noise = scaledToDb(createNoise(kind, 20 * inputRate, 3), -45);
    const last = 10 * inputRate;
    const output = enhance(noise, { level: 'strong' });
    expect(powerDb(output.subarray(last)) - powerDb(noise.subarray(last))).toBeLessThan(
      // The first chords of music may count as a voice.
      kind === 'music' ? 2 : 1,
    );
  });

  it('keeps a shout after a whisper below full scale', () => {
    const whisper = spokenScene({ db: -44, count: 6 }).sound;
    const shout = spokenScene({ db: -12, count: 2 }).sound;
    const both = new Float32Array(whisper.length + shout.length);
    both.set(whisper);
    both.set(
      shout.map((sample) => Math.max(-0.95, Math.min(0.95, sample))),
      whisper.length,
    );
    const output = enhance(both, { level: 'strong' });
    expect(output.every((sample) => Math.abs(sample) < 1)).toBe(true);
  });
});
