import type { EndpointProfile, ProfileFields } from './connection-settings.ts';
import { displayAddress } from './endpoint.ts';

type Values = Readonly<Record<string, string>>;
type WithFields = Pick<EndpointProfile, 'headers' | 'query'>;

/** Values of header and query fields, which may be secrets. */
export interface ProfileValues {
  readonly headers: Values;
  readonly query: Values;
}

export const noValues: ProfileValues = { headers: {}, query: {} };

/** Moves the query of the URL, which may be secret, into fields. Existing fields win. */
export function moveQueryToFields<Profile extends Pick<EndpointProfile, 'url' | 'query'>>(
  profile: Profile,
): Profile {
  const { url, query } = profile;
  const [, text = ''] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  if (text === '') return profile;
  const pairs = text.split('&').map((pair) => {
    const separator = pair.indexOf('=');
    return separator === -1
      ? [decodeQueryPart(pair), '']
      : [decodeQueryPart(pair.slice(0, separator)), decodeQueryPart(pair.slice(separator + 1))];
  });
  // The connection sets `mode` itself.
  const entries = pairs.filter(([name]) => name !== '' && name !== 'mode');
  const all = { ...(Object.fromEntries(entries) as Values), ...query };
  return { ...profile, url: displayAddress(url), query: all };
}

/** Values stored in the profile itself. Empty text is not a secret. */
export function unsealedValues({ headers, query }: WithFields): ProfileValues {
  return { headers: textFields(headers), query: textFields(query) };
}

export function hasValues({ headers, query }: ProfileValues): boolean {
  return Object.keys(headers).length + Object.keys(query).length > 0;
}

/** `values` without the equal entries of `others`. */
export function subtractValues(values: ProfileValues, others: ProfileValues): ProfileValues {
  return {
    headers: filterFields(values.headers, (name, value) => fieldAt(others.headers, name) !== value),
    query: filterFields(values.query, (name, value) => fieldAt(others.query, name) !== value),
  };
}

/** Replaces values that are stored elsewhere with null. */
export function sealValues<Profile extends WithFields>(
  profile: Profile,
  stored: ProfileValues,
): Profile {
  return {
    ...profile,
    headers: sealFields(profile.headers, stored.headers),
    query: sealFields(profile.query, stored.query),
  };
}

/** Fills in stored values; undefined if one is missing. */
export function fillValues<Profile extends WithFields>(
  profile: Profile,
  stored: ProfileValues,
): Profile | undefined {
  const headers = fillFields(profile.headers, stored.headers);
  const query = fillFields(profile.query, stored.query);
  return headers === undefined || query === undefined ? undefined : { ...profile, headers, query };
}

/** Replaces all values with empty text. */
export function withoutValues<Profile extends WithFields>(profile: Profile): Profile {
  return { ...profile, headers: emptyFields(profile.headers), query: emptyFields(profile.query) };
}

/** Stored values whose names the profile still uses. */
export function valuesInUse({ headers, query }: WithFields, stored: ProfileValues): ProfileValues {
  return {
    headers: filterFields(stored.headers, (name) => fieldAt(headers, name) === null),
    query: filterFields(stored.query, (name) => fieldAt(query, name) === null),
  };
}

export function hasSealedValues({ headers, query }: WithFields): boolean {
  return [...Object.values(headers), ...Object.values(query)].includes(null);
}

function fieldAt<Value>(fields: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function emptyFields(fields: ProfileFields): Values {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, '']));
}

function textFields(fields: ProfileFields): Values {
  const entries = Object.entries(fields).filter(
    (field): field is [string, string] => field[1] !== null && field[1] !== '',
  );
  return Object.fromEntries(entries);
}

function filterFields(fields: Values, accepts: (name: string, value: string) => boolean): Values {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => accepts(name, value)));
}

function sealFields(fields: ProfileFields, stored: Values): ProfileFields {
  const all = Object.entries(fields).map(([name, value]) => {
    return [name, value !== null && fieldAt(stored, name) === value ? null : value] as const;
  });
  return Object.fromEntries(all);
}

/** Replaces null with stored values; undefined if one is missing. */
export function fillFields<Value extends string | null>(
  fields: ProfileFields,
  stored: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> | undefined {
  const all = Object.entries(fields).map(([name, value]) => [name, value ?? fieldAt(stored, name)]);
  return all.every((field): field is [string, Value] => field[1] !== undefined)
    ? Object.fromEntries(all)
    : undefined;
}

function decodeQueryPart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
