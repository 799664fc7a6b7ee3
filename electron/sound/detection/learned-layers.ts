import type { DenseLayer } from './dense-layer.ts';
import { voiceWeights } from './voice-weights.ts';
import type { LayerName, LearnedLayer } from './voice-weights.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** A number is two letters; zero is in the middle of what they can say. */
const zero = alphabet.length ** 2 / 2;

type Layers = Readonly<Record<LayerName, DenseLayer>>;
let read: Layers | undefined;

/** All layers of the voice detector; read once, when the first one is made. */
export function learnedLayers(): Layers {
  read ??= readLayers();
  return read;
}

function readLayers(): Layers {
  const digits = new Uint8Array(128);
  for (let digit = 0; digit < alphabet.length; digit += 1)
    digits[alphabet.charCodeAt(digit)] = digit;
  const layer = ({ inputs, outputs, scale, addedScale, letters }: LearnedLayer): DenseLayer => {
    const count = inputs * outputs;
    const number = (at: number): number =>
      (digits[letters.charCodeAt(2 * at)] ?? 0) * alphabet.length +
      (digits[letters.charCodeAt(2 * at + 1)] ?? 0) -
      zero;
    return {
      inputs,
      outputs,
      weights: Float32Array.from({ length: count }, (_, at) => number(at) * scale),
      added: Float32Array.from({ length: outputs }, (_, at) => number(count + at) * addedScale),
    };
  };
  return {
    spectra: layer(voiceWeights.spectra),
    pairs: layer(voiceWeights.pairs),
    whole: layer(voiceWeights.whole),
    chunk: layer(voiceWeights.chunk),
    cells: layer(voiceWeights.cells),
    findings: layer(voiceWeights.findings),
    together: layer(voiceWeights.together),
    voice: layer(voiceWeights.voice),
  };
}
