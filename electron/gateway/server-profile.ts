import type { GatewayOptions } from './gateway.ts';

/** After these codes the documents close the connection with 1013. */
const closing = new Set([
  'service_unavailable',
  'queue_full',
  'worker_busy',
  'worker_connect_failed',
]);

const tryAgainLater = 1013;
const normal = 1000;

/** With which code the connection closes after an error, if it closes at all. */
export function closeCodeAfter(code: string): number | undefined {
  if (closing.has(code)) return tryAgainLater;
  return code === 'session_failed' ? normal : undefined;
}

/** What a server does about something that it cannot use. */
export type ProblemReaction =
  /** Says so, and goes on. */
  | 'error'
  /** Closes the connection with 1003. */
  | 'badFrame'
  /** Ends the session with `backend_error`. */
  | 'end'
  /** Says that a step failed, and goes on. */
  | 'failedStep'
  /** Passes over it in silence. */
  | 'ignore'
  /** Drops the connection without a word. */
  | 'cut';

type Manners = Pick<GatewayOptions, 'dialect' | 'profile'>;

export function reactionTo(
  { code }: { readonly code: string },
  { dialect, profile }: Manners,
): ProblemReaction {
  if (profile === 'documented') return code === 'bad_json' ? 'badFrame' : 'error';
  if (dialect === 'unified') return 'end';
  switch (code) {
    case 'unknown_event':
      return 'ignore';
    case 'missing_field':
    case 'not_ready':
      return 'failedStep';
    default:
      return 'cut';
  }
}

/**
 * Gateways of the older kind as they really are: they never say goodbye, also not in good order; they go on after
 * they have said that the context is full; and they begin anew with a second configure.
 */
export const isDeployedLegacy = ({ dialect, profile }: Manners): boolean =>
  dialect === 'legacy' && profile === 'deployed';

/** Their workers refuse the next client for a moment where the last one vanished without a goodbye. */
export const isDeployedUnified = ({ dialect, profile }: Manners): boolean =>
  dialect === 'unified' && profile === 'deployed';
