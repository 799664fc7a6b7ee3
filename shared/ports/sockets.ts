import type { AppError, CertificateFault, Outcome } from '../errors/app-error.ts';
import type { ProxyRoute } from '../settings/proxy-address.ts';

/** Connections to a gateway. A connection reports to its listener until `ended`, which comes once. */
export interface Sockets {
  /** Opens a connection for the mode; the endpoint, its token and its trust are left to the adapter. */
  readonly connect: (mode: string, listener: SocketListener) => Socket;
}

export interface Socket {
  readonly send: (text: string) => void;
  /** Says goodbye as the protocol has it; `ended` follows, but only when the other side agrees. */
  readonly close: (code: number, reason: string) => void;
  /** Cuts the connection at once; `ended` follows. */
  readonly terminate: () => void;
}

export interface SocketListener {
  readonly opened: () => void;
  /** For those who watch a connection: a frame of ours, right before it goes out. */
  readonly sending?: ((text: string) => void) | undefined;
  /** A text frame; a binary one arrives as `undefined`. */
  readonly received: (text: string | undefined) => void;
  readonly ended: (end: SocketEnd) => void;
}

export type SocketEnd =
  /** The server refused the upgrade with an HTTP answer. */
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  /**
   * No connection came about: no such host, certificate not trusted… `lasting` where trying again changes nothing until the person changes something.
   */
  | {
      readonly kind: 'unreachable';
      readonly error: AppError;
      readonly lasting?: true;
      /** The certificate that was not trusted, where that was the reason. */
      readonly distrusted?: DistrustedCertificate | undefined;
    }
  /** It was open and has been closed; 1006 is a connection that was cut. */
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string };

/** With 1009, it is the server's message that was too large for us; ours was for it under any other reason. */
export const oversizeReason = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';

export interface DistrustedCertificate {
  /** SHA-256, as `AA:BB:…`: by it the certificate can be trusted. */
  readonly fingerprint: string;
  readonly fault: CertificateFault;
}

/** Which ways lead to a server on another machine; asked anew for each connection. */
export interface Proxies {
  /** The best first; `url` is the server's, of which scheme, name and port count. */
  readonly routesTo: (url: string) => Promise<Outcome<readonly ProxyRoute[]>>;
}

/** What the system says of it, or the environment where there is no other system to ask. */
export type AskSystemProxy = (url: string) => Promise<readonly ProxyRoute[]>;
