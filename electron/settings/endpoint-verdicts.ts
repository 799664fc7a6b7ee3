import type { Mode } from '../../shared/protocol/dialect-and-mode.ts';
import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import type { Why } from '../../shared/why.ts';
import type {
  EndpointVerdict,
  VerdictReason,
  VerdictTimes,
} from '../../shared/settings/endpoint-verdict.ts';
import type { DistrustedCertificate, SocketEnd } from '../ports/sockets.ts';

type FailedVerdict = Extract<EndpointVerdict, { ok: false }>;

export function openTimeoutVerdict(milliseconds: number): FailedVerdict {
  const seconds = Math.round(milliseconds / 1000);
  const problem = `The server has not answered within ${seconds} s; check address and network.`;
  return no('slow', problem, { is: 'testSlow', seconds });
}

export function silentServerVerdict(milliseconds: number): FailedVerdict {
  const seconds = Math.round(milliseconds / 1000);
  const problem = `The server took the connection but has said nothing for ${seconds} s: it is overloaded, or not a realtime server.`;
  return no('slow', problem, { is: 'testSilent', seconds });
}

/**
 * What a server says before anything is asked of it. Words that this version does not know say nothing:
 * newer servers have more of them.
 */
export function verdictOnEvent(
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
      return no('busy', 'The server cannot take a session now.', 'testBusy', event.message);
    case 'closed':
      return no('busy', 'The server ends sessions at once.', 'testEnds', event.reason);
    case 'unknown':
      return undefined;
    case 'listen':
    case 'output':
    case 'done':
    case 'malformed':
      return no(
        'notRealtime',
        `What answers there is no realtime server: it does not begin a session for ${mode}. Check the address.`,
        'testOther',
      );
  }
}

/** The connection ended before the server had said a word. */
export function verdictOnEnd(end: SocketEnd, mode: Mode): FailedVerdict {
  switch (end.kind) {
    case 'unreachable':
      return end.distrusted === undefined
        ? no('unreachable', end.problem, end.why)
        : distrust(end.distrusted);
    case 'refused':
      return { ...refusal(end.status, mode, end.body), status: end.status };
    case 'closed':
      return closing(end.code, end.reason);
  }
}

function distrust({ why, fault, fingerprint, changed }: DistrustedCertificate): FailedVerdict {
  const what = `The server's certificate ${why}; its SHA-256 fingerprint is ${fingerprint}.`;
  const problem = changed
    ? `${what} If the server has been given a new certificate, trust that; if not, somebody stands between.`
    : `${what} If that is your server, trust the certificate; if you do not know, ask whoever runs it.`;
  return { ...no('certificate', problem, { is: fault, fingerprint }), fingerprint };
}

/** The status says it for a page. */
function refusal(status: number, mode: Mode, body: string): FailedVerdict {
  switch (status) {
    case 401:
      return no(
        'refused',
        'The server wants an access token, or another one (401).',
        undefined,
        body,
      );
    case 403: {
      const problem = `The server does not let you in (403): the access token may not be for it, or it does not offer ${mode}.`;
      return no('refused', problem, undefined, body);
    }
    case 404:
      return no(
        'notRealtime',
        'There is no realtime server at this path (404). Check the address.',
      );
    case 429: {
      const problem = 'The server has had too many requests (429). Wait a minute.';
      return no('busy', problem, undefined, body);
    }
    default:
      return otherRefusal(status, body);
  }
}

function otherRefusal(status: number, body: string): FailedVerdict {
  if (status >= 500) {
    const problem = `The server cannot take connections now (${status}). Try later.`;
    return no('busy', problem, undefined, body);
  }
  if (status >= 400) {
    const problem = `The server refuses the connection (${status}). Check the address.`;
    return no('refused', problem, undefined, body);
  }
  const problem = `A web server answers there, and no realtime server (${status}). Check the address.`;
  return no('notRealtime', problem);
}

function closing(code: number, reason: string): FailedVerdict {
  switch (code) {
    case 1008: {
      const problem = 'The server does not let you in (1008). Check the access token.';
      return no('refused', problem, 'testForbids', reason);
    }
    case 1013: {
      const problem = 'The server is too busy now (1013). Try again in a minute.';
      return no('busy', problem, 'testFull', reason);
    }
    case 1006: {
      const problem = 'The connection was cut before the server said a word.';
      return no('unreachable', problem, 'testCut');
    }
    default: {
      const problem = `The server took the connection and closed it without a word (${code}); it may be no realtime server.`;
      return no('notRealtime', problem, { is: 'testClosed', code }, reason);
    }
  }
}

const maxServerMessage = 200;

/** Whole pages of HTML help nobody. */
function shortly(text: string): string | undefined {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  if (line === '' || line.startsWith('<')) return undefined;
  return line.length > maxServerMessage ? `${line.slice(0, maxServerMessage)}…` : line;
}

function no(why: VerdictReason, problem: string, because?: Why, words = ''): FailedVerdict {
  const said = shortly(words);
  const found = { ok: false, why, ...(because !== undefined && { because }) } as const;
  return said === undefined
    ? { ...found, problem }
    : { ...found, problem: `${problem} The server says: ${said}`, said };
}
