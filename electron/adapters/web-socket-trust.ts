import { connect as connectTls } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { isIP } from 'node:net';
import type { Endpoint } from '../../shared/endpoint.ts';
import type { DistrustedCertificate } from '../ports/sockets.ts';
import { systemCertificates } from './system-certificates.ts';

/** A certificate that is not trusted, said to a person. */
export class TrustError extends Error {
  override readonly name = 'TrustError';
  readonly certificate: DistrustedCertificate;

  constructor(certificate: DistrustedCertificate) {
    super(sentenceFor(certificate));
    this.certificate = certificate;
  }
}

/**
 * Opens a TLS line and hands it over only when its certificate is trusted. The upgrade request with
 * the token is written by whoever gets the line, so that nobody else ever sees it. Node's own check
 * is switched off for the same reason that ours is here: for a certificate it does not know it
 * never asks, and it keeps the fingerprint to itself.
 */
export function connectTrusted(
  server: { readonly host: string; readonly port: number },
  trust: Pick<Endpoint, 'insecure' | 'fingerprint'>,
  done: (error: Error | null, socket?: TLSSocket) => void,
): TLSSocket {
  const socket = connectTls({
    host: server.host,
    port: server.port,
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(server.host) === 0 ? { servername: server.host } : {}),
    ca: systemCertificates(),
  });
  const fail = (error: Error): void => {
    done(error);
  };
  socket.once('error', fail);
  socket.once('secureConnect', () => {
    socket.removeListener('error', fail);
    const distrusted = distrust(socket, trust);
    if (distrusted === undefined) {
      done(null, socket);
      return;
    }
    // The line may still break while it is being cut; that adds nothing to what is known.
    socket.on('error', () => undefined);
    socket.destroy();
    done(new TrustError(distrusted));
  });
  return socket;
}

function distrust(
  socket: TLSSocket,
  { insecure, fingerprint }: Pick<Endpoint, 'insecure' | 'fingerprint'>,
): DistrustedCertificate | undefined {
  const { fingerprint256: shown } = socket.getPeerCertificate();
  if (fingerprint !== undefined) {
    if (shown === fingerprint) return undefined;
    const why = 'is another one than the trusted one';
    return { fingerprint: shown, why, fault: 'certificateChanged', changed: true };
  }
  if (insecure || socket.authorized) return undefined;
  const reason = reasons[String(socket.authorizationError)] ?? unverified;
  return { fingerprint: shown, ...reason, changed: false };
}

function sentenceFor({ fingerprint, why, changed }: DistrustedCertificate): string {
  return changed
    ? `The server shows another certificate than the trusted one: its SHA-256 fingerprint is ${fingerprint}. If the server has a new certificate, trust that; if not, someone stands between.`
    : `The server's certificate ${why}. If it is the right server, trust it by its SHA-256 fingerprint ${fingerprint} (--fingerprint), or take any certificate (--insecure).`;
}

type Reason = Pick<DistrustedCertificate, 'why' | 'fault'>;

const unverified: Reason = { why: 'cannot be verified', fault: 'certificateUnverified' };
const unknown: Reason = {
  why: 'comes from an authority that this machine does not know',
  fault: 'certificateUnknown',
};

const reasons: Readonly<Record<string, Reason>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: { why: 'is self-signed', fault: 'certificateOwn' },
  SELF_SIGNED_CERT_IN_CHAIN: unknown,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknown,
  UNABLE_TO_GET_ISSUER_CERT: unknown,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknown,
  CERT_HAS_EXPIRED: { why: 'has expired', fault: 'certificateExpired' },
  CERT_NOT_YET_VALID: {
    why: 'is not valid yet (is the clock of this machine right?)',
    fault: 'certificateEarly',
  },
  CERT_REVOKED: { why: 'has been revoked', fault: 'certificateRevoked' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    why: 'belongs to another name than the one in the address',
    fault: 'certificateName',
  },
};
