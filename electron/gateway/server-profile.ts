import type { Random, WallClock } from '../../shared/ports/clock.ts';
import {
  type DialectName,
  type Mode,
  modes,
  normalClosure,
  tryAgainLater,
} from '../../shared/protocol/realtime-api.ts';
import type { GatewayOptions } from './gateway-options.ts';

/** Documented errors that close the connection with 1013. */
const tryLaterErrors = new Set([
  'service_unavailable',
  'queue_full',
  'worker_busy',
  'worker_connect_failed',
]);

/** The close code after an error, or undefined if the connection stays open. */
export function closeCodeAfter(code: string): number | undefined {
  if (tryLaterErrors.has(code)) return tryAgainLater;
  return code === 'session_failed' ? normalClosure : undefined;
}

/** How a server reacts to input that it cannot use. */
export type ProblemReaction =
  /** Sends an error and continues. */
  | 'error'
  /** Closes the connection with 1003. */
  | 'badFrame'
  /** Ends the session with `backend_error`. */
  | 'end'
  /** Reports a failed step and continues. */
  | 'failedStep'
  /** Ignores it. */
  | 'ignore'
  /** Cuts the connection without a close frame. */
  | 'cut';

type ServerBehaviour = Pick<GatewayOptions, 'dialect' | 'profile'>;

export function chooseReaction(
  { code }: { readonly code: string },
  { dialect, profile }: ServerBehaviour,
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
 * Deployed legacy gateways never send a close frame, continue after reporting a full context, and restart on a
 * second configure.
 */
export const isDeployedLegacy = ({ dialect, profile }: ServerBehaviour): boolean =>
  dialect === 'legacy' && profile === 'deployed';

/** Workers of deployed unified gateways briefly refuse clients after one that disconnected without a close. */
export const isDeployedUnified = ({ dialect, profile }: ServerBehaviour): boolean =>
  dialect === 'unified' && profile === 'deployed';

/** Maps the address's mode, which may be missing or unknown, to the connection's mode. */
export function connectionMode(
  requested: string | undefined,
  options: Pick<GatewayOptions, 'dialect' | 'profile'>,
): Mode {
  const unknown = requested !== undefined && isDeployedLegacy(options) ? 'audio' : 'video';
  const mode = modes.find((known) => known === requested) ?? unknown;
  // Legacy gateways have no chat mode and use audio instead.
  return options.dialect === 'legacy' && mode === 'chat' ? 'audio' : mode;
}

/** Deployed unified servers refuse unknown modes; documented and legacy ones do not. */
export function acceptsMode(
  requested: string | undefined,
  { dialect, profile }: GatewayOptions,
): boolean {
  if (profile === 'documented' || dialect === 'legacy') return true;
  return requested === undefined || modes.some((mode) => mode === requested);
}

export function makeSessionId(
  dialect: DialectName,
  session: number,
  { wallClock, random }: { readonly wallClock: WallClock; readonly random: Random },
): string {
  if (dialect === 'unified') return makeGatewayId('sess', random);
  return `rt_${Math.floor(wallClock()) + session}`;
}

export function makeGatewayId(kind: 'sess' | 'resp' | 'ticket', random: Random): string {
  const digits = Array.from({ length: 12 }, () => Math.floor(random() * 16).toString(16));
  return `${kind}_${digits.join('')}`;
}
