import { englishErrorMessage } from '../../../../shared/i18n/en/describe-app-error.ts';
import { parseEndpoint } from '../../../../shared/endpoint.ts';
import type { Endpoint } from '../../../../shared/endpoint.ts';
import type { DialectName } from '../../../../shared/protocol/dialect-and-mode.ts';
import { readSetProxy } from '../../../../shared/proxy/proxy-address.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { ProxyChoice } from '../../../settings/proxy-store.ts';
import { UsageError } from '../exit-code.ts';
import type { GivenOptions } from './command-spec.ts';
import { tokenOptions } from './resolve-token.ts';

export const jsonOption = {
  json: { about: 'one JSON object a line on stdout, and nothing else there' },
} as const;

/** What every command that talks to a server takes. */
export const connectionOptions = {
  url: {
    value: 'U',
    about: 'a server, as ws://, wss://, http:// or https://; left out, the one built in',
  },
  server: {
    value: 'NAME',
    instead: 'url',
    about: 'a server of the settings, by its name, with all that is kept for it',
  },
  ...tokenOptions,
  header: {
    value: "'K: V'",
    many: true,
    needs: 'url',
    about: 'a further header of the connection; may be given again',
  },
  query: {
    value: 'K=V',
    many: true,
    needs: 'url',
    about: 'a further field of the address; may be given again',
  },
  insecure: { needs: 'url', about: 'takes any certificate' },
  fingerprint: {
    value: 'SHA256',
    needs: 'url',
    instead: 'insecure',
    about: 'trusts the certificate with this fingerprint, and only that',
  },
  proxy: {
    value: 'P',
    needs: 'url',
    read: readProxyChoice,
    about:
      'system (HTTPS_PROXY and its like), none, or one as http://, https:// or socks5:// with its port; left out, as the settings say',
  },
  dialect: {
    value: 'D',
    choices: ['auto', 'unified', 'legacy'],
    about: 'auto, unified or legacy; auto finds out',
  },
  ...jsonOption,
} as const;

/** The environment's variables may have a name and a password in them, which others on this machine do not see. */
function readProxyChoice(text: string): ProxyChoice {
  if (text === 'system' || text === 'none') return text;
  const proxy = readSetProxy(text);
  if (proxy !== undefined) return proxy;
  throw new UsageError(englishErrorMessage(appError('proxyAddressForm')));
}

/** Exit codes, for the end of a command's help. */
export const exitNote =
  'Exit: 0 done, 1 the session failed, 2 wrong usage, 3 no connection to the server';

export interface ConnectionOptions {
  /** A server of the settings, which is looked up before anything is connected to. */
  readonly server: string | undefined;
  /** Nothing means the embedded gateway. */
  readonly endpoint: Endpoint | undefined;
  readonly proxy: ProxyChoice | undefined;
  readonly dialect: 'auto' | DialectName;
  readonly json: boolean;
}

export function readConnection(given: GivenOptions<typeof connectionOptions>): ConnectionOptions {
  const { dialect = 'auto', json, proxy, server } = given;
  return { server, endpoint: readEndpoint(given), proxy, dialect, json };
}

function readEndpoint({
  url,
  token,
  header,
  query,
  insecure,
  fingerprint,
}: GivenOptions<typeof connectionOptions>): Endpoint | undefined {
  if (url === undefined) return undefined;
  const endpoint = parseEndpoint({ url, token, headers: header, query, insecure, fingerprint });
  if (!endpoint.ok) throw new UsageError(englishErrorMessage(endpoint.error));
  return endpoint.value;
}
