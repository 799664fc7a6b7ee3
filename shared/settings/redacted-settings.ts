import { failure, type Outcome } from '../errors/app-error.ts';
import type { ProxySettings } from './connection-settings.ts';
import { type EndpointProfile, type ProfileDraft, serverOrigin } from './endpoint-profile.ts';
import {
  fillFields,
  hasSealedValues,
  moveQueryToFields,
  sealValues,
  unsealedValues,
} from './profile-values.ts';
import type { ModelSettings } from './app-settings.ts';
import type { Settings, SettingsPatch } from './settings.ts';

/** Settings without secret values, as pages get them. */
export type RedactedSettings = Settings;

/**
 * Settings that a page may change directly. Servers, the proxy address and the model's paths have separate requests.
 */
export type PageSettingsPatch = Omit<SettingsPatch, 'endpoints' | 'proxy' | 'model'> & {
  readonly endpoints?: { readonly chosen: string } | undefined;
  readonly proxy?: Pick<ProxySettings, 'way'> | undefined;
  readonly model?:
    | Partial<Pick<ModelSettings, 'mirror' | 'idleMinutes' | 'chatWhileTalking'>>
    | undefined;
};

export function redactSettings(settings: Settings): RedactedSettings {
  const { chosen, list } = settings.endpoints;
  return { ...settings, endpoints: { chosen, list: list.map(redactProfile) } };
}

/**
 * Replaces header and query values with null, because they are often secrets; the query of the URL moves to the fields
 * first. A null that comes back keeps the stored value.
 */
export function redactProfile(profile: EndpointProfile): EndpointProfile {
  const withFields = moveQueryToFields(profile);
  return sealValues(withFields, unsealedValues(withFields));
}

/**
 * Restores the values that the page did not get, from the settings. Values stored with the token stay null. Stored
 * values never go to a different server.
 */
export function fillDraft(
  draft: ProfileDraft,
  known: EndpointProfile | undefined,
): Outcome<ProfileDraft> {
  const knownProfile = known === undefined ? undefined : moveQueryToFields(known);
  const headers = fillFields(draft.headers, knownProfile?.headers ?? {});
  const query = fillFields(draft.query, knownProfile?.query ?? {});
  if (headers === undefined || query === undefined) return failure('valueMissing');
  const filled = moveQueryToFields({ ...draft, headers, query });
  if (
    hasSealedValues(draft) &&
    known !== undefined &&
    serverOrigin(known) !== serverOrigin({ ...known, url: filled.url })
  ) {
    return failure('otherServer');
  }
  return { ok: true, value: filled };
}
