import { failure, type Outcome, type AppError } from '../errors/app-error.ts';
import { englishErrorMessage } from '../i18n/en/errors.ts';
import {
  type VoiceForm,
  backendContextTokens,
  type DialectName,
} from '../protocol/realtime-api.ts';
import { isJsonObject, type JsonObject } from '../protocol/json.ts';
import { isConfig } from './assistant-settings.ts';
import { type Endpoint, parseEndpoint } from './endpoint.ts';
import {
  booleanRule,
  choiceRule,
  idPattern,
  patternRule,
  type ReportProblem,
  setting,
  type SettingRule,
  settingsGroup,
  textRule,
  valueRule,
  type ValueOf,
} from './setting-rule.ts';
import { proxyAddress, parseProxySetting } from './proxy-address.ts';

/** Server limits and fields that the user entered. Missing values are detected or default to the documented values. */
export interface ServerTraits {
  /** Maximum session length in seconds. */
  readonly timeLimit?: number | undefined;
  /** Context size in tokens. */
  readonly contextLimit?: number | undefined;
  readonly voiceForm?: VoiceForm | undefined;
  /** Extra `config` fields. They override the same fields of settings and preset; null removes a field. */
  readonly config?: JsonObject | undefined;
}

export const timeLimitRange = { min: 20, max: 86_400 } as const;
export const contextLimitRange = { min: 256, max: 10_000_000 } as const;

const serverTraitsRule: SettingRule<ServerTraits> = valueRule(
  'must be an object with only timeLimit, contextLimit, voiceForm and config',
  readServerTraits,
);

/** The traits, or undefined if any is invalid. */
export function readServerTraits(value: unknown): ServerTraits | undefined {
  if (!isJsonObject(value)) return undefined;
  const { timeLimit, contextLimit, voiceForm, config, ...others } = value;
  if (Object.keys(others).length > 0) return undefined;
  if (!isWithin(timeLimit, timeLimitRange)) return undefined;
  if (!isWithin(contextLimit, contextLimitRange)) return undefined;
  if (voiceForm !== undefined && voiceForm !== 'float32' && voiceForm !== 'wav') return undefined;
  if (config !== undefined && !isConfig(config)) return undefined;
  return {
    ...(timeLimit === undefined ? {} : { timeLimit }),
    ...(contextLimit === undefined ? {} : { contextLimit }),
    ...(voiceForm === undefined ? {} : { voiceForm }),
    ...(config === undefined || Object.keys(config).length === 0 ? {} : { config }),
  };
}

