import type { SocketEnd } from '../ports/sockets.ts';
import { endedByServerError, failedEnding, withServerMessage } from './session-ending.ts';
import type { SessionEnding } from './session-ending.ts';
import type { SessionContext } from './session-state.ts';
import { errorExplainsCloseMs } from './session-timeouts.ts';

/** The line has ended by itself, without the session's end being told on it. */
export function endedByConnection(
  end: SocketEnd,
  context: SessionContext,
  at: number,
): SessionEnding {
  switch (end.kind) {
    case 'refused':
      return {
        ...withServerMessage(failedEnding('refused', describeStatus(end.status)), end.body),
        status: end.status,
      };
    case 'unreachable': {
      const { why } = end;
      const ending = {
        ...failedEnding('unreachable', end.problem, 'network'),
        ...(why && { why }),
      };
      return end.lasting ? { ...ending, lasting: true } : ending;
    }
    case 'closed':
      // A line that was cut was not closed for an error, however near the two are.
      return (
        (end.code === 1006 ? undefined : explainedByLastError(context, at)) ??
        endedByCode(end.code, end.reason)
      );
  }
}

function explainedByLastError(
  { lastError }: SessionContext,
  at: number,
): SessionEnding | undefined {
  if (lastError === undefined || at - lastError.at > errorExplainsCloseMs) return undefined;
  return endedByServerError(lastError.code, lastError.message);
}

function describeStatus(status: number): string {
  switch (status) {
    case 401:
      return 'The server wants to know who you are (401). Check the access token of this endpoint.';
    case 403:
      return 'The server does not let you in (403). Check the access token, and that it offers this mode.';
    case 404:
      return 'There is no realtime endpoint at this address (404). Check the address.';
    case 429:
      return 'The server has had too many requests from you (429). Wait a minute and try again.';
    default:
      return status >= 500
        ? `The server cannot take connections now (${status}). Try again in a minute.`
        : `The server refused the connection (${status}). Check the address of this endpoint.`;
  }
}

/** What of a close is the server's own words. */
function endedByCode(code: number, reason: string): SessionEnding {
  return code === 1006 || code === 1013
    ? byCode(code, reason)
    : withServerMessage(byCode(code, reason), reason);
}

function byCode(code: number, reason: string): SessionEnding {
  switch (code) {
    case 1000:
      return failedEnding(
        reason === '' ? 'closed' : reason,
        `The server closed the connection without saying why. Start again.`,
      );
    case 1001:
    case 1012:
      return failedEnding(
        'server_shutdown',
        `The server is going away. Try again in a few minutes.`,
      );
    case 1003:
      return failedEnding(
        'unreadable',
        `The server could not read what Parley sent (1003). This is an error in Parley or in the server; please report it.`,
      );
    case 1006:
      return failedEnding(
        'connection_lost',
        'The connection was cut. Check the network and start again.',
        'network',
      );
    case 1008:
      return failedEnding(
        'policy',
        `The server does not allow this (1008). Check the access token of this endpoint.`,
      );
    case 1009:
      return failedEnding(
        'too_large',
        `A message was too large for the server (1009). Send smaller pictures or shorter chunks.`,
      );
    case 1011:
      return failedEnding('server_error', `The server failed (1011). Start again.`);
    case 1013:
      return endedByServerError(busyCode(reason), reason);
    default:
      return failedEnding(
        reason === '' ? `closed_${code}` : reason,
        `The connection was closed with code ${code}. Start again.`,
      );
  }
}

/** With 1013 the error event may be missing, and the reason of the close is all there is. */
function busyCode(reason: string): string {
  if (/queue/iu.test(reason)) return 'queue_full';
  if (/connect/iu.test(reason)) return 'worker_connect_failed';
  return /busy|worker/iu.test(reason) ? 'worker_busy' : 'service_unavailable';
}
