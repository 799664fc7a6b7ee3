import { appError } from '../../../../shared/errors/app-error.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import type { Files } from '../../../../shared/ports/files.ts';
import type { Sockets } from '../../../../shared/ports/sockets.ts';
import {
  type DialectName,
  inputRate,
  maxSlicesPerFrame,
  minAppendSamples,
} from '../../../../shared/protocol/realtime-api.ts';
import {
  computerId,
  computerProfile,
  type ServerTraits,
} from '../../../../shared/settings/connection-settings.ts';
import { type Endpoint, parseEndpoint } from '../../../../shared/settings/endpoint.ts';
import { parseProxySetting } from '../../../../shared/settings/proxy-address.ts';
import type { ModelUser } from '../../../../shared/model/local-model-state.ts';
import type { ModelComposition } from '../../../app/model-composition.ts';
import type { ServersComposition } from '../../../app/servers-composition.ts';
import type { EndpointStore } from '../../../settings/servers/endpoint-store.ts';
import type { ProxyChoice } from '../../../settings/servers/proxy-store.ts';
import type { SettingsStore } from '../../../settings/settings-store.ts';
import { UsageError, type Terminal } from '../terminal-command.ts';
import { loadModel } from '../load-model.ts';
import { unwrapOrExit, unwrapOrFail } from './command-files.ts';
import type { GivenOptions } from './command-spec.ts';

/** A token is one line, so a longer file has no token. */
const maxTokenFileBytes = 16 * 1024;

const tokenOptions = {
  token: {
    value: 'T|-',
    needs: 'url',
    about:
      'the access token, sent as Authorization: Bearer T; - reads it from stdin, hidden from other users',
  },
  'token-file': {
    value: 'F',
    needs: 'url',
    instead: 'token',
    file: true,
    about: 'a file that contains only the access token',
  },
} as const;

export const tokenNote =
  'Token: --token or --token-file, otherwise the environment variable PARLEY_TOKEN; only with --url';

export const jsonOption = {
  json: { about: 'prints one JSON object per line on stdout, and nothing else' },
} as const;

/** Options of every command that connects to a server. */
export const connectionOptions = {
  url: {
    value: 'U',
    about:
      'a server’s address: ws://, wss://, http:// or https:// (default: the model on this computer if the settings choose it, otherwise the demonstration)',
  },
  server: {
    value: 'NAME',
    instead: 'url',
    about:
      'the name of a server in the settings, with its token and options; computer: the model on this computer',
  },
  ...tokenOptions,
  header: {
    value: "'K: V'",
    many: true,
    needs: 'url',
    about: 'an additional HTTP header; repeatable',
  },
  query: {
    value: 'K=V',
    many: true,
    needs: 'url',
    about: 'an additional query field; repeatable',
  },
  insecure: { needs: 'url', about: 'accepts any certificate' },
  fingerprint: {
    value: 'SHA256',
    needs: 'url',
    instead: 'insecure',
    about: 'trusts only the certificate with this fingerprint',
  },
  proxy: {
    value: 'P',
    needs: 'url',
    read: readProxyChoice,
    about:
      'system (HTTPS_PROXY and similar variables), none, or an address with port: http://, https:// or socks5:// (default: as in the settings)',
  },
  dialect: {
    value: 'D',
    choices: ['auto', 'unified', 'legacy'],
    about: 'the version of the protocol: auto (detects it), unified or legacy',
  },
  ...jsonOption,
} as const;

const minChunkMs = (minAppendSamples * 1000) / inputRate;
const maxChunkMs = 5000;
export const chunkMsRange = { min: minChunkMs, max: maxChunkMs, integer: true } as const;

export const slicesOption = {
  value: 'N',
  range: { min: 1, max: maxSlicesPerFrame, integer: true },
  about: `how many parts the model sees a picture in (1 to ${maxSlicesPerFrame})`,
} as const;

export const lengthPenaltyOption = {
  value: 'X',
  range: { min: 0.1, max: 5 },
  about: 'higher for longer answers, lower for shorter (0.1 to 5; default: 1.1)',
} as const;

/** Reads a proxy address. It must not have credentials, because other users can see the command line; environment variables may. */
function readProxyChoice(text: string): ProxyChoice {
  if (text === 'system' || text === 'none') return text;
  const proxy = parseProxySetting(text);
  if (proxy !== undefined) return proxy;
  throw new UsageError(englishErrorMessage(appError('proxyAddressForm')));
}

/** The exit codes, for the end of a command's help. */
export const exitNote =
  'Exit: 0 done, 1 the session failed, 2 wrong usage, 3 no connection to the server';

/** The server of a command and its dialect. */
export interface Connection {
  /** Undefined for the model on this computer and for the embedded gateway. */
  readonly endpoint: Endpoint | undefined;
  readonly isOnComputer: boolean;
  /** The traits of the server's profile, if it has one. */
  readonly traits?: ServerTraits | undefined;
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
  readonly connectTo: ServersComposition['connectTo'];
  readonly embeddedGateway: ServersComposition['gateway']['open'];
  readonly computerModel: Pick<ModelComposition, 'load' | 'listen' | 'minPauseMs'>;
}

