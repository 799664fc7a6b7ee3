import { appError } from '../../../../shared/errors/app-error.ts';
import { describeAppError, englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import type { Files } from '../../../../shared/ports/files.ts';
import type { Sockets } from '../../../../shared/ports/sockets.ts';
import {
  type DialectName,
  inputRate,
  maxSlicesPerFrame,
  minAppendSamples,
} from '../../../../shared/protocol/realtime-api.ts';
import { type Endpoint, parseEndpoint } from '../../../../shared/settings/endpoint.ts';
import { parseProxySetting } from '../../../../shared/settings/proxy-address.ts';
import type { Servers } from '../../../app/servers.ts';
import type { EndpointStore } from '../../../settings/servers/endpoint-store.ts';
import type { ProxyChoice } from '../../../settings/servers/proxy-store.ts';
import type { SettingsStore } from '../../../settings/settings-store.ts';
import { CommandError, exitCode, UsageError } from '../exit-code.ts';
import type { Terminal } from '../terminal-command.ts';
import { unwrapOrExit } from './command-files.ts';
import type { GivenOptions } from './command-spec.ts';

/** A token is one line; a longer file is not a token file. */
const maxTokenFileBytes = 16 * 1024;

const tokenOptions = {
  token: {
    value: 'T|-',
    needs: 'url',
    about:
      'sent as Authorization: Bearer T; - reads it from stdin, which others on this machine cannot see',
  },
  'token-file': {
    value: 'F',
    needs: 'url',
    instead: 'token',
    file: true,
    about: 'a file with nothing but the token in it',
  },
} as const;

export const tokenNote =
  'Token: --token or --token-file, otherwise PARLEY_TOKEN from the environment, where --url is given';

export const jsonOption = {
  json: { about: 'one JSON object a line on stdout, and nothing else there' },
} as const;

/** Options of every command that connects to a server. */
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

const minChunkMs = (minAppendSamples * 1000) / inputRate;
const maxChunkMs = 5000;
export const chunkMsRange = { min: minChunkMs, max: maxChunkMs, whole: true } as const;

export const slicesOption = {
  value: 'N',
  range: { min: 1, max: maxSlicesPerFrame, whole: true },
  about: `in how many parts a picture is looked at (1 to ${maxSlicesPerFrame})`,
} as const;

export const lengthPenaltyOption = {
  value: 'X',
  range: { min: 0.1, max: 5 },
  about: 'higher for longer answers, lower for shorter (0.1 to 5; else 1.1)',
} as const;

/** Does not accept credentials here; environment variables may hold them, hidden from other users. */
function readProxyChoice(text: string): ProxyChoice {
  if (text === 'system' || text === 'none') return text;
  const proxy = parseProxySetting(text);
  if (proxy !== undefined) return proxy;
  throw new UsageError(englishErrorMessage(appError('proxyAddressForm')));
}

/** Exit codes, for the end of a command's help. */
export const exitNote =
  'Exit: 0 done, 1 the session failed, 2 wrong usage, 3 no connection to the server';

/** The server of a command and its dialect. */
export interface Connection {
  /** Undefined for the embedded gateway. */
  readonly endpoint: Endpoint | undefined;
  readonly proxy: ProxyChoice | undefined;
  readonly dialect: 'auto' | DialectName;
}

interface Given {
  /** The positional argument, which is the text of a chat. */
  readonly word?: string | undefined;
  readonly options: GivenOptions<typeof connectionOptions>;
}

/** Parts of the core that a connection needs. */
export interface ServerCore {
  readonly files: Pick<Files, 'readText'>;
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly endpoints: Pick<EndpointStore, 'open'>;
  readonly connectTo: Servers['connectTo'];
  readonly embeddedGateway: Servers['gateway']['open'];
}

/** Reads the server from its address or its name in the settings. */
export async function readConnection(
  given: Given,
  terminal: Terminal,
  core: ServerCore,
): Promise<Connection> {
  const { url, server, header: headers, query, insecure, fingerprint } = given.options;
  const { dialect = 'auto', proxy } = given.options;
  if (server !== undefined) return { ...(await findServer(server, dialect, core)), proxy };
  if (url === undefined) return { endpoint: undefined, proxy, dialect };
  const token = await readToken(given, terminal, core.files);
  const endpoint = parseEndpoint({ url, token, headers, query, insecure, fingerprint });
  if (!endpoint.ok) throw new UsageError(englishErrorMessage(endpoint.error));
  return { endpoint: endpoint.value, proxy, dialect };
}

/** Finds a stored server by id or name, with its token and dialect. */
async function findServer(
  server: string,
  dialect: Connection['dialect'],
  { settings, endpoints }: ServerCore,
): Promise<Pick<Connection, 'endpoint' | 'dialect'>> {
  const { list } = settings.get().endpoints;
  const folded = server.trim().toLowerCase();
  const found = list.filter(({ id, name }) => id === server || name.toLowerCase() === folded);
  const [profile] = found;
  const names = list.map(({ name }) => `“${name}”`).join(', ');
  if (profile === undefined)
    throw new UsageError(`No server is called “${server}”; the settings have ${names}.`);
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new UsageError(`Several servers are called “${server}”; name one by its id: ${ids}.`);
  }
  const { endpoint } = unwrapOrExit(await endpoints.open(profile.id));
  return { endpoint, dialect: dialect === 'auto' ? profile.dialect : dialect };
}

