import type { AppError, CertificateFault, Outcome } from '../errors/app-error.ts';
import type { ProxyRoute } from '../settings/proxy-address.ts';

/** Connections to a server. The listener gets `ended` exactly once, as its last call. */
export interface Sockets {
  /** The adapter knows the endpoint, its token and its trust settings. */
  readonly connect: (mode: string, listener: SocketListener) => Socket;
}

export interface Socket {
  readonly send: (text: string) => void;
  /** Starts the closing handshake. `ended` follows, at the latest when the adapter’s wait for the answer is over. */
  readonly close: (code: number, reason: string) => void;
  /** Closes the connection without a handshake. `ended` follows. */
  readonly terminate: () => void;
}

export interface SocketListener {
  readonly opened: () => void;
  /** Called right before a frame of Parley's is sent. */
  readonly sending?: ((text: string) => void) | undefined;
  /** A text frame, or `undefined` for a binary frame. */
  readonly received: (text: string | undefined) => void;
  readonly ended: (end: SocketEnd) => void;
}

export type SocketEnd =
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  /** No connection, for example to an unknown host. `permanent` if a retry fails until a setting changes. */
  | {
      readonly kind: 'unreachable';
      readonly error: AppError;
      readonly permanent?: true;
      readonly untrustedCertificate?: UntrustedCertificate | undefined;
    }
  /** The connection was closed after it was open. Code 1006 means without a closing handshake. */
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string };

/**
 * The reason with code 1009 if the server sent a message that is too large. With any other reason, Parley's message was
 * too large.
 */
export const oversizeReason = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';

export interface UntrustedCertificate {
  /** SHA-256, as `AA:BB:…`. The user compares it before trusting the certificate. */
  readonly fingerprint: string;
  readonly fault: CertificateFault;
}

/** Finds proxies for a server on another machine. Called for each connection. */
export interface Proxies {
  /** Routes in order of preference. Only scheme, host and port of `url` count. */
  readonly routesTo: (url: string) => Promise<Outcome<readonly ProxyRoute[]>>;
}

/** Returns the system's proxies, or those of the environment variables. */
export type ResolveSystemProxy = (url: string) => Promise<readonly ProxyRoute[]>;