function isWithin(
  value: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): value is number | undefined {
  if (value === undefined) return true;
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

/**
 * Headers or query parameters by name. Null: the value is stored with the token. In a draft, text is what the user
 * entered; in the settings, it comes from a manual edit or an older version, and Parley moves it to the token's store.
 */
export type ProfileFields = Readonly<Record<string, string | null>>;

/** A server as the settings store it. Its token and field values are stored separately. */
export interface EndpointProfile {
  readonly id: string;
  readonly name: string;
  /**
   * `embedded` is the built-in demonstration, `computer` the model on this computer; both have no address. `local` is a
   * server that the user runs, `hosted` one of somebody else.
   */
  readonly kind: 'embedded' | 'computer' | 'local' | 'hosted';
  /** The address as the user entered it. */
  readonly url: string;
  readonly dialect: 'auto' | DialectName;
  readonly headers: ProfileFields;
  readonly query: ProfileFields;
  /** SHA-256 of the only trusted certificate. */
  readonly fingerprint?: string | undefined;
  readonly traits?: ServerTraits | undefined;
  readonly hasToken: boolean;
}

/** A profile as the user enters it; a new one has no id. */
export type ProfileDraft = Omit<EndpointProfile, 'id' | 'hasToken' | 'kind'> & {
  readonly id?: string | undefined;
  readonly kind: 'local' | 'hosted';
};

/** How tokens are protected; see the port `Secrets`. */
export type SecretsKind = 'keychain' | 'plain' | 'none';

export const embeddedId = 'embedded';

export const embeddedProfile: EndpointProfile = {
  id: embeddedId,
  name: 'Demonstration',
  kind: 'embedded',
  url: '',
  dialect: 'auto',
  headers: {},
  query: {},
  hasToken: false,
};

export const computerId = 'computer';

/** The model on this computer. */
export const computerProfile: EndpointProfile = {
  ...embeddedProfile,
  id: computerId,
  name: 'On this computer',
  kind: 'computer',
  traits: { contextLimit: backendContextTokens },
};

/** The names of the built-in servers in tapes and records. The demonstration's depend on what recorded the tape. */
const builtInServers: ReadonlyMap<string, EndpointProfile> = new Map([
  [embeddedId, embeddedProfile],
  [embeddedProfile.name, embeddedProfile],
  ['parley:demonstration', embeddedProfile],
  [computerId, computerProfile],
  [computerProfile.name, computerProfile],
]);

/** The built-in server that a tape or a record names; undefined if it names another. */
export const builtInServer = (server: string): EndpointProfile | undefined =>
  builtInServers.get(server);

/** Whether Parley provides the server itself. Such profiles cannot be changed or removed. */
export function isBuiltIn({ kind }: Pick<EndpointProfile, 'kind'>): boolean {
  return kind === 'embedded' || kind === 'computer';
}

/** Built-in profiles by id, in the order of the list. */
export const builtInProfiles: ReadonlyMap<string, EndpointProfile> = new Map(
  [embeddedProfile, computerProfile].map((profile) => [profile.id, profile]),
);

const maxFields = 40;

const fields: SettingRule<ProfileFields> = valueRule(
  `must be at most ${maxFields} names with a text value each`,
  (value) => {
    if (!isJsonObject(value) || Object.keys(value).length > maxFields) return undefined;
    const entries = Object.entries(value);
    const texts = entries.every(
      (entry): entry is [string, string | null] =>
        entry[1] === null || (typeof entry[1] === 'string' && entry[1].length < 8000),
    );
    return texts ? Object.fromEntries(entries) : undefined;
  },
);

/** The stored form of every profile that is not built in. */
const writtenProfile = settingsGroup({
  id: setting(patternRule(idPattern, 'must be small letters, digits and hyphens'), ''),
  name: setting(textRule(80, 1), ''),
  kind: setting(choiceRule(['local', 'hosted']), 'local'),
  url: setting(textRule(2000, 1), ''),
  dialect: setting(choiceRule(['auto', 'unified', 'legacy']), 'auto'),
  headers: setting(fields, {}),
  query: setting(fields, {}),
  fingerprint: setting(textRule(200), ''),
  traits: setting(serverTraitsRule, {}),
  hasToken: setting(booleanRule, false),
});

/** Reads the valid parts of a profile, or undefined without an id or a usable address. Reports every problem. */
export function readProfile(
  value: unknown,
  path: string,
  report: ReportProblem,
): EndpointProfile | undefined {
  const id = isJsonObject(value) ? value['id'] : undefined;
  const builtIn = typeof id === 'string' ? builtInProfiles.get(id) : undefined;
  if (builtIn !== undefined) return builtIn;
  const read = writtenProfile.read(value, writtenProfile.initial, path, report);
  // The rules accept missing fields; these two are required.
  if (read.id === '' || read.url === '') {
    report(path, 'must have an id and an address');
    return undefined;
  }
  const { fingerprint, traits, ...rest } = read;
  const url = read.url.trim();
  const profile: EndpointProfile = { ...rest, url, name: rest.name === '' ? url : rest.name };
  const complete = {
    ...profile,
    ...(fingerprint === '' ? {} : { fingerprint }),
    ...(Object.keys(traits).length === 0 ? {} : { traits }),
  };
  const endpoint = parseProfile(complete);
  if (endpoint.ok) return complete;
  report(path, `cannot be used (${englishErrorMessage(endpoint.error)})`, endpoint.error);
  return undefined;
}

type ServerPlace = Pick<EndpointProfile, 'url' | 'headers' | 'query' | 'fingerprint'>;

/** Converts a profile to an endpoint. Sealed values become empty text. */
export function parseProfile(profile: ServerPlace, token?: string): Outcome<Endpoint> {
  const { url, headers, query, fingerprint } = profile;
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) {
    // The token sets this header, so a field must not.
    return failure('headerAuthorization');
  }
  return parseEndpoint({
    url,
    token,
    headers: Object.entries(headers).map(([name, value]) => `${name}: ${value ?? ''}`),
    query: Object.entries(query).map(([name, value]) => `${name}=${value ?? ''}`),
    fingerprint,
  });
}

