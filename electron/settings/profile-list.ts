import { failure } from '../../shared/errors/app-error.ts';
import { embeddedId, serverOriginOf } from '../../shared/settings/endpoint-profile.ts';
import type { EndpointProfile, ProfileDraft } from '../../shared/settings/endpoint-profile.ts';
import { hasKeptValues } from '../../shared/settings/profile-values.ts';
import { changeSettings } from '../../shared/settings/read-settings.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import type { Outcome } from '../ports/outcome.ts';

export type PlacedDraft = ProfileDraft & { readonly id: string };

/** The settings with the profile among them, checked. */
export function placeProfile(profile: PlacedDraft, settings: Settings): Outcome<Settings> {
  const { id } = profile;
  if (id === embeddedId) {
    return failure('demonstrationStays');
  }
  const known = settings.endpoints.list.some((each) => each.id === id);
  const { list } = settings.endpoints;
  const next = known ? list.map((each) => (each.id === id ? profile : each)) : [...list, profile];
  return changeSettings(settings, { endpoints: { list: next } });
}

/** The settings without it. */
export function removeProfile(id: string, settings: Settings): Outcome<Settings> {
  if (id === embeddedId) return failure('demonstrationStays');
  const list = settings.endpoints.list.filter((profile) => profile.id !== id);
  return changeSettings(settings, { endpoints: { list } });
}

/** The one with this id. */
export function findProfile({ endpoints }: Settings, id: string): Outcome<EndpointProfile> {
  const profile = endpoints.list.find((each) => each.id === id);
  return profile === undefined ? failure('serverGone') : { ok: true, value: profile };
}

/** The ids of those that a token is stored for. */
export function idsWithToken({ endpoints }: Settings): readonly string[] {
  return endpoints.list.filter(({ hasToken }) => hasToken).map(({ id }) => id);
}

/** Whose kept values may be more now than what their profile has names for. */
export function idsWithLessValues(before: Settings, { endpoints }: Settings): readonly string[] {
  const now = new Map(endpoints.list.map((profile) => [profile.id, fieldsKeyOf(profile)]));
  const changed = before.endpoints.list.filter(
    (profile) => hasKeptValues(profile) && now.get(profile.id) !== fieldsKeyOf(profile),
  );
  return changed.map(({ id }) => id);
}

/** Which values a profile is to be connected with, and where: not what they are. */
function fieldsKeyOf(profile: EndpointProfile): string {
  return JSON.stringify([serverOriginOf(profile), profile.headers, profile.query]);
}
