import { connect, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { WebSocket } from 'ws';
import {
  appError,
  type AppError,
  type CertificateFault,
  describeError,
  errorCode,
} from '../../../shared/errors/app-error.ts';
import {
  type UntrustedCertificate,
  oversizeReason,
  type Proxies,
  type SocketEnd,
} from '../../../shared/ports/sockets.ts';
import type { Endpoint } from '../../../shared/settings/endpoint.ts';
import { bypassesProxy, openTunnel, ProxyError, type ServerAddress } from './proxy-tunnel.ts';
import { connectSecurely } from './system-network.ts';

export interface PendingConnection {
  readonly destroy: () => void;
  /** The proxy whose answer the connection waits for, if there is one. */
  readonly pendingProxy: () => string | undefined;
}

type Done = (error: Error | null, socket?: Socket) => void;

/**
 * Opens the connection for the upgrade request, directly or through a proxy, with TLS if the URL begins with wss://. A proxy
 * then sees only the server's host and port.
 */
export function openServerConnection(
  server: ServerAddress,
  endpoint: Endpoint,
  proxies: Proxies | undefined,
  done: Done,
): PendingConnection {
  if (proxies === undefined || bypassesProxy(server))
    return openFinalConnection(server, endpoint, done);
  const control = new AbortController();
  let proxy: string | undefined;
  let connection: PendingConnection | undefined;
  const { url } = endpoint;
  const onAttempt = (name: string): void => {
    proxy = name;
  };
  const open = async (): Promise<void> => {
    try {
      const tunnel = await openTunnel({ url, server, proxies, signal: control.signal, onAttempt });
      if (control.signal.aborted) tunnel?.destroy();
      else connection = openFinalConnection(server, endpoint, done, tunnel);
    } catch (error) {
      if (!control.signal.aborted)
        done(error instanceof Error ? error : new Error('the proxy tunnel failed'));
    }
  };
  void open();
  return {
    destroy: () => {
      control.abort();
      connection?.destroy();
    },
    pendingProxy: () => (connection === undefined ? proxy : undefined),
  };
}

function openFinalConnection(
  server: ServerAddress,
  endpoint: Endpoint,
  done: Done,
  tunnel?: Socket,
): PendingConnection {
  if (endpoint.url.startsWith('wss:'))
    return toPendingConnection(connectTrusted(server, endpoint, done, tunnel));
  const socket = tunnel ?? connect(server);
  done(null, socket);
  return toPendingConnection(socket);
}

function toPendingConnection(socket: Socket): PendingConnection {
  return {
    destroy: () => socket.destroy(),
    pendingProxy: () => undefined,
  };
}

export class TrustError extends Error {
  override readonly name = 'TrustError';
  readonly certificate: UntrustedCertificate;

  constructor(certificate: UntrustedCertificate) {
    super(certificate.fault);
    this.certificate = certificate;
  }
}

/**
 * Opens a TLS connection and passes it on only if its certificate is trusted. The upgrade request with the token is written
 * after that, so that no other server gets it. Node's own check is disabled, because it allows no decision about an unknown
 * certificate and hides the fingerprint.
 */
function connectTrusted(
  server: { readonly host: string; readonly port: number },
  trust: Pick<Endpoint, 'insecure' | 'fingerprint'>,
  done: (error: Error | null, socket?: TLSSocket) => void,
  tunnel?: Socket,
): TLSSocket {
  const socket = connectSecurely(server, { socket: tunnel, rejectUnauthorized: false });
  const fail = (error: Error): void => done(error);
  socket.once('error', fail);
  socket.once('secureConnect', () => {
    socket.removeListener('error', fail);
    const untrusted = findDistrust(socket, trust);
    if (untrusted === undefined) {
      done(null, socket);
      return;
    }
    // Errors of a socket being destroyed do not matter.
    socket.on('error', () => undefined);
    socket.destroy();
    done(new TrustError(untrusted));
  });
  return socket;
}

function findDistrust(
  socket: TLSSocket,
  { insecure, fingerprint }: Pick<Endpoint, 'insecure' | 'fingerprint'>,
): UntrustedCertificate | undefined {
  const { fingerprint256: actualFingerprint } = socket.getPeerCertificate();
  if (fingerprint !== undefined) {
    if (actualFingerprint === fingerprint) return undefined;
    return { fingerprint: actualFingerprint, fault: 'certificateChanged' };
  }
  if (insecure || socket.authorized) return undefined;
  const fault = faults[String(socket.authorizationError)] ?? 'certificateUnverified';
  return { fingerprint: actualFingerprint, fault };
}

const faults: Readonly<Record<string, CertificateFault>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificateOwn',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificateUnknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificateUnknown',
  UNABLE_TO_GET_ISSUER_CERT: 'certificateUnknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificateUnknown',
  CERT_HAS_EXPIRED: 'certificateExpired',
  CERT_NOT_YET_VALID: 'certificateEarly',
  CERT_REVOKED: 'certificateRevoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificateName',
};

