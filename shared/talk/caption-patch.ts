/** What has changed of a turn's words. What is left out is as it was. */
export interface CaptionPatch {
  readonly turn: number;
  /** Follows the text there is. */
  readonly added?: string;
  /** So many letters of the text have been heard. */
  readonly heard?: number;
  /** From this letter on nothing will be heard: it was cut off. */
  readonly cutFrom?: number;
  /** The first after another session took the talk over. */
  readonly anew?: true;
  /** Nothing of this turn changes any more. */
  readonly settled?: true;
}

/** One text in ranges: heard up to `heard`, cut from `cutFrom` on, and what is between is to come. */
export interface CaptionedTurn {
  readonly turn: number;
  readonly text: string;
  readonly heard: number;
  readonly cutFrom: number | undefined;
  readonly settled: boolean;
  /** It is the first that another session has said. */
  readonly anew?: true | undefined;
}

/** The turn after the patch; without a turn before, its first. */
export function patchCaption(
  before: CaptionedTurn | undefined,
  patch: CaptionPatch,
): CaptionedTurn {
  return {
    turn: patch.turn,
    text: (before?.text ?? '') + (patch.added ?? ''),
    heard: patch.heard ?? before?.heard ?? 0,
    cutFrom: patch.cutFrom ?? before?.cutFrom,
    anew: patch.anew ?? before?.anew,
    settled: patch.settled ?? before?.settled ?? false,
  };
}
