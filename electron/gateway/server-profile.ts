import { parseJsonObject } from '../../shared/protocol/json.ts';
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

/** What a deployed legacy gateway passes over in silence, where it answers all else with the end. */
export function isIgnoredFrame(text: string, { dialect, profile }: GatewayOptions): boolean {
  if (dialect !== 'legacy' || profile !== 'deployed') return false;
  return parseJsonObject(text)?.['type'] === 'session.init';
}
