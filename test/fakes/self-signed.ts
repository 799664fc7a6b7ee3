import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key and a self-signed certificate, created for each test so that none is committed. */
export function selfSigned(name = 'localhost'): { key: string; cert: string; fingerprint: string } {
  const folder = mkdtempSync(join(tmpdir(), 'parley-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    const files = ['-keyout', key, '-out', cert];
    execFileSync('openssl', ['req', '-x509', '-nodes', '-days', '1', ...kind, ...names, ...files], {
      stdio: 'pipe',
    });
    const pem = readFileSync(cert, 'utf8');
    const { fingerprint256: fingerprint } = new X509Certificate(pem);
    return { key: readFileSync(key, 'utf8'), cert: pem, fingerprint };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
