/** Changes of a turn's caption; omitted fields stay unchanged. */
export interface CaptionPatch {
  readonly turn: number;
  readonly added?: string;
  /** Characters heard so far. */
  readonly heard?: number;
  /** The text from this character on was cut and will not be heard. */
  readonly cutFrom?: number;
  /** The first turn of another session. */
  readonly startsSession?: true;
  /** The model heard the computer's sound when it began the turn. */
  readonly hearsComputer?: true;
  /** The turn is final. */
  readonly settled?: true;
}

/** A caption: heard up to `heard`, cut from `cutFrom` on, and pending in between. */
export interface CaptionedTurn {
  readonly turn: number;
  readonly text: string;
  readonly heard: number;
  readonly cutFrom: number | undefined;
  readonly settled: boolean;
  /** The first turn of another session. */
  readonly startsSession?: true | undefined;
  readonly hearsComputer?: true | undefined;
}

export function patchCaption(
  before: CaptionedTurn | undefined,
  patch: CaptionPatch,
): CaptionedTurn {
  return {
    turn: patch.turn,
    text: (before?.text ?? '') + (patch.added ?? ''),
    heard: patch.heard ?? before?.heard ?? 0,
    cutFrom: patch.cutFrom ?? before?.cutFrom,
    startsSession: patch.startsSession ?? before?.startsSession,
    hearsComputer: patch.hearsComputer ?? before?.hearsComputer,
    settled: patch.settled ?? before?.settled ?? false,
  };
}
