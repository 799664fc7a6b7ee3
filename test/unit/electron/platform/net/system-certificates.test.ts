import { truncateSync, writeFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { bundledCertificates } from '../../../../../electron/platform/net/system-network.ts';
import { selfSigned } from '../../../../fakes/self-signed.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';

const [one, two, three] = [selfSigned().cert, selfSigned().cert, selfSigned().cert];

function addedCertificates(
  env: Record<string, string>,
  bundles: readonly string[],
): readonly string[] {
  const all = bundledCertificates(env, bundles);
  expect(all.slice(0, rootCertificates.length)).toEqual(rootCertificates);
  return all.slice(rootCertificates.length);
}

describe('the certificates that an older Node reads from files', () => {
  it('come from the environment and the system’s bundle, without duplicates', () => {
    const at = workFolder();
    writeFileSync(at('bundle'), `# one\n${one}\n# two\n${two.replaceAll('\n', '\r\n')}`);
    writeFileSync(at('extra'), three + one);
    const env = { NODE_EXTRA_CA_CERTS: at('extra'), SSL_CERT_FILE: at('bundle') };
    const expected = [three, one, two].map((text) => text.trim());
    expect(addedCertificates(env, [at('bundle')])).toEqual(expected);
    expect(addedCertificates({}, [at('bundle')])).toEqual([one.trim(), two.trim()]);
  });

  it('do not include those of invalid or very large files', () => {
    const at = workFolder();
    writeFileSync(at('text'), 'not a certificate');
    writeFileSync(at('vast'), one);
    truncateSync(at('vast'), 5_000_000);
    writeFileSync(
      at('broken'),
      `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${two}`,
    );
    expect(
      addedCertificates({ SSL_CERT_FILE: '' }, [at('none'), at('text'), at(''), at('vast')]),
    ).toEqual([]);
    expect(addedCertificates({}, [at('broken')])).toEqual([two.trim()]);
  });
});
