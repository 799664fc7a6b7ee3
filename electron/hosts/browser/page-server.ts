import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { firstStepsStatus } from '../../../shared/app/program.ts';
import {
  connectionProtocol,
  maxBinaryMessageBytes,
  connectionPath,
} from '../../../shared/ipc/bridge.ts';
import { serveConnection } from '../../app/ipc/socket-ipc.ts';
import type { Parley } from '../../app/parley.ts';
import { PageFiles, pageHeaders } from '../page-files.ts';
import type { PageDownloads } from './page-downloads.ts';

export interface BrowserHostOptions {
  readonly address: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly pagesFolder: string;
  readonly downloads?: PageDownloads | undefined;
  /** How long a talk goes on without a page. */
  readonly withoutPageMs?: number | undefined;
  /** Address of the dev server, if it serves the page. */
  readonly devPage?: string | undefined;
  /** A fixed token, so that an open page survives a restart during development. */
  readonly devToken?: string | undefined;
}

/** Long enough to load the page again, or for a tunnel to come back. */
const withoutPageMs = 30_000;

/** Serves the page and its connection on loopback and returns the address for the browser. */
export async function openBrowserHost(
  parley: Parley,
  options: BrowserHostOptions,
): Promise<string> {
  if (!isLoopback(options.address)) {
    throw new Error(
      `The browser host listens on this machine only, so "${options.address}" is refused: ` +
        'omit --address, and use an SSH tunnel to reach it from another machine.',
    );
  }
  const files = await PageFiles.in(options.pagesFolder, () => ({
    firstSteps: firstStepsStatus(parley.servers.settings.get()),
  }));
  const server = createServer();
  await listen(server, options.address, options.port);
  parley.lifetime.add(() => closeServer(server), 'page server');

  const { port } = server.address() as AddressInfo;
  const token = options.devToken ?? randomBytes(32).toString('base64url');
  const extraOrigins = options.devPage === undefined ? [] : [new URL(options.devPage).origin];
  const guard = createRequestGuard({ port, token, extraOrigins });
  server.on('request', createPageListener(files, guard.refusePage, options.downloads));
  parley.lifetime.add(() => options.downloads?.end(), 'pending downloads');
  acceptConnections(server, parley, guard.refuseConnection, options.withoutPageMs);

  const ownAddress = `http://${options.address === '::1' ? '[::1]' : options.address}:${port}`;
  const query = options.devPage === undefined ? '' : `?host=${encodeURIComponent(ownAddress)}`;
  // The token follows the #, so that browsers send it to no server and no log records it.
  return `${options.devPage ?? ownAddress}/${query}#token=${token}`;
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  const listening = once(server, 'listening');
  server.listen({ host, port });
  await listening;
}

/**
 * Ends the talk if the user closed every page, because its microphone would stay open without anything to see. Pauses a
 * replay that no page started, because nothing could stop it.
 */
function acceptConnections(
  server: Server,
  parley: Parley,
  refuse: (
    request: Parameters<typeof WebSocketServer.prototype.handleUpgrade>[0],
  ) => HttpRefusal | undefined,
  patienceMs = withoutPageMs,
): void {
  const { answer, machine } = parley;
  const { notices, log, clock } = machine;
  const endTalk = () => answer('endTalk', undefined);
  let keepTalk: (() => void) | undefined;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxBinaryMessageBytes,
    handleProtocols: () => connectionProtocol,
  });
  server.on('upgrade', (request, socket, head) => {
    const refusal = refuse(request);
    if (refusal !== undefined) {
      refuseUpgrade(socket, refusal);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (connection) => {
      keepTalk?.();
      serveConnection(connection, { answer, notices, log });
      connection.on('close', () => {
        keepTalk?.();
        if (sockets.clients.size > 0 || parley.lifetime.hasEnded) return;
        keepTalk = clock.after(patienceMs, () => {
          void endTalk();
          void answer('pauseReplay', undefined);
        });
      });
    });
  });
  parley.lifetime.add(() => keepTalk?.(), 'end of a talk without a page');
  parley.lifetime.add(() => {
    for (const connection of sockets.clients) connection.terminate();
    sockets.close();
  });
  // Added last, so that it runs first and the pages see the end of the talk.
  parley.lifetime.add(async () => {
    await endTalk();
  }, 'talk in the pages');
}

