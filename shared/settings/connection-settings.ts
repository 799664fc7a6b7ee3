import type { AppError } from '../errors/app-error.ts';
import {
  embeddedId,
  embeddedProfile,
  endpointOf,
  type EndpointProfile,
  readProfile,
  serverOriginOf,
} from './endpoint-profile.ts';
import { proxyAddress, readSetProxy } from './proxy-address.ts';
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

/** The one of the documents, which anybody may use. */
export const publicServerUrl = 'wss://minicpmo45.modelbest.cn';

const maxProfiles = 50;

const list: SettingRule<readonly EndpointProfile[]> = {
  read: (value, fallback, place, report) => {
    if (value === undefined) return fallback;
    if (!Array.isArray(value) || value.length > maxProfiles) {
      report(place, `must be a list of at most ${maxProfiles} servers`);
      return fallback;
    }
    const known = new Map([[embeddedId, embeddedProfile]]);
    for (const [index, item] of (value as readonly unknown[]).entries()) {
      const profile = readProfile(item, `${place}.${index + 1}`, report);
      if (profile === undefined || profile.id === embeddedId) continue;
      if (known.has(profile.id)) report(`${place}.${index + 1}`, 'has the id of another server');
      else known.set(profile.id, profile);
    }
    return [...known.values()];
  },
};

export const endpointSettings = settingsGroup({
  /** The id of the one that is talked to. */
  chosen: setting(patternRule(idPattern, 'must be the id of a server'), embeddedId),
  /** The demonstration comes first and is always there. */
  list: setting(list, [embeddedProfile]),
});

export type EndpointSettings = ValueOf<typeof endpointSettings>;

/** Who was chosen and is there no longer leaves the demonstration. */
export function withChosen(endpoints: EndpointSettings): EndpointSettings {
  const there = endpoints.list.some(({ id }) => id === endpoints.chosen);
  return there ? endpoints : { ...endpoints, chosen: embeddedId };
}

/**
 * A token and the trust in a certificate were given for one server. When the profile's address names
 * another one, neither goes along; and nobody but who keeps the tokens can say that there is one.
 */
export function withTokensOf(before: EndpointSettings, after: EndpointSettings): EndpointSettings {
  const known = new Map(before.list.map((profile) => [profile.id, profile]));
  const list = after.list.map((profile): EndpointProfile => {
    const old = known.get(profile.id);
    if (old === undefined) return { ...profile, hasToken: false };
    if (serverOriginOf(old) === serverOriginOf(profile))
      return { ...profile, hasToken: old.hasToken };
    const { fingerprint, ...rest } = profile;
    const trusted = fingerprint !== undefined && fingerprint !== old.fingerprint;
    return { ...rest, ...(trusted ? { fingerprint } : {}), hasToken: false };
  });
  return { ...after, list };
}

/** The server that is talked with next; the demonstration where the chosen one is gone. */
export function chosenEndpoint({ chosen, list }: EndpointSettings): EndpointProfile {
  const [demonstration] = list;
  const found = list.find(({ id }) => id === chosen) ?? demonstration;
  if (found === undefined) throw new Error('the demonstration is always there');
  return found;
}

/** Its address, by which its dialect and pace are remembered; none for the demonstration. */
export function addressOf(profile: EndpointProfile): string | undefined {
  if (profile.kind === 'embedded') return undefined;
  const endpoint = endpointOf(profile);
  return endpoint.ok ? endpoint.value.url : undefined;
}

export function isSameEndpoint(one: EndpointProfile, other: EndpointProfile): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const proxyAddressRule = valueRule('must be a proxy like http://proxy.example:3128', (value) => {
  if (value === '') return value;
  const proxy = typeof value === 'string' ? readSetProxy(value) : undefined;
  // One with a login is no setting: what belongs with the tokens does not stay in the file.
  return proxy === undefined || proxy.login !== undefined ? undefined : proxyAddress(proxy);
});

/** By which proxy servers on other machines are reached. */
export const proxySettings = settingsGroup({
  /** As the system says, by none, or by the one with this address. */
  way: setting(choiceRule(['system', 'none', 'address']), 'system'),
  /** Scheme, name and port, or empty. A name and a password are never in it. */
  address: setting<string>(proxyAddressRule, ''),
  /** Whether a name and a password are stored for it. */
  hasLogin: setting(booleanRule, false),
});

export type ProxySettings = ValueOf<typeof proxySettings>;

/** A proxy as a person fills it in. */
export interface ProxyDraft {
  /** May have a name and a password in it, which are taken out. */
  readonly address: string;
  /** Both empty where nothing was typed; what is kept for the same address then stays. */
  readonly name: string;
  readonly password: string;
}

export interface VerdictTimes {
  readonly connectMs: number;
  /** From the open line to the server's first word. */
  readonly wordMs: number;
}

/** What a test of a server has shown. */
export type EndpointVerdict =
  | (VerdictTimes & {
      readonly ok: true;
      /** The place in its queue; nothing where it would begin at once. */
      readonly position?: number | undefined;
    })
  | {
      readonly ok: false;
      /** In a word. */
      readonly kind: VerdictKind;
      readonly error: AppError;
      /** Of a certificate that can be trusted by it. */
      readonly fingerprint?: string | undefined;
    };

export type VerdictKind =
  | 'unreachable'
  | 'refused'
  | 'certificate'
  | 'notRealtime'
  | 'slow'
  | 'busy';
