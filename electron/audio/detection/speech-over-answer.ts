/** Weights of voice, mean voice and person, and the bias. `npm run bench -- barge --learn` prints them. */
const weights = [0.25, 0.71, 0.25] as const;
const bias = 2.29;
/** About a syllable. */
const meanMs = 150;

/**
 * Estimates by logistic regression whether a person speaks over an answer whose echo is cancelled. Neither network
 * suffices alone: residual echo sounds like a voice, and to the canceller a barking dog is a person. The level is no
 * evidence, because the canceller takes some of a soft voice (docs/decisions/0044-voice-detector.md).
 */
export class SpeechOverAnswer {
  /** Log-odds: of a voice, of a voice in the last syllable, of a person. */
  readonly inputs = new Float64Array(weights.length);
  #hasMean = false;

  /**
   * Takes the probability of a voice by the voice detector, and that of a person by the echo canceller's network.
   * Returns the log-odds of a person's speech.
   */
  push(likelihood: number, presence: number, ms: number): number {
    const voice = logit(likelihood);
    const mean = this.#hasMean ? (this.inputs[1] ?? 0) : voice;
    this.#hasMean = true;
    this.inputs[0] = voice;
    this.inputs[1] = mean + (1 - Math.exp(-ms / meanMs)) * (voice - mean);
    this.inputs[2] = logit(presence);
    return weights.reduce((odds, weight, n) => odds + weight * (this.inputs[n] ?? 0), bias);
  }
}

/** Limited, so that one network that is certain does not outvote the other. */
function logit(probability: number): number {
  const limited = Math.min(Math.max(probability, 0.001), 0.999);
  return Math.log(limited / (1 - limited));
}
