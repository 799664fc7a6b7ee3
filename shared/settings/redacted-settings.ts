import { failure } from '../errors/app-error.ts';
import type { ProxySettings } from './connection-settings.ts';
import { type EndpointProfile, type ProfileDraft, serverOriginOf } from './endpoint-profile.ts';
import type { Checked } from './endpoint.ts';
import { filled, openValues, queryApart, sealValues } from './profile-values.ts';
import type { Settings, SettingsPatch } from './settings.ts';

/** The settings as a page may see them: none of their servers has a value in it. */
export type RedactedSettings = Settings;

/** What a page may change at once; servers, and the address of a proxy, have requests of their own. */
export type PageSettingsPatch = Omit<SettingsPatch, 'endpoints' | 'proxy'> & {
  readonly endpoints?: { readonly chosen: string } | undefined;
  readonly proxy?: Pick<ProxySettings, 'way'> | undefined;
};

export function redactSettings(settings: Settings): RedactedSettings {
  const { chosen, list } = settings.endpoints;
  return { ...settings, endpoints: { chosen, list: list.map(redactProfile) } };
}

/**
 * Header and query values are often secrets, so that no page is ever shown one: null stands in their
 * place, and null given back leaves the value that is kept. The address is without a query: that stands
 * among the fields.
 */
export function redactProfile(profile: EndpointProfile): EndpointProfile {
  const apart = queryApart(profile);
  return sealValues(apart, openValues(apart));
}

/**
 * The draft with what the page was not shown, as far as that stands in the settings; where it is kept with the
 * token its null stays. Nothing of it goes to another server.
 */
export function fillDraft(
  draft: ProfileDraft,
  known: EndpointProfile | undefined,
): Checked<ProfileDraft> {
  const before = known === undefined ? undefined : queryApart(known);
  const headers = filled(draft.headers, before?.headers ?? {});
  const query = filled(draft.query, before?.query ?? {});
  if (headers === undefined || query === undefined) {
    return failure('valueMissing');
  }
  const whole = queryApart({ ...draft, headers, query });
  const keeps = [...Object.values(draft.headers), ...Object.values(draft.query)].includes(null);
  if (
    keeps &&
    known !== undefined &&
    serverOriginOf(known) !== serverOriginOf({ ...known, url: whole.url })
  ) {
    return failure('otherServer');
  }
  return { ok: true, value: whole };
}
