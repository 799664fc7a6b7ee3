import { englishErrorMessage } from '../../../../shared/i18n/en/describe-app-error.ts';
import { parseEndpoint } from '../../../../shared/endpoint.ts';
import type { Endpoint } from '../../../../shared/endpoint.ts';
import type { DialectName } from '../../../../shared/protocol/dialect-and-mode.ts';
import { UsageError } from '../terminal-command.ts';
import { readChoice } from './option-values.ts';

/** What every command that talks to a server takes. */
export const connectionOptions = {
  url: { type: 'string' },
  token: { type: 'string' },
  header: { type: 'string', multiple: true },
  query: { type: 'string', multiple: true },
  insecure: { type: 'boolean' },
  fingerprint: { type: 'string' },
  dialect: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const connectionUsage =
  "[--url U] [--token T] [--header 'K: V']… [--query K=V]… [--insecure | --fingerprint SHA256]" +
  ' [--dialect auto|unified|legacy] [--json]';

export const connectionDetails: readonly string[] = [
  '--url U              a server, as ws://, wss://, http:// or https://; left out, the one built in',
  '--token T            sent as Authorization: Bearer T',
  "--header 'K: V'      a further header of the connection; may be given again",
  '--query K=V          a further field of the address; may be given again',
  '--insecure           takes any certificate',
  '--fingerprint SHA256 trusts the certificate with this fingerprint, and only that',
  '--dialect D          auto, unified or legacy; auto finds out',
  '--json               one JSON object a line on stdout, and nothing else there',
];

/** Exit codes, for the end of a command's help. */
export const exitDetails: readonly string[] = [
  '',
  'Exit: 0 done, 1 the session failed, 2 wrong usage, 3 no connection to the server',
];

interface ConnectionValues {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly header?: readonly string[] | undefined;
  readonly query?: readonly string[] | undefined;
  readonly insecure?: boolean | undefined;
  readonly fingerprint?: string | undefined;
  readonly dialect?: string | undefined;
  readonly json?: boolean | undefined;
}

export interface ConnectionOptions {
  /** Nothing means the embedded gateway. */
  readonly endpoint: Endpoint | undefined;
  readonly dialect: 'auto' | DialectName;
  readonly json: boolean;
}

export function readConnection(values: ConnectionValues): ConnectionOptions {
  const dialect = readChoice('--dialect', values.dialect ?? 'auto', ['auto', 'unified', 'legacy']);
  return { endpoint: readEndpoint(values), dialect, json: values.json === true };
}

function readEndpoint(values: ConnectionValues): Endpoint | undefined {
  if (values.url === undefined) {
    const useless = (['token', 'header', 'query', 'insecure', 'fingerprint'] as const).find(
      (name) => values[name] !== undefined,
    );
    if (useless !== undefined) throw new UsageError(`--${useless} is of no use without --url.`);
    return undefined;
  }
  if (values.insecure === true && values.fingerprint !== undefined) {
    throw new UsageError('Give either --insecure or --fingerprint, not both.');
  }
  const endpoint = parseEndpoint({
    url: values.url,
    token: values.token,
    headers: values.header,
    query: values.query,
    insecure: values.insecure,
    fingerprint: values.fingerprint,
  });
  if (!endpoint.ok) throw new UsageError(englishErrorMessage(endpoint.error));
  return endpoint.value;
}
