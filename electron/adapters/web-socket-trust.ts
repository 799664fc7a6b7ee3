import { connect as connectTls } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import type { Endpoint } from '../../shared/endpoint.ts';
import type { CertificateFault } from '../../shared/errors/error-codes.ts';
import type { DistrustedCertificate } from '../ports/sockets.ts';
import { systemCertificates } from './system-certificates.ts';

/** A certificate that is not trusted. */
export class TrustError extends Error {
  override readonly name = 'TrustError';
  readonly certificate: DistrustedCertificate;

  constructor(certificate: DistrustedCertificate) {
    super(certificate.fault);
    this.certificate = certificate;
  }
}

/**
 * Opens a TLS connection and hands it over only when its certificate is trusted. The upgrade request with
 * the token is written by whoever gets the connection, so that nobody else ever sees it. Node's own check
 * is switched off for the same reason that ours is here: for a certificate it does not know it
 * never asks, and it keeps the fingerprint to itself. Over a tunnel the other end is the server all the same.
 */
export function connectTrusted(
  server: { readonly host: string; readonly port: number },
  trust: Pick<Endpoint, 'insecure' | 'fingerprint'>,
  done: (error: Error | null, socket?: TLSSocket) => void,
  tunnel?: Socket,
): TLSSocket {
  const socket = connectTls({
    // By the host the certificate's name is judged, also over a tunnel.
    host: server.host,
    port: server.port,
    ...(tunnel === undefined ? {} : { socket: tunnel }),
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
    // The connection may still break while it is being cut; that adds nothing to what is known.
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
    return { fingerprint: shown, fault: 'certificateChanged' };
  }
  if (insecure || socket.authorized) return undefined;
  const fault = faults[String(socket.authorizationError)] ?? 'certificateUnverified';
  return { fingerprint: shown, fault };
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
