import type { AppError } from '../errors/app-error.ts';

export interface VerdictTimes {
  readonly connectMs: number;
  /** From the open line to the server's first word. */
  readonly wordMs: number;
}

/** What a test of a server has shown. */
export type EndpointVerdict =
  | (VerdictTimes & {
      readonly ok: true;
      /** The place in its queue; nothing where it would begin at once. */
      readonly position?: number | undefined;
    })
  | {
      readonly ok: false;
      /** In a word. */
      readonly kind: VerdictKind;
      readonly error: AppError;
      /** Of a certificate that can be trusted by it. */
      readonly fingerprint?: string | undefined;
    };

export type VerdictKind =
  | 'unreachable'
  | 'refused'
  | 'certificate'
  | 'notRealtime'
  | 'slow'
  | 'busy';
