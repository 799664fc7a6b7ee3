import { randomBytes } from 'node:crypto';
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
import { connectionProtocol, maxBinaryMessageBytes } from '../../../shared/ipc/bridge.ts';
import { serveConnection } from '../../app/ipc/socket-ipc.ts';
import type { Parley } from '../../app/parley.ts';
import { PageFiles, pageHeaders } from '../page-files.ts';
import type { PageDownloads } from './page-downloads.ts';
import { createRequestGuard, type HttpRefusal, isLoopback, requestedUrl } from './request-guard.ts';

export interface BrowserHostOptions {
  readonly address: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly pagesFolder: string;
  readonly downloads?: PageDownloads | undefined;
  /** Address of the dev server, if it serves the page. */
  readonly devPage?: string | undefined;
  /** A fixed token, so that an open page survives a restart during development. */
  readonly devToken?: string | undefined;
}

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
  acceptConnections(server, parley, guard.refuseConnection);

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

function acceptConnections(
  server: Server,
  parley: Parley,
  refuse: (
    request: Parameters<typeof WebSocketServer.prototype.handleUpgrade>[0],
  ) => HttpRefusal | undefined,
): void {
  const { answer, machine } = parley;
  const { notices, log } = machine;
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
    sockets.handleUpgrade(request, socket, head, (connection) =>
      serveConnection(connection, { answer, notices, log }),
    );
  });
  parley.lifetime.add(() => {
    for (const connection of sockets.clients) connection.terminate();
    sockets.close();
  });
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
