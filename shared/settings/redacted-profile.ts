import { failure } from '../errors/app-error.ts';
import { displayAddress } from '../endpoint.ts';
import { serverOriginOf } from './endpoint-profile.ts';
import type { EndpointProfile, ProfileDraft } from './endpoint-profile.ts';
import type { Checked } from '../endpoint-parts.ts';

/**
 * Header and query values are often secrets, so that no page is ever shown one: null stands in their
 * place, and null given back leaves the value that is kept.
 */
export type RedactedFields = Readonly<Record<string, string | null>>;

/** A server as a page may see it. Its address is without a query: that stands among the fields. */
export type RedactedProfile = Omit<EndpointProfile, 'headers' | 'query'> & {
  readonly headers: RedactedFields;
  readonly query: RedactedFields;
};

/** A server as a page fills it in; without an id it is a new one. */
export type EndpointDraft = Omit<RedactedProfile, 'id' | 'hasToken' | 'kind'> & {
  readonly id?: string | undefined;
  readonly kind: 'local' | 'hosted';
};

type Fields = Readonly<Record<string, string>>;

export function redactProfile(profile: EndpointProfile): RedactedProfile {
  const { url, query } = queryApart(profile);
  return { ...profile, url, headers: hidden(profile.headers), query: hidden(query) };
}

/** The draft with the values that the page was not shown; they go to no other server. */
export function fillDraft(
  draft: EndpointDraft,
  known: EndpointProfile | undefined,
): Checked<ProfileDraft> {
  const before = known === undefined ? undefined : queryApart(known);
  const headers = filled(draft.headers, known?.headers);
  const query = filled(draft.query, before?.query);
  if (headers === undefined || query === undefined) {
    return failure('valueMissing');
  }
  const apart = queryApart({ url: draft.url, query });
  const whole: ProfileDraft = { ...draft, url: apart.url, headers, query: apart.query };
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

function hidden(fields: Fields): RedactedFields {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
}

function filled(fields: RedactedFields, known: Fields = {}): Fields | undefined {
  const all = Object.entries(fields).map(([name, value]) => {
    const kept = Object.hasOwn(known, name) ? known[name] : undefined;
    return [name, value ?? kept] as const;
  });
  return all.every((field): field is [string, string] => field[1] !== undefined)
    ? Object.fromEntries(all)
    : undefined;
}

/** What stands in the address itself is as likely a secret; a field of the same name goes before it. */
function queryApart({ url, query }: Pick<EndpointProfile, 'url' | 'query'>) {
  const [, text = ''] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  if (text === '') return { url, query };
  const pairs = text.split('&').map((pair) => {
    const at = pair.indexOf('=');
    return at === -1 ? [plain(pair), ''] : [plain(pair.slice(0, at)), plain(pair.slice(at + 1))];
  });
  const own = Object.fromEntries(pairs.filter(([name]) => name !== '')) as Fields;
  return { url: displayAddress(url), query: { ...own, ...query } };
}

function plain(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
