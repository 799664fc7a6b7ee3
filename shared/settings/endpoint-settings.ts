import { embeddedId, embeddedProfile, readProfile, serverOriginOf } from './endpoint-profile.ts';
import type { EndpointProfile } from './endpoint-profile.ts';
import { idPattern } from './settings-groups.ts';
import { patternRule } from './setting-rule.ts';
import type { SettingRule, SettingRules } from './setting-rule.ts';

export interface EndpointSettings {
  /** The id of the one that is talked to. */
  readonly chosen: string;
  /** The demonstration comes first and is always there. */
  readonly list: readonly EndpointProfile[];
}

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

export const endpointRules: SettingRules<EndpointSettings> = {
  chosen: patternRule(idPattern, 'must be the id of a server'),
  list,
};

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
