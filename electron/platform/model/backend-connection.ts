import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { type ClientOptions, WebSocket } from 'ws';
import type { Socket, SocketEnd, SocketListener } from '../../../shared/ports/sockets.ts';
import type { Backend } from '../../gateway/backend.ts';
import { connectError, watchEnd } from '../net/server-connection.ts';

/** The server sends at most a second of sound per message. */
const maxMessageBytes = 16 * 1024 * 1024;
const handshakeMs = 10_000;
const requestMs = 10_000;

/** Connects to a model server directly, without a proxy. `address` is the URL of its `/backend`. */
export function connectBackend(address: URL, serves: Backend['serves'] = 'both'): Backend {
  const name = `${address.protocol}//${address.host}${address.pathname}`;
  return {
    name,
    serves,
    connect: (listener) => new BackendSocket(address, name, listener),
    closeSession: async (sessionId, reason) => {
      const path = `sessions/${encodeURIComponent(sessionId)}/close`;
      const status = await sendRequest(address, path, JSON.stringify({ reason }));
      // A session that the server does not know has ended.
      return status === 200 || status === 404;
    },
    isHealthy: async () => (await sendRequest(address, 'health')) === 200,
  };
}

/**
 * Parses an address such as `ws://host:port/backend`. The path may be missing, and `http` stands for `ws`. Undefined if
 * it is invalid or has a login, query or fragment.
 */
export function readBackendAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const protocol = { 'ws:': 'ws:', 'wss:': 'wss:', 'http:': 'ws:', 'https:': 'wss:' }[url.protocol];
  if (protocol === undefined || url.username !== '' || url.password !== '') return undefined;
  if (url.search !== '' || url.hash !== '') return undefined;
  if (protocol !== url.protocol) return readBackendAddress(text.replace(/^http/iu, 'ws'));
  if (url.pathname === '/') url.pathname = '/backend';
  return url;
}

/**
 * Sends a request. Resolves to the status, or to undefined without an answer in time. Each request has its own agent,
 * because the global one may use the proxy of the environment.
 */
function sendRequest(address: URL, path: string, body?: string): Promise<number | undefined> {
  const url = new URL(path, address.href.replace(/^ws/u, 'http'));
  const isSecure = url.protocol === 'https:';
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    agent: isSecure ? new HttpsAgent() : new HttpAgent(),
    signal: AbortSignal.timeout(requestMs),
    headers: { connection: 'close', ...(body !== undefined && jsonHeaders(body)) },
  };
  return new Promise((resolve) => {
    const request = (isSecure ? requestHttps : requestHttp)(url, options, (response) => {
      resolve(response.statusCode);
      // The body is not read, because only the status matters.
      response.destroy();
    });
    request.on('error', () => resolve(undefined));
    request.end(body);
  });
}

function jsonHeaders(body: string): Readonly<Record<string, string | number>> {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
}

class BackendSocket implements Socket {
  readonly #listener: SocketListener;
  readonly #webSocket: WebSocket;
  #isOpen = false;
  #hasEnded = false;

  constructor(address: URL, name: string, listener: SocketListener) {
    this.#listener = listener;
    const options: ClientOptions = {
      perMessageDeflate: false,
      maxPayload: maxMessageBytes,
      handshakeTimeout: handshakeMs,
      followRedirects: false,
    };
    const webSocket = new WebSocket(address, options);
    this.#webSocket = webSocket;
    webSocket.on('open', () => {
      this.#isOpen = true;
      listener.opened();
    });
    webSocket.on('message', (data: Buffer, isBinary) => {
      if (this.#hasEnded) return;
      listener.received(isBinary ? undefined : data.toString());
    });
    webSocket.on('unexpected-response', (request, response) => {
      request.destroy();
      response.destroy();
      this.#end({ kind: 'refused', status: response.statusCode ?? 0, body: '' });
    });
    watchEnd(
      webSocket,
      () => this.#isOpen,
      (error) => ({ kind: 'unreachable', error: connectError(error, name) }),
      (end) => this.#end(end),
    );
  }

  readonly send = (text: string): void => {
    if (this.#webSocket.readyState === WebSocket.OPEN) this.#webSocket.send(text);
  };

  readonly close = (code: number, reason: string): void => this.#webSocket.close(code, reason);

  readonly terminate = (): void => this.#webSocket.terminate();

  #end(end: SocketEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#listener.ended(end);
  }
}
