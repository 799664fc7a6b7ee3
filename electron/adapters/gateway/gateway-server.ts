import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { maxEarlyMessageBytes } from '../../../shared/protocol/protocol-limits.ts';
import type { Log } from '../../ports/log.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { olderChatPath } from '../../../shared/protocol/dialect-and-mode.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { serveClient } from './gateway-client.ts';
import { refuseStranger } from './gateway-guard.ts';
import type { GatewayRefusal } from './gateway-guard.ts';
import { answerRequest, endpointPath, modeIn, pathOf, refuseUpgrade } from './gateway-http.ts';
import { keepPinging } from './gateway-pings.ts';
import { listenFailure } from './listen-error.ts';
import type { OwnCertificate } from './own-certificate.ts';

/** Address, port and log of the embedded gateway. */
export interface GatewayServerOptions {
  readonly host?: string | undefined;
  /** 0 takes any free port. */
  readonly port: number;
  /** Pages that may connect, as `https://name:port`; otherwise none may. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Serves `wss` with this key and certificate; otherwise what is said can be read on the way. */
  readonly tls?: Pick<OwnCertificate, 'key' | 'cert'> | undefined;
  readonly log: Log;
}

export interface GatewayServer {
  /** Up to and without the mode: `ws://127.0.0.1:8006/v1/realtime`. */
  readonly url: string;
  readonly end: () => Promise<void>;
}

/** Below this, compressing costs more than it saves. */
const compressedFrom = 4096;
/** How long clients may take for their half of the goodbye. */
const goodbyeMs = 500;

/** Serves a gateway as a real WebSocket server, on loopback unless the options say otherwise. */
export async function serveGateway(
  gateway: Gateway,
  { host = '127.0.0.1', port, allowedOrigins = [], tls, log }: GatewayServerOptions,
): Promise<Outcome<GatewayServer>> {
  const stranger = (request: IncomingMessage): GatewayRefusal | undefined =>
    refuseStranger(request, host, allowedOrigins);
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    answerRequest(request, response, gateway.status, stranger(request));
  };
  const server =
    tls === undefined
      ? createServer(answer)
      : createSecureServer({ key: tls.key, cert: tls.cert }, answer);
  try {
    const listening = once(server, 'listening');
    server.listen({ host, port });
    await listening;
  } catch (error) {
    return listenFailure(error, host, port);
  }
  const sockets = new WebSocketServer({
    noServer: true,
    // Until a session is made, which then asks for more.
    maxPayload: maxEarlyMessageBytes,
    // Sound hardly shrinks, so the fastest level; a client that wants none is given none.
    perMessageDeflate: { threshold: compressedFrom, zlibDeflateOptions: { level: 1 } },
  });
  server.on('upgrade', (request, socket, head) => {
    const refused = stranger(request);
    if (refused === undefined) upgrade(gateway, sockets, log, request, socket, head);
    else refuseUpgrade(socket, refused.status, refused.body);
  });
  const stopPings = keepPinging(sockets.clients);
  const { address, port: actual, family } = server.address() as AddressInfo;
  return {
    ok: true,
    value: {
      url: `${tls === undefined ? 'ws' : 'wss'}://${family === 'IPv6' ? `[${address}]` : address}:${actual}${endpointPath}`,
      end: async () => {
        stopPings();
        gateway.end();
        await close(server, sockets);
      },
    },
  };
}

function upgrade(
  gateway: Gateway,
  sockets: WebSocketServer,
  log: Log,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const path = pathOf(request);
  const olderChat = path === olderChatPath ? gateway.connectOlderChat : undefined;
  if (path !== endpointPath && olderChat === undefined) {
    // As gateways in use answer; a client that knows only the code takes it for a question of rights.
    refuseUpgrade(socket, 403, `There is nothing here; the gateway is at ${endpointPath}.`);
    return;
  }
  const mode = olderChat === undefined ? modeIn(request) : 'chat';
  const admission = gateway.admit(mode);
  if (!admission.accepted) {
    refuseUpgrade(socket, admission.status, admission.body);
    return;
  }
  sockets.handleUpgrade(request, socket, head, (connection) => {
    const { session } = admission;
    serveClient(
      connection,
      (client) => olderChat?.(client, session) ?? gateway.connect(mode, client, session),
      log,
    );
  });
}

/** Whoever has not answered the goodbye by then is cut off. */
async function close(server: Server, sockets: WebSocketServer): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  const giveUp = setTimeout(() => {
    for (const connection of sockets.clients) connection.terminate();
    server.closeAllConnections();
  }, goodbyeMs);
  server.closeIdleConnections();
  await closed;
  clearTimeout(giveUp);
}
