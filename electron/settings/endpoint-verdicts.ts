import { appError } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { refusedError } from '../../shared/errors/session-reasons.ts';
import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import type {
  EndpointVerdict,
  VerdictKind,
  VerdictTimes,
} from '../../shared/settings/endpoint-verdict.ts';
import type { SocketEnd } from '../ports/sockets.ts';

type FailedVerdict = Extract<EndpointVerdict, { ok: false }>;

export function openTimeoutVerdict(milliseconds: number): FailedVerdict {
  return no('slow', appError('testSlow', { seconds: Math.round(milliseconds / 1000) }));
}

export function silentServerVerdict(milliseconds: number): FailedVerdict {
  return no('slow', appError('testSilent', { seconds: Math.round(milliseconds / 1000) }));
}

/**
 * What a server says before anything is asked of it. Words that this version does not know say nothing:
 * newer servers have more of them.
 */
export function verdictOnEvent(
  event: ServerEvent,
  times: VerdictTimes,
): EndpointVerdict | undefined {
  switch (event.kind) {
    case 'queued':
      return event.position === undefined
        ? { ok: true, ...times }
        : { ok: true, ...times, position: event.position };
    case 'admitted':
    case 'created':
      return { ok: true, ...times };
    case 'error':
      return no('busy', appError('testBusy', {}, said(event.message)));
    case 'closed':
      return no('busy', appError('testEnds', {}, said(event.reason)));
    case 'unknown':
      return undefined;
    case 'listen':
    case 'output':
    case 'done':
    case 'malformed':
      return no('notRealtime', appError('testOther'));
  }
}

/** The connection ended before the server had said a word. */
export function verdictOnEnd(end: SocketEnd): FailedVerdict {
  switch (end.kind) {
    case 'unreachable':
      return end.distrusted === undefined
        ? no('unreachable', end.error)
        : { ...no('certificate', end.error), fingerprint: end.distrusted.fingerprint };
    case 'refused':
      return refusal(end.status, end.body);
    case 'closed':
      return closing(end.code, end.reason);
  }
}

function refusal(status: number, body: string): FailedVerdict {
  const web = refusedError(status, body);
  if (web.code === 'refusedByWeb') return no('notRealtime', web);
  if (status < 400) return no('notRealtime', appError('testNoServer', { status }));
  const error = refusedError(status, said(body).detail);
  // What is not found there answers with a page, which says nothing of servers like ours.
  if (status === 404) return no('notRealtime', refusedError(status, ''));
  return no(status === 429 || status >= 500 ? 'busy' : 'refused', error);
}

function closing(code: number, reason: string): FailedVerdict {
  switch (code) {
    case 1008:
      return no('refused', appError('testForbids', {}, said(reason)));
    case 1013:
      return no('busy', appError('testFull', {}, said(reason)));
    case 1006:
      return no('unreachable', appError('testCut'));
    default:
      return no('notRealtime', appError('testClosed', { code }, said(reason)));
  }
}

const maxServerMessage = 200;

/** Whole pages of HTML help nobody. */
function said(text: string): { readonly detail: string } {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  if (line.startsWith('<')) return { detail: '' };
  return { detail: line.length > maxServerMessage ? `${line.slice(0, maxServerMessage)}…` : line };
}

function no(kind: VerdictKind, error: AppError): FailedVerdict {
  return { ok: false, kind, error };
}
