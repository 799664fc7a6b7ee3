import type { Mode } from '../../shared/protocol/names.ts';
import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import type {
  EndpointVerdict,
  VerdictReason,
  VerdictTimes,
} from '../../shared/settings/endpoint-verdict.ts';
import type { SocketEnd } from '../ports/sockets.ts';

type Refusal = Extract<EndpointVerdict, { ok: false }>;

export function tooSlow(milliseconds: number): Refusal {
  const seconds = Math.round(milliseconds / 1000);
  return no('slow', `The server has not answered within ${seconds} s; check address and network.`);
}

export function silent(milliseconds: number): Refusal {
  const seconds = Math.round(milliseconds / 1000);
  return no(
    'slow',
    `The server took the connection but has said nothing for ${seconds} s: it is overloaded, or not a realtime server.`,
  );
}

/**
 * What a server says before anything is asked of it. Words that this version does not know say nothing:
 * newer servers have more of them.
 */
export function describeWord(
  event: ServerEvent,
  mode: Mode,
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
      return no('busy', `The server cannot take a session now.${said(event.message)}`);
    case 'closed':
      return no('busy', `The server ends sessions at once.${said(event.reason)}`);
    case 'unknown':
      return undefined;
    case 'listen':
    case 'output':
    case 'done':
    case 'malformed':
      return no(
        'notRealtime',
        `What answers there is no realtime server: it does not begin a session for ${mode}. Check the address.`,
      );
  }
}

/** The line ended before the server had said a word. */
export function describeEnd(end: SocketEnd, mode: Mode): Refusal {
  switch (end.kind) {
    case 'unreachable':
      return end.distrusted === undefined
        ? no('unreachable', end.problem)
        : {
            ...no('certificate', distrustOf(end.distrusted)),
            fingerprint: end.distrusted.fingerprint,
          };
    case 'refused':
      return { ...refusal(end.status, mode, said(end.body)), status: end.status };
    case 'closed':
      return closing(end.code, said(end.reason));
  }
}

function distrustOf({
  why,
  fingerprint,
  changed,
}: {
  readonly why: string;
  readonly fingerprint: string;
  readonly changed: boolean;
}): string {
  const what = `The server's certificate ${why}; its SHA-256 fingerprint is ${fingerprint}.`;
  return changed
    ? `${what} If the server has been given a new certificate, trust that; if not, somebody stands between.`
    : `${what} If that is your server, trust the certificate; if you do not know, ask whoever runs it.`;
}

function refusal(status: number, mode: Mode, body: string): Refusal {
  switch (status) {
    case 401:
      return no('refused', `The server wants a token, or another one (401).${body}`);
    case 403:
      return no(
        'refused',
        `The server does not let you in (403): the token may not be for it, or it does not offer ${mode}.${body}`,
      );
    case 404:
      return no(
        'notRealtime',
        'There is no realtime server at this path (404). Check the address.',
      );
    case 429:
      return no('busy', `The server has had too many requests (429). Wait a minute.${body}`);
    default:
      if (status >= 500) {
        return no('busy', `The server cannot take connections now (${status}). Try later.${body}`);
      }
      return status >= 400
        ? no('refused', `The server refuses the connection (${status}). Check the address.${body}`)
        : no(
            'notRealtime',
            `A web server answers there, and no realtime server (${status}). Check the address.`,
          );
  }
}

function closing(code: number, reason: string): Refusal {
  switch (code) {
    case 1008:
      return no('refused', `The server does not let you in (1008). Check the token.${reason}`);
    case 1013:
      return no('busy', `The server is too busy now (1013). Try again in a minute.${reason}`);
    case 1006:
      return no('unreachable', 'The connection was cut before the server said a word.');
    default:
      return no(
        'notRealtime',
        `The server took the connection and closed it without a word (${code}); it may be no realtime server.${reason}`,
      );
  }
}

const mostSaid = 200;

/** Whole pages of HTML help nobody. */
function said(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  if (line === '' || line.startsWith('<')) return '';
  return ` The server says: ${line.length > mostSaid ? `${line.slice(0, mostSaid)}…` : line}`;
}

function no(why: VerdictReason, problem: string): Refusal {
  return { ok: false, why, problem };
}
