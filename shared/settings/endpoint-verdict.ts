import type { Why } from '../why.ts';

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
      readonly why: VerdictReason;
      readonly problem: string;
      /** What the problem says, as a code; with a status the status says it. */
      readonly because?: Why | undefined;
      /** The server's own words, which stand in the problem as well. */
      readonly said?: string | undefined;
      /** Of a certificate that can be trusted by it. */
      readonly fingerprint?: string | undefined;
      readonly status?: number | undefined;
    };

export type VerdictReason =
  'unreachable' | 'refused' | 'certificate' | 'notRealtime' | 'slow' | 'busy';
