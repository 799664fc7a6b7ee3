/** What becomes of a sound the person makes while the answer is heard. */
export interface BargeInOptions {
  readonly enabled: boolean;
  /** Up to so long it is an "mm-hmm": the answer is lowered and goes on. Longer is a wish to speak. */
  readonly shortMs: number;
  /** So much louder than the room it must be; more for a noisy room, less for a quiet voice. */
  readonly aboveNoiseDb: number;
}

export const defaultBargeInOptions: BargeInOptions = {
  enabled: true,
  shortMs: 600,
  aboveNoiseDb: 12,
};
