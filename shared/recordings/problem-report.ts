/** The tape a report is about: a talk by id, the talk on screen, the open replay, or the latest taped talk. */
export type ReportOf =
  | { readonly kind: 'talk'; readonly id: string }
  | { readonly kind: 'shown' }
  | { readonly kind: 'replay' }
  | { readonly kind: 'last' };

/** A file of a report, for review before saving. */
export interface ReportFile {
  readonly name: string;
  readonly bytes: number;
  /** The beginning of its content, or a description. */
  readonly preview: string;
}

/** A report that waits to be saved or dropped. */
export interface PreparedReport {
  readonly files: readonly ReportFile[];
  /** When the report's tape was recorded (ISO 8601); undefined without a tape. */
  readonly recordedAt: string | undefined;
}
