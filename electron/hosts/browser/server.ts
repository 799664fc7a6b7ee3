import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, STATUS_CODES } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { firstStepsOf } from '../../../shared/first-steps.ts';
import { connectionProtocol, maxBinaryMessageBytes } from '../../../shared/ipc/connection.ts';
import type { Parley } from '../../core/compose-parley.ts';
import { PageFiles } from '../page-files.ts';
import { serveConnection } from '../../ipc/socket-ipc.ts';
import { createRequestGuard, isLoopback } from './request-guard.ts';
import type { PageDownloads } from './page-downloads.ts';
import type { HttpRefusal } from './request-guard.ts';
import { createPageListener } from './page-listener.ts';

/** Where the browser host listens, and what it serves. */
export interface BrowserHostOptions {
  readonly address: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly pagesFolder: string;
  /** What was made for the person, and waits for their browser. */
  readonly downloads?: PageDownloads | undefined;
  /** Where the dev server serves the page instead, when it does. */
  readonly devPage?: string | undefined;
  /** A token to keep, so that an open page survives a restart while Parley is being worked on. */
  readonly devToken?: string | undefined;
}

/** Opens the page and its connection on loopback and returns the address for the browser. */
export async function openBrowserHost(
  parley: Parley,
  options: BrowserHostOptions,
): Promise<string> {
  if (!isLoopback(options.address)) {
    throw new Error(
      `The browser host listens on this machine only, so "${options.address}" is refused; ` +
        'leave --address out, or use an ssh tunnel to reach it from elsewhere.',
    );
  }
  const files = await PageFiles.in(options.pagesFolder, () => ({
    firstSteps: firstStepsOf(parley.settings.get()),
  }));
  const server = createServer();
  await listen(server, options.address, options.port);
  parley.lifetime.add(() => closeServer(server), 'the server of the page');

  const { port } = server.address() as AddressInfo;
  const token = options.devToken ?? randomBytes(32).toString('base64url');
  const extraOrigins = options.devPage === undefined ? [] : [new URL(options.devPage).origin];
  const guard = createRequestGuard({ port, token, extraOrigins });
  server.on('request', createPageListener(files, guard.refusePage, options.downloads));
  parley.lifetime.add(() => options.downloads?.end(), 'what waits to be downloaded');
  acceptConnections(server, parley, guard.refuseConnection);

  const own = `http://${options.address === '::1' ? '[::1]' : options.address}:${port}`;
  const query = options.devPage === undefined ? '' : `?host=${encodeURIComponent(own)}`;
  // The token stands behind the #, so that it is sent to no server and lands in no log.
  return `${options.devPage ?? own}/${query}#token=${token}`;
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
      serveConnection(connection, parley);
    });
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
    // Whoever was refused may be gone before reading why; there is nobody left to answer.
    socket.destroy();
  });
  // Not left to the other side: a refused one could hold its half of the connection open for ever.
  socket.once('finish', () => {
    socket.destroy();
  });
  socket.end(`${head}content-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