/** Scheme, host and port: the scope of a token. */
export function serverOrigin(profile: ServerPlace): string | undefined {
  const endpoint = parseProfile(profile);
  if (!endpoint.ok) return undefined;
  const { url } = endpoint.value;
  const [server = ''] = /^wss?:\/\/[^/?#]*/.exec(url) ?? [];
  const defaultPort = server.startsWith('wss:') ? ':443' : ':80';
  const origin = server.toLowerCase();
  return origin.endsWith(defaultPort) ? origin.slice(0, -defaultPort.length) : origin;
}

/** The public server in the API documentation. */
export const publicServerUrl = 'wss://minicpmo45.modelbest.cn';

/** Includes the two that are built in. */
export const maxProfiles = 50;

const list: SettingRule<readonly EndpointProfile[]> = {
  read: (value, fallback, path, report) => {
    if (value === undefined) return fallback;
    if (!Array.isArray(value) || value.length > maxProfiles) {
      report(path, `must be a list of at most ${maxProfiles} servers`);
      return fallback;
    }
    const known = new Map([[embeddedId, embeddedProfile]]);
    for (const [index, item] of (value as readonly unknown[]).entries()) {
      const profile = readProfile(item, `${path}.${index + 1}`, report);
      if (profile === undefined || isBuiltIn(profile)) continue;
      if (known.has(profile.id)) report(`${path}.${index + 1}`, 'has the id of another server');
      else known.set(profile.id, profile);
    }
    return [...known.values(), computerProfile];
  },
};

export const endpointSettings = settingsGroup({
  chosen: setting(patternRule(idPattern, 'must be the id of a server'), embeddedId),
  /** The demonstration is always first, and the model on this computer last. */
  list: setting(list, [embeddedProfile, computerProfile]),
});

export type EndpointSettings = ValueOf<typeof endpointSettings>;

/** Falls back to the demonstration if the chosen server no longer exists. */
export function withExistingChoice(endpoints: EndpointSettings): EndpointSettings {
  const exists = endpoints.list.some(({ id }) => id === endpoints.chosen);
  return exists ? endpoints : { ...endpoints, chosen: embeddedId };
}

/**
 * Copies `hasToken` from the stored profiles, because a patch cannot set it. A new scheme, host or port drops the flag
 * and the old fingerprint, because both belong to one server. A fingerprint set together with the new address stays.
 */
export function withTokenFlags(
  before: EndpointSettings,
  after: EndpointSettings,
): EndpointSettings {
  const known = new Map(before.list.map((profile) => [profile.id, profile]));
  const list = after.list.map((profile): EndpointProfile => {
    const oldProfile = known.get(profile.id);
    if (oldProfile === undefined) return { ...profile, hasToken: false };
    if (serverOrigin(oldProfile) === serverOrigin(profile))
      return { ...profile, hasToken: oldProfile.hasToken };
    const isOld = profile.fingerprint === oldProfile.fingerprint;
    return { ...profile, ...(isOld ? { fingerprint: undefined } : {}), hasToken: false };
  });
  return { ...after, list };
}

/** The chosen server, or the demonstration if it does not exist. */
export function chosenEndpoint({ chosen, list }: EndpointSettings): EndpointProfile {
  const [demonstration] = list;
  const found = list.find(({ id }) => id === chosen) ?? demonstration;
  if (found === undefined) throw new Error('the settings lack the demonstration');
  return found;
}

/** The URL under which dialect and pace are remembered; none for built-in servers. */
export function endpointAddress(profile: EndpointProfile): string | undefined {
  const endpoint = parseProfile(profile);
  return endpoint.ok ? endpoint.value.url : undefined;
}

export function isSameEndpoint(one: EndpointProfile, other: EndpointProfile): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const proxyAddressRule = valueRule('must be a proxy like http://proxy.example:3128', (value) => {
  if (value === '') return value;
  const proxy = typeof value === 'string' ? parseProxySetting(value) : undefined;
  // A login belongs with the tokens, not in the settings file.
  return proxy === undefined || proxy.login !== undefined ? undefined : proxyAddress(proxy);
});

/** Proxy for servers on other machines. */
export const proxySettings = settingsGroup({
  /** The system's proxy, no proxy, or the proxy at `address`. */
  way: setting(choiceRule(['system', 'none', 'address']), 'system'),
  /** Scheme, host and port, or empty. Never a login. */
  address: setting<string>(proxyAddressRule, ''),
  /** Whether a login is stored for the proxy. */
  hasLogin: setting(booleanRule, false),
});

export type ProxySettings = ValueOf<typeof proxySettings>;

/** A proxy as the user enters it. */
export interface ProxyDraft {
  /** May contain a login, which is extracted. */
  readonly address: string;
  /** If both are empty, the stored login for the same address stays. */
  readonly name: string;
  readonly password: string;
}

export interface VerdictTimes {
  readonly connectMs: number;
  /** From the open connection to the first message of the server. */
  readonly firstMessageMs: number;
}

export type EndpointVerdict =
  | (VerdictTimes & {
      readonly ok: true;
      /** Queue position; absent if a session would start at once, or the server does not say. */
      readonly position?: number | undefined;
    })
  | {
      readonly ok: false;
      readonly kind: VerdictKind;
      readonly error: AppError;
      /** Fingerprint of an untrusted certificate that the user can choose to trust. */
      readonly fingerprint?: string | undefined;
    };

export type VerdictKind =
  | 'unreachable'
  | 'refused'
  | 'certificate'
  | 'notRealtime'
  | 'slow'
  | 'busy';