/** Whether every retry fails until the user corrects the address or the proxy, or trusts the certificate. */
export function isPermanentFailure(error: unknown): boolean {
  if (error instanceof ProxyError) return error.isPermanent;
  return error instanceof TrustError || errorCode(error) === 'ERR_INVALID_URL';
}

const connectErrorCodes = {
  ENOTFOUND: 'noSuchServer',
  EAI_AGAIN: 'noName',
  ECONNREFUSED: 'nothingListens',
  ECONNRESET: 'hungUp',
  EPIPE: 'hungUp',
  ETIMEDOUT: 'noAnswer',
  EHOSTUNREACH: 'noRoute',
  ENETUNREACH: 'noRoute',
} as const;

/** Explains a failed connection. `server` is a name that may be shown. */
export function connectError(error: unknown, server: string): AppError {
  if (error instanceof ProxyError) return error.error;
  if (error instanceof TrustError) {
    const { fault, fingerprint } = error.certificate;
    return appError(fault, { fingerprint });
  }
  const code = errorCode(error);
  if (code === 'ERR_INVALID_URL') return appError('badAddress');
  if (isKnown(code)) return appError(connectErrorCodes[code], { server });
  const text = describeError(error);
  if (code.startsWith('HPE_')) return appError('notHttp', { server });
  if (/wrong version number|packet length too long|http request/i.test(text)) {
    return appError('notTls', { server });
  }
  if (/Sec-WebSocket|Invalid Upgrade header|subprotocol/.test(text)) {
    return appError('notWebSocket', { server }, { detail: text });
  }
  // If there is a code, the text is left out, because it may quote a server that repeats Parley's secrets.
  return appError('noConnection', { server }, { detail: code === '' ? text : code });
}

/** The protocol error that ws reported. Undefined if the connection was only lost. */
function protocolBreach(error: unknown): SocketEnd | undefined {
  const reason = errorCode(error);
  if (!reason.startsWith('WS_ERR_')) return undefined;
  return { kind: 'closed', code: reason === oversizeReason ? 1009 : 1002, reason };
}

/** Passes on how a socket ends: before it opens, by a breach of the protocol, or by its close. */
export function watchEnd(
  webSocket: WebSocket,
  isOpen: () => boolean,
  unreachable: (error: unknown) => SocketEnd,
  end: (end: SocketEnd) => void,
): void {
  webSocket.on('error', (error) => {
    if (!isOpen()) {
      end(unreachable(error));
      return;
    }
    // A lost connection closes by itself. After a breach, the server may never complete a closing handshake.
    const breach = protocolBreach(error);
    if (breach === undefined) return;
    end(breach);
    webSocket.terminate();
  });
  webSocket.on('close', (code, reason) => {
    end({ kind: 'closed', code, reason: reason.toString() });
  });
}

function isKnown(code: string): code is keyof typeof connectErrorCodes {
  return Object.hasOwn(connectErrorCodes, code);
}
