import type { AppError } from '../errors/app-error.ts';
import {
  computerProfile,
  embeddedId,
  embeddedProfile,
  parseProfile,
  type EndpointProfile,
  isBuiltIn,
  readProfile,
  serverOrigin,
} from './endpoint-profile.ts';
import { proxyAddress, parseProxySetting } from './proxy-address.ts';
import {
  booleanRule,
  choiceRule,
  idPattern,
  patternRule,
  setting,
  type SettingRule,
  settingsGroup,
  type ValueOf,
  valueRule,
} from './setting-rule.ts';

/** The public server in the API documentation. */
export const publicServerUrl = 'wss://minicpmo45.modelbest.cn';

const maxProfiles = 50;

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
 * Copies `hasToken` from the stored profiles, because a patch cannot set it. A new address drops the flag and the old
 * fingerprint, because both belong to one server. A fingerprint set together with the new address stays.
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
    const { fingerprint, ...rest } = profile;
    const hasNewFingerprint = fingerprint !== undefined && fingerprint !== oldProfile.fingerprint;
    return { ...rest, ...(hasNewFingerprint ? { fingerprint } : {}), hasToken: false };
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
  if (isBuiltIn(profile)) return undefined;
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
  /** Whether a login is stored for it. */
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
      /** Queue position; absent if a session would start at once. */
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
