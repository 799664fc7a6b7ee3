import { describeError } from '../../shared/describe-error.ts';
import type { lineWhys } from '../../shared/why-codes.ts';
import type { LineWhy } from '../../shared/why.ts';
import { TrustError } from './web-socket-trust.ts';

/** Whether trying again changes nothing: somebody has to mend the address or trust the certificate. */
export function isLasting(error: unknown): boolean {
  return error instanceof TrustError || codeOf(error) === 'ERR_INVALID_URL';
}

interface ConnectionProblem {
  readonly problem: string;
  readonly why: LineWhy;
}

/** Says why no connection came about. `server` is a name that may be shown. */
export function connectProblem(error: unknown, server: string): ConnectionProblem {
  if (error instanceof TrustError) return { problem: error.message, why: 'distrusted' };
  const code = codeOf(error);
  const known = code === undefined ? undefined : sentences[code];
  if (known !== undefined) return { problem: known.say(server), why: lineWhy(known.why, server) };
  const text = describeError(error);
  if (code?.startsWith('HPE_') === true)
    return { problem: notHttp(server), why: { is: 'notHttp', server } };
  if (/wrong version number|packet length too long|http request/i.test(text)) {
    const problem = `${server} does not speak TLS on this port; ws:// may be what it wants instead of wss://.`;
    return { problem, why: { is: 'notTls', server } };
  }
  if (/Sec-WebSocket|Invalid Upgrade header|subprotocol/.test(text)) {
    const problem = `${server} answered, but not as a WebSocket server does (${text}).`;
    return { problem, why: { is: 'notWebSocket', server } };
  }
  // Without the text: what a server sends back may have our own secrets in it.
  return {
    problem: `There is no connection to ${server}: ${code ?? text}.`,
    why: { is: 'noLine', server },
  };
}

const notHttp = (server: string): string =>
  `${server} answers something that is not HTTP; check the address and whether it needs wss://.`;

const hungUp = (server: string): string =>
  `${server} hung up before it answered; check the address and whether it needs wss://.`;

const tooLate = (server: string): string => `${server} does not answer (no reply in time).`;

interface Known {
  readonly why: Exclude<keyof typeof lineWhys, 'distrusted'>;
  readonly say: (server: string) => string;
}

const noWay: Known = {
  why: 'noWay',
  say: (server) => `There is no way to ${server} from this network.`,
};

const sentences: Readonly<Record<string, Known>> = {
  ENOTFOUND: {
    why: 'noSuchServer',
    say: (server) => `There is no server called ${server}; check the address.`,
  },
  EAI_AGAIN: {
    why: 'noName',
    say: (server) =>
      `The name ${server} cannot be looked up now; check the network of this machine.`,
  },
  ECONNREFUSED: {
    why: 'nothingListens',
    say: (server) => `Nothing listens at ${server}; is the server running?`,
  },
  ECONNRESET: { why: 'hungUp', say: hungUp },
  EPIPE: { why: 'hungUp', say: hungUp },
  ETIMEDOUT: { why: 'noAnswer', say: tooLate },
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
  ERR_INVALID_URL: {
    why: 'badAddress',
    say: () => 'The address is not one that can be connected to.',
  },
};

function lineWhy(is: Known['why'], server: string): LineWhy {
  return is === 'badAddress' ? is : { is, server };
}

/** ConnectingState by several addresses at once fails with all their errors together. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string') return code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined;
}

/** The handshake of TLS or HTTP went on for longer than anyone waits. */
export function timeoutProblem(server: string, milliseconds: number): string {
  return `${server} does not answer: no connection within ${Math.round(milliseconds / 1000)} s.`;
}
