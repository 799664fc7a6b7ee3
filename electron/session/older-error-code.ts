import type { ServerErrorEvent } from '../../shared/protocol/server-event.ts';

/** The older path for written conversations has sentences for what goes wrong, and no codes. */
export function olderErrorCode({ code, message }: ServerErrorEvent): ServerErrorEvent['code'] {
  if (code !== 'unspecified') return code;
  return /\bbusy\b/iu.test(message) ? 'worker_busy' : 'inference_error';
}
