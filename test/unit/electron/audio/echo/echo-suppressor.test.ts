import { describe, expect, it } from 'vitest';
import { emptyHalfSpectrum } from '../../../../../electron/audio/dsp/real-fft.ts';
import { echoBlockSamples } from '../../../../../electron/audio/echo/echo-canceller.ts';
import {
  echoBands,
  EchoSuppressor,
  fromBands,
  toBands,
} from '../../../../../electron/audio/echo/echo-suppressor.ts';
import { seeded } from '../../../../fakes/seeded.ts';

const random = seeded(5);
const nothing = new Float32Array(echoBlockSamples);
const noise = () => nothing.map(() => random() - 0.5);

/** A judge with fixed results. */
class JudgeFake {
  readonly gains = new Float32Array(echoBands);
  readonly received: Float32Array[] = [];
  presence = 0;

  judge(features: Float32Array): void {
    this.received.push(features.slice());
  }
}

function run(suppressor: EchoSuppressor, block: Float32Array, echo = nothing): Float32Array {
  suppressor.push(block, echo, echo);
  return suppressor.process(emptyHalfSpectrum(512)).slice();
}

describe('EchoSuppressor', () => {
  it.each([0, 0.5, 1])('applies the judge’s gain of %d, one block late', (gain) => {
    const judge = new JudgeFake();
    judge.gains.fill(gain);
    const suppressor = new EchoSuppressor(judge);
    const blocks = Array.from({ length: 6 }, noise);
    const made = blocks.map((block) => run(suppressor, block));
    for (let n = 2; n < 6; n += 1)
      made[n]?.forEach((sample, at) => {
        expect(sample).toBeCloseTo(gain * (blocks[n - 1]?.[at] ?? 0), 4);
      });
  });

  it('passes the coherence of residual and expected echo to the judge', () => {
    const judge = new JudgeFake();
    const suppressor = new EchoSuppressor(judge);
    const alike = (): number => {
      const bands = judge.received.at(-1)?.subarray(4 * echoBands) ?? new Float32Array();
      return bands.reduce((sum, one) => sum + one, 0) / echoBands;
    };
    for (let n = 0; n < 20; n += 1) {
      const block = noise();
      run(suppressor, block, block);
    }
    expect(alike()).toBeGreaterThan(0.99);
    for (let n = 0; n < 20; n += 1) run(suppressor, noise(), noise());
    expect(alike()).toBeLessThan(0.5);
  });

  it('takes 15 % less, in decibels, while a person certainly speaks', () => {
    const [gain, tone] = [0.1, Float32Array.from({ length: 160 }, (_, n) => Math.sin(n / 3))];
    const levelWith = (presence: number): number => {
      const judge = new JudgeFake();
      judge.gains.fill(gain);
      judge.presence = presence;
      const suppressor = new EchoSuppressor(judge);
      let made: Float32Array = tone;
      for (let n = 0; n < 6; n += 1) made = run(suppressor, tone);
      return Math.sqrt(made.reduce((sum, sample) => sum + sample ** 2, 0));
    };
    expect(levelWith(0.95) / levelWith(0.5)).toBeCloseTo(gain ** -0.15, 2);
  });

  it('reports how likely a person speaks, except while it passes sound unchanged', () => {
    const judge = new JudgeFake();
    const suppressor = new EchoSuppressor(judge);
    expect(suppressor.nearEndPresence).toBeUndefined();
    judge.presence = 0.9;
    run(suppressor, noise());
    expect(suppressor.nearEndPresence).toBe(0.9);
    suppressor.pass(noise());
    expect(suppressor.nearEndPresence).toBeUndefined();
  });
});

it('EchoSuppressor passes sound unchanged without an echo, one block late', () => {
  const suppressor = new EchoSuppressor(new JudgeFake());
  const blocks = Array.from({ length: 6 }, noise);
  const made = blocks.map((block) => suppressor.pass(block).slice());
  for (let n = 1; n < 6; n += 1)
    made[n]?.forEach((sample, at) => {
      expect(sample).toBeCloseTo(blocks[n - 1]?.[at] ?? 0, 4);
    });
});

const bins = 257;

describe('spectrum bands', () => {
  it('preserve the power, with each bin in at most two adjacent bands', () => {
    for (let bin = 0; bin < bins; bin += 1) {
      const power = new Float32Array(bins);
      power[bin] = 1;
      const bands = new Float32Array(echoBands + 2).fill(-1);
      toBands(power, bands, 1);
      const held = bands.subarray(1, echoBands + 1);
      expect(held.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 5);
      expect(held.filter((one) => one > 0).length).toBeLessThanOrEqual(2);
      expect([bands[0], bands[echoBands + 1]]).toEqual([-1, -1]);
    }
  });

  it('interpolate back to bins without steps', () => {
    const bands = Float32Array.from({ length: echoBands }, (_, band) => band % 2);
    const gains = new Float32Array(bins);
    fromBands(new Float32Array(echoBands).fill(0.5), gains);
    expect(gains.every((gain) => Math.abs(gain - 0.5) < 1e-6)).toBe(true);
    fromBands(bands, gains);
    for (let bin = 1; bin < bins; bin += 1)
      expect(Math.abs((gains[bin] ?? 0) - (gains[bin - 1] ?? 0))).toBeLessThan(0.34);
  });
});
