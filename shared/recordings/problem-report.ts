/**
 * What a report is of: a talk by its id, the talk that is shown and may be in no list, the tape that is open to be played,
 * or the last talk that has a tape.
 */
export type ReportOf =
  | { readonly kind: 'talk'; readonly id: string }
  | { readonly kind: 'shown' }
  | { readonly kind: 'replay' }
  | { readonly kind: 'last' };

/** A file of a report, to be looked at before anything is saved. */
export interface ReportFile {
  readonly name: string;
  readonly bytes: number;
  /** What stands in it, or what it is made of; the beginning of it where it is long. */
  readonly preview: string;
}

/** What would be in a report; it lies ready until it is saved or dropped. */
export interface PreparedReport {
  readonly files: readonly ReportFile[];
  /** When the talk was recorded whose tape is in it, in ISO 8601; nothing where none is. */
  readonly recordedAt: string | undefined;
}
