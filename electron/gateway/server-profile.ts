import type { Random, WallClock } from '../../shared/ports/clock.ts';
import { type DialectName, type Mode, modes } from '../../shared/protocol/realtime-api.ts';
import type { GatewayOptions } from './gateway-options.ts';

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

/** The mode a connection gets for the one in its address, which may be missing or unknown. */
export function connectionMode(
  asked: string | undefined,
  options: Pick<GatewayOptions, 'dialect' | 'profile'>,
): Mode {
  const unknown = asked !== undefined && isDeployedLegacy(options) ? 'audio' : 'video';
  const mode = modes.find((known) => known === asked) ?? unknown;
  // A legacy gateway has no chat and takes it for audio.
  return options.dialect === 'legacy' && mode === 'chat' ? 'audio' : mode;
}

/** Unified servers in use turn unknown modes away; neither documents nor older servers know of such a thing. */
export function acceptsMode(
  asked: string | undefined,
  { dialect, profile }: GatewayOptions,
): boolean {
  if (profile === 'documented' || dialect === 'legacy') return true;
  return asked === undefined || modes.some((mode) => mode === asked);
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
