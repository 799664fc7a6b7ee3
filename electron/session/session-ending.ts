import { contextTokens, sessionSeconds } from '../../shared/protocol/protocol-limits.ts';
import type { Mode } from '../../shared/protocol/dialect-and-mode.ts';
import type { Why } from '../../shared/why.ts';

/** How a session ended; told as `closed`. */
export interface SessionEnding {
  readonly reason: string;
  readonly by: 'client' | 'server' | 'network';
  readonly message: string;
  readonly orderly: boolean;
  /** With `refused`: the HTTP status of the answer. */
  readonly status?: number;
  /** With `unreachable`: it stays so until the endpoint is changed, a certificate not trusted for one. */
  readonly lasting?: true;
  /** With `unreachable`: what stood in the way. */
  readonly why?: Why;
  /** The server's own words about it, which stand in the message as well. */
  readonly said?: string;
}

const minutes: Readonly<Record<Mode, string>> = {
  chat: 'the time the server allows',
  video: `${sessionSeconds.video / 60} minutes`,
  audio: `${sessionSeconds.audio / 60} minutes`,
};

/** Asked for by us; said to the server with the same word. */
export function userEnding(mode: Mode): SessionEnding {
  return {
    reason: mode === 'chat' ? 'turn_done' : 'user_stop',
    by: 'client',
    message: 'You ended the session.',
    orderly: true,
  };
}

export function failedEnding(
  reason: string,
  message: string,
  by: SessionEnding['by'] = 'server',
): SessionEnding {
  return { reason, by, message, orderly: false };
}

/** The server has told the end of the session, with a reason. */
export function endedByServer(
  reason: string,
  diagnostic: string | undefined,
  mode: Mode,
): SessionEnding {
  const orderly = reason === 'timeout' || reason === 'context_full';
  const ending: SessionEnding = { reason, by: 'server', message: describe(reason, mode), orderly };
  return withServerMessage(ending, diagnostic);
}

/** The ending with what the server itself says about it. */
export function withServerMessage(ending: SessionEnding, words = ''): SessionEnding {
  const said = trim(words);
  if (said === '') return ending;
  return { ...ending, message: `${ending.message} The server says: ${said}`, said };
}

function describe(reason: string, mode: Mode): string {
  switch (reason) {
    case 'timeout':
      return `The session reached its time limit (${minutes[mode]}). Start a new one to go on.`;
    case 'context_full':
      return `The model's memory for this session is full (${contextTokens} tokens). Start a new one to go on.`;
    case 'backend_error':
      return 'The model behind the server failed. Start again; if it happens again, tell whoever runs the server.';
    case 'server_shutdown':
      return 'The server is shutting down. Try again in a few minutes.';
    case 'error':
      return 'The server ended the session after an error it could not recover from. Start again.';
    case 'user_stop':
    case 'stopped':
    case 'client_closed':
      return 'The server ended the session as if you had asked for it. Start again if you did not.';
    default:
      return `The server ended the session with the reason “${trim(reason)}”. Start again; if it happens again, tell whoever runs the server.`;
  }
}

/** The server has told an error after which no session can go on. */
export function endedByServerError(code: string, message: string): SessionEnding {
  return withServerMessage(failedEnding(code, describeError(code)), message);
}

function describeError(code: string): string {
  switch (code) {
    case 'queue_full':
      return 'The server’s queue is full. Try again in a few minutes.';
    case 'worker_busy':
      return 'All of the server’s workers are busy. Try again in a moment.';
    case 'service_unavailable':
      return 'The server is not ready yet. Try again in a minute.';
    case 'worker_connect_failed':
      return 'The server could not reach one of its workers. Try again in a moment.';
    case 'session_failed':
      return 'The server could not start or hold the session. Try again; if it happens again, tell whoever runs the server.';
    default:
      return `The server ended the session after the error “${trim(code)}”. Start again.`;
  }
}

const maxCharacters = 300;

/** Foreign text in one line, short enough to be read. */
function trim(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line;
}
