import type { EndpointProfile, ProfileFields } from './endpoint-profile.ts';
import { displayAddress } from './endpoint.ts';

type Values = Readonly<Record<string, string>>;
type WithFields = Pick<EndpointProfile, 'headers' | 'query'>;

/** What stands behind the names of a profile's headers and query fields. */
export interface ProfileValues {
  readonly headers: Values;
  readonly query: Values;
}

export const noValues: ProfileValues = { headers: {}, query: {} };

/** What stands in the address itself is as likely a secret; a field of the same name goes before it. */
export function queryApart<Profile extends Pick<EndpointProfile, 'url' | 'query'>>(
  profile: Profile,
): Profile {
  const { url, query } = profile;
  const [, text = ''] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  if (text === '') return profile;
  const pairs = text.split('&').map((pair) => {
    const at = pair.indexOf('=');
    return at === -1 ? [plain(pair), ''] : [plain(pair.slice(0, at)), plain(pair.slice(at + 1))];
  });
  // The mode goes into every address by what is done, whatever stands there.
  const own = pairs.filter(([name]) => name !== '' && name !== 'mode');
  const all = { ...(Object.fromEntries(own) as Values), ...query };
  return { ...profile, url: displayAddress(url), query: all };
}

/** The values that stand in the profile itself; an empty one is no secret and may stay. */
export function openValues({ headers, query }: WithFields): ProfileValues {
  return { headers: texts(headers), query: texts(query) };
}

export function hasValues({ headers, query }: ProfileValues): boolean {
  return Object.keys(headers).length + Object.keys(query).length > 0;
}

/** `values` without those that are among `others`. */
export function valuesBeside(values: ProfileValues, others: ProfileValues): ProfileValues {
  return {
    headers: chosen(values.headers, (name, value) => at(others.headers, name) !== value),
    query: chosen(values.query, (name, value) => at(others.query, name) !== value),
  };
}

/** The profile with null in the place of those of its values that are now kept elsewhere. */
export function sealValues<Profile extends WithFields>(
  profile: Profile,
  kept: ProfileValues,
): Profile {
  return {
    ...profile,
    headers: sealed(profile.headers, kept.headers),
    query: sealed(profile.query, kept.query),
  };
}

/** The profile with what is kept for it, or nothing where one of its values is not among it. */
export function fillValues<Profile extends WithFields>(
  profile: Profile,
  kept: ProfileValues,
): Profile | undefined {
  const headers = filled(profile.headers, kept.headers);
  const query = filled(profile.query, kept.query);
  return headers === undefined || query === undefined ? undefined : { ...profile, headers, query };
}

/** The profile with its names, but none of its values. */
export function withoutValues<Profile extends WithFields>(profile: Profile): Profile {
  return { ...profile, headers: emptied(profile.headers), query: emptied(profile.query) };
}

/** Of what is kept, that which the profile still has a name for. */
export function namedValues({ headers, query }: WithFields, kept: ProfileValues): ProfileValues {
  return {
    headers: chosen(kept.headers, (name) => at(headers, name) === null),
    query: chosen(kept.query, (name) => at(query, name) === null),
  };
}

export function hasKeptValues({ headers, query }: WithFields): boolean {
  return [...Object.values(headers), ...Object.values(query)].includes(null);
}

function at<Value>(fields: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function emptied(fields: ProfileFields): Values {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, '']));
}

function texts(fields: ProfileFields): Values {
  const given = Object.entries(fields).filter(
    (field): field is [string, string] => field[1] !== null && field[1] !== '',
  );
  return Object.fromEntries(given);
}

function chosen(fields: Values, is: (name: string, value: string) => boolean): Values {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => is(name, value)));
}

function sealed(fields: ProfileFields, kept: Values): ProfileFields {
  const all = Object.entries(fields).map(([name, value]) => {
    return [name, value !== null && at(kept, name) === value ? null : value] as const;
  });
  return Object.fromEntries(all);
}

/** With the values that are kept in the place of null, or nothing where one of them is not among them. */
export function filled<Value extends string | null>(
  fields: ProfileFields,
  kept: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> | undefined {
  const all = Object.entries(fields).map(([name, value]) => [name, value ?? at(kept, name)]);
  return all.every((field): field is [string, Value] => field[1] !== undefined)
    ? Object.fromEntries(all)
    : undefined;
}

function plain(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