/** Finds the server by its address, or its name in the settings. Without either, the settings may choose the model on this computer. */
export async function readConnection(
  given: Given,
  terminal: Terminal,
  core: ServerCore,
): Promise<Connection> {
  const { url, server, header: headers, query, insecure, fingerprint } = given.options;
  const { dialect = 'auto', proxy } = given.options;
  if (server !== undefined) return { ...(await findServer(server, dialect, core)), proxy };
  if (url === undefined) {
    const isOnComputer = core.settings.get().endpoints.chosen === computerId;
    const traits = isOnComputer ? computerProfile.traits : undefined;
    return { endpoint: undefined, isOnComputer, traits, proxy, dialect };
  }
  const token = await readToken(given, terminal, core.files);
  const endpoint = parseEndpoint({ url, token, headers, query, insecure, fingerprint });
  if (!endpoint.ok) throw new UsageError(englishErrorMessage(endpoint.error));
  return { endpoint: endpoint.value, isOnComputer: false, proxy, dialect };
}

/** Finds a stored server by id or name, with its token and dialect. */
async function findServer(
  server: string,
  dialect: Connection['dialect'],
  { settings, endpoints }: ServerCore,
): Promise<Omit<Connection, 'proxy'>> {
  const { list } = settings.get().endpoints;
  const folded = server.trim().toLowerCase();
  const matches = list.filter(({ id, name }) => id === server || name.toLowerCase() === folded);
  const [profile] = matches;
  const names = list.map(({ name }) => `“${name}”`).join(', ');
  if (profile === undefined)
    throw new UsageError(`The settings have no server called “${server}”, only ${names}.`);
  if (matches.length > 1) {
    const ids = matches.map(({ id }) => id).join(', ');
    throw new UsageError(`Several servers are called “${server}”; name one by its id: ${ids}.`);
  }
  const { endpoint } = unwrapOrExit(await endpoints.open(profile.id));
  return {
    endpoint,
    isOnComputer: profile.kind === 'computer',
    traits: profile.traits,
    dialect: dialect === 'auto' ? profile.dialect : dialect,
  };
}

/**
 * Reads the token from the options, or else from the environment. Warns if both have one and they differ, and if the
 * token would be sent unencrypted.
 */
async function readToken(
  { word, options }: Given,
  terminal: Terminal,
  files: Pick<Files, 'readText'>,
): Promise<string | undefined> {
  const fromOptions = await readOptionToken(word, options, terminal, files);
  const fromEnvironment = trimToken(terminal.environmentToken?.());
  if (
    fromOptions !== undefined &&
    fromEnvironment !== undefined &&
    fromOptions !== fromEnvironment
  ) {
    terminal.err('PARLEY_TOKEN is ignored, because the command line gives another token.\n');
  }
  const token = fromOptions ?? fromEnvironment;
  const server = token === undefined ? undefined : unencryptedServer(options.url ?? '');
  if (server !== undefined) {
    terminal.err(
      `The token is sent to ${server} unencrypted, and anyone on the network path can read it. Use wss:// if the server supports it.\n`,
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
    return trimToken(text) ?? refuse(`${tokenFile} contains no token.`);
  }
  if (token !== '-') return token;
  if (word === '-') refuse('Only one can come from stdin: the text or the token.');
  if (readIn === undefined)
    return refuse('The token cannot be read from stdin, because stdin is not available.');
  return trimToken(unwrapOrExit(await readIn())) ?? refuse('Stdin contained no token.');
}

/** Removes the line end that editors and `echo` add. An empty value counts as no token. */
function trimToken(text: string | undefined): string | undefined {
  const token = text?.trim();
  return token === '' ? undefined : token;
}

function refuse(sentence: string): never {
  throw new UsageError(sentence);
}

/** Returns sockets to the server, to the model on this computer (which it loads first), or to the embedded gateway. */
export async function socketsFor(
  { connectTo, embeddedGateway, computerModel }: ServerCore,
  { endpoint, isOnComputer, proxy }: Connection,
  user: ModelUser,
  terminal: Terminal,
): Promise<Sockets> {
  if (endpoint !== undefined) return connectTo(endpoint, proxy);
  if (isOnComputer) return loadModel(computerModel, () => computerModel.load(user), terminal);
  return unwrapOrFail(await embeddedGateway());
}

const loopback = /^(?:127(?:\.\d{1,3}){3}|(?:.+\.)?localhost|\[::1\])$/;

/** The host of an address, if the connection is unencrypted and leaves this machine. */
export function unencryptedServer(url: string): string | undefined {
  if (!/^(?:ws|http):/i.test(url) || !URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  return loopback.test(hostname) ? undefined : hostname;
}