function refuseUpgrade(socket: Duplex, { status, reason }: HttpRefusal): void {
  const body = `${reason}\n`;
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n`;
  socket.on('error', () => {
    // The refused client may be gone already.
    socket.destroy();
  });
  // A refused client could otherwise hold its half of the connection open for ever.
  socket.once('finish', () => socket.destroy());
  socket.end(`${head}content-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Serves only the page's files and its downloads. */
export function createPageListener(
  files: Pick<PageFiles, 'read'>,
  refuse: (request: IncomingMessage) => HttpRefusal | undefined,
  downloads?: Pick<PageDownloads, 'answer'>,
): RequestListener {
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuse(request);
    if (refusal !== undefined) {
      endWith(response, refusal.status, refusal.reason);
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      endWith(response, 405, 'Parley only serves its page here.');
      return;
    }
    const pathname = requestedUrl(request)?.pathname ?? '';
    if (request.method === 'GET' && (await downloads?.answer(pathname, response)) === true) return;
    const file = await files.read(pathname);
    if (file === undefined) {
      endWith(response, 404, 'There is no such file in Parley.');
      return;
    }
    response.writeHead(200, {
      ...pageHeaders([`ws://${request.headers.host}`]),
      'content-type': file.type,
      'content-length': file.body.byteLength,
      'cache-control': 'no-cache',
    });
    response.end(request.method === 'HEAD' ? undefined : file.body);
  }

  return (request, response) => {
    respond(request, response).catch(() => {
      endWith(response, 500, 'Parley could not read its own page; build it again.');
    });
  };
}

function endWith(response: ServerResponse, status: number, text: string): void {
  if (!response.headersSent) {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  }
  response.end(text);
}

interface HttpRefusal {
  readonly status: 401 | 403 | 404;
  readonly reason: string;
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether an address is this machine's loopback, the only one on which the host listens. */
export function isLoopback(address: string): boolean {
  return ['127.0.0.1', 'localhost', '::1'].includes(address);
}

interface GuardOptions {
  readonly port: number;
  readonly token: string;
  /** Origins that may connect besides the host's own, such as the dev server's. */
  readonly extraOrigins: readonly string[];
}

/**
 * Checks requests. The Host check stops DNS rebinding. For connections, the Origin check stops other sites in the same
 * browser, and the token stops other users and programs of this machine.
 */
function createRequestGuard({ port, token, extraOrigins }: GuardOptions) {
  // Browsers omit port 80 from Host and Origin.
  const ports = port === 80 ? ['', ':80'] : [`:${port}`];
  const hosts = new Set(loopbackNames.flatMap((name) => ports.map((suffix) => name + suffix)));
  const origins = new Set([...[...hosts].map((host) => `http://${host}`), ...extraOrigins]);

  function refusePage(request: IncomingMessage): HttpRefusal | undefined {
    if (request.headers.host !== undefined && hosts.has(request.headers.host)) return undefined;
    return { status: 403, reason: 'Parley answers only under its own loopback address.' };
  }

  function refuseConnection(request: IncomingMessage): HttpRefusal | undefined {
    const refusal = refusePage(request);
    if (refusal !== undefined) return refusal;
    if (request.headers.origin === undefined || !origins.has(request.headers.origin)) {
      return { status: 403, reason: 'Parley answers only its own page.' };
    }
    if (requestedUrl(request)?.pathname !== connectionPath) {
      return { status: 404, reason: 'Parley takes connections at its own path only.' };
    }
    const protocols = request.headers['sec-websocket-protocol']?.split(/,\s*/) ?? [];
    if (protocols.some((protocol) => equalsToken(protocol, token))) return undefined;
    return { status: 401, reason: 'This address has expired; open the one Parley printed last.' };
  }

  return { refusePage, refuseConnection };
}

function requestedUrl(request: IncomingMessage): URL | undefined {
  const base = 'http://loopback';
  const path = request.url ?? '/';
  return URL.canParse(path, base) ? new URL(path, base) : undefined;
}

function equalsToken(text: string, token: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
