import { describe, expect, it } from 'vitest';
import {
  echoBlockSamples,
  echoMemorySamples,
} from '../../../../../electron/audio/echo/echo-canceller.ts';
import { FarEndHistory } from '../../../../../electron/audio/echo/echo-filter.ts';
import { seeded } from '../../../../fakes/seeded.ts';

describe('FarEndHistory', () => {
  const [size, blocks] = [512, 26];
  const random = seeded(3);
  const played = Float32Array.from({ length: echoMemorySamples }, () => random() - 0.5);

  function createHistory(sound: Float32Array): FarEndHistory {
    const history = new FarEndHistory(size, blocks);
    for (let at = 0; at < sound.length; at += echoBlockSamples)
      history.push(sound.subarray(at, at + echoBlockSamples));
    return history;
  }

  const spectra = (history: FarEndHistory) =>
    Array.from({ length: blocks }, (_, age) => Array.from(history.spectrumOf(age).re));

  it('is the same whether filled block by block or at once', () => {
    const atOnce = new FarEndHistory(size, blocks);
    atOnce.remember(played);
    expect(spectra(atOnce)).toEqual(spectra(createHistory(played)));
  });

  it('shifts by blocks as if it had been filled later', () => {
    const later = 2 * echoBlockSamples;
    const history = createHistory(played);
    history.delay(later);
    const moved = new Float32Array(played.length);
    moved.set(played.subarray(0, played.length - later), later);
    expect(spectra(history)).toEqual(spectra(createHistory(moved)));
    history.push(played.subarray(0, echoBlockSamples));
    expect(history.spectrumOf(1).re).not.toEqual(history.spectrumOf(0).re);
  });
});