/**
 * Reads the token. Options go before the environment. Warns if both are set, and if the token would be sent
 * unencrypted.
 */
async function readToken(
  { word, options }: Given,
  terminal: Terminal,
  files: Pick<Files, 'readText'>,
): Promise<string | undefined> {
  const named = await readOptionToken(word, options, terminal, files);
  const fromEnvironment = trimToken(terminal.environmentToken?.());
  if (named !== undefined && fromEnvironment !== undefined && named !== fromEnvironment) {
    terminal.err('PARLEY_TOKEN is not used: another token was given with the command.\n');
  }
  const token = named ?? fromEnvironment;
  const server = token === undefined ? undefined : unencryptedServer(options.url ?? '');
  if (server !== undefined) {
    terminal.err(
      `The token goes to ${server} unencrypted, and whoever is on the way can read it: use wss:// where the server has it.\n`,
    );
  }
  return token;
}

async function readOptionToken(
  word: string | undefined,
  { token, tokenFile }: Given['options'],
  { readIn }: Terminal,
  files: Pick<Files, 'readText'>,
): Promise<string | undefined> {
  if (tokenFile !== undefined) {
    const text = unwrapOrExit(await files.readText(tokenFile, maxTokenFileBytes));
    return trimToken(text) ?? refuse(`${tokenFile} has no token in it.`);
  }
  if (token !== '-') return token;
  if (word === '-') refuse('Only one of the two can come from stdin: the text or the token.');
  if (readIn === undefined) return refuse('There is no stdin to read the token from.');
  return trimToken(unwrapOrExit(await readIn())) ?? refuse('There is no token on stdin.');
}

/** Editors and `echo` add a line end. An empty value counts as no token. */
function trimToken(text: string | undefined): string | undefined {
  const token = text?.trim();
  return token === '' ? undefined : token;
}

function refuse(sentence: string): never {
  throw new UsageError(sentence);
}

/** Sockets to the given server or to the embedded gateway. */
export async function socketsFor(
  { connectTo, embeddedGateway }: ServerCore,
  { endpoint, proxy }: Connection,
): Promise<Sockets> {
  if (endpoint !== undefined) return connectTo(endpoint, proxy);
  const gateway = await embeddedGateway();
  if (!gateway.ok) throw new CommandError(describeAppError(gateway.error), exitCode.failed);
  return gateway.value;
}

const loopback = /^(?:127(?:\.\d{1,3}){3}|(?:.+\.)?localhost|\[::1\])$/;

/** The host if the connection is unencrypted and leaves this machine. */
export function unencryptedServer(url: string): string | undefined {
  if (!/^(?:ws|http):/i.test(url) || !URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  return loopback.test(hostname) ? undefined : hostname;
}
