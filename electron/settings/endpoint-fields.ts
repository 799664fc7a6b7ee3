import { failure } from '../../shared/errors/app-error.ts';
import { isJsonObject, parseJsonObject } from '../../shared/protocol/json.ts';
import { serverOriginOf } from '../../shared/settings/endpoint-profile.ts';
import type { EndpointProfile } from '../../shared/settings/endpoint-profile.ts';
import {
  fillValues,
  hasValues,
  hasKeptValues,
  namedValues,
  openValues,
} from '../../shared/settings/profile-values.ts';
import type { ProfileValues } from '../../shared/settings/profile-values.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { Secrets } from '../ports/secrets.ts';

/** By the server that they were given for: an address that is changed in the settings' file leads them nowhere else. */
type Kept = ReadonlyMap<string, ProfileValues>;

const noValues: ProfileValues = { headers: {}, query: {} };

/** The values of servers' headers and query fields, which are kept with the tokens and not in the settings. */
export class EndpointFields {
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** The profile with all its values, to connect with. */
  async fill(profile: EndpointProfile): Promise<Outcome<EndpointProfile>> {
    if (!hasKeptValues(profile)) return { ok: true, value: profile };
    const kept = await this.#read(profile.id);
    if (!kept.ok) return kept;
    const whole = fillValues(profile, kept.value.get(serverOf(profile)) ?? noValues);
    const { name } = profile;
    return whole === undefined ? failure('valuesGone', { name }) : { ok: true, value: whole };
  }

  /**
   * Keeps the values that stand in the profile beside those that were kept before, so that whoever is killed now has
   * the old settings' values and the new ones'. Says whether they will be there at the next start.
   */
  async keep(profile: EndpointProfile): Promise<Outcome<'kept' | 'untilTheEnd'>> {
    const given = openValues(profile);
    if (!hasValues(given)) return { ok: true, value: 'kept' };
    const before = await this.#read(profile.id);
    // What cannot be read is replaced only where nothing of it is still to be used.
    if (!before.ok && hasKeptValues(profile)) return before;
    const kept = before.ok ? before.value : new Map<string, ProfileValues>();
    const server = serverOf(profile);
    const { headers, query } = kept.get(server) ?? noValues;
    const merged: ProfileValues = {
      headers: { ...headers, ...given.headers },
      query: { ...query, ...given.query },
    };
    return this.#write(profile.id, new Map([...kept, [server, merged]]));
  }

  /** Keeps no more than the profile, as it is on the disk, has names for. */
  async tidy(id: string, profile: EndpointProfile | undefined): Promise<void> {
    if (profile === undefined || !hasKeptValues(profile)) {
      await this.#secrets.delete(keyOf(id));
      return;
    }
    const kept = await this.#read(id);
    if (!kept.ok) return;
    const server = serverOf(profile);
    const values = kept.value.get(server) ?? noValues;
    const left = new Map([[server, namedValues(profile, values)]]);
    if (textOf(left) !== textOf(kept.value)) await this.#write(id, left);
  }

  async #read(id: string): Promise<Outcome<Kept>> {
    const found = await this.#secrets.get(keyOf(id));
    return found.ok ? { ok: true, value: keptIn(found.value ?? '{}') } : found;
  }

  async #write(id: string, kept: Kept): Promise<Outcome<'kept' | 'untilTheEnd'>> {
    const text = textOf(kept);
    const written = await this.#secrets.set(keyOf(id), text);
    if (!written.ok) return written;
    // A keychain that seals may still be one that does not open again.
    const back = await this.#secrets.get(keyOf(id));
    if (!back.ok) return back;
    const lasts = this.#secrets.kind() !== 'none' && back.value === text;
    return { ok: true, value: lasts ? 'kept' : 'untilTheEnd' };
  }
}

/** Beside the token, which has the profile's id alone; no id has a slash in it. */
function keyOf(id: string): string {
  return `${id}/fields`;
}

function serverOf(profile: EndpointProfile): string {
  return serverOriginOf(profile) ?? '';
}

function textOf(kept: Kept): string {
  return JSON.stringify(Object.fromEntries(kept));
}

function keptIn(text: string): Kept {
  const found = Object.entries(parseJsonObject(text) ?? {});
  return new Map(
    found.map(([server, values]) => {
      const { headers, query } = isJsonObject(values) ? values : {};
      return [server, { headers: textsIn(headers), query: textsIn(query) }];
    }),
  );
}

function textsIn(value: unknown): Readonly<Record<string, string>> {
  const fields = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(
    fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
  );
}
