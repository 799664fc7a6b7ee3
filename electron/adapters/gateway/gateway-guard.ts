import type { IncomingMessage } from 'node:http';

export interface GatewayRefusal {
  readonly status: 403;
  readonly body: string;
}

/** Where it listens at all addresses, those are its names: a page's own name is never a number. */
const everywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const anyAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** With any port: a tunnel may end at another one. */
const ownNames = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * Who may not come in. Every page that is open in a browser here can reach this port: one that had its own
 * name point at this machine is known by its Host, and all pages by their Origin, which programs do not send.
 */
export function refuseStranger(
  { headers }: IncomingMessage,
  listensAt: string,
  allowedOrigins: readonly string[],
): GatewayRefusal | undefined {
  const { host = '', origin } = headers;
  const named =
    ownNames.test(host) ||
    host.replace(/:\d{1,5}$/, '') === listensAt ||
    (everywhere.has(listensAt) && anyAddress.test(host));
  if (!named) {
    return { status: 403, body: 'The gateway answers only under the address it listens at.' };
  }
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined;
  return {
    status: 403,
    body: 'The gateway answers no web pages: start it with --allow-origin to allow one.',
  };
}
