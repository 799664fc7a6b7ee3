import {
  appError,
  type AppError,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import { isJsonObject, parseJsonObject } from '../../../shared/protocol/json.ts';
import {
  type EndpointProfile,
  serverOrigin,
} from '../../../shared/settings/connection-settings.ts';
import {
  fillValues,
  hasSealedValues,
  hasValues,
  valuesInUse,
  noValues,
  unsealedValues,
  type ProfileValues,
  moveQueryToFields,
  sealValues,
} from '../../../shared/settings/profile-values.ts';
import { changeSettings } from '../../../shared/settings/read-settings.ts';
import type { SettingsStore } from '../settings-store.ts';
import type { Secrets } from '../../../shared/ports/secrets.ts';

/** Values by server origin: a changed address in the settings file must not send them elsewhere. */
type StoredValues = ReadonlyMap<string, ProfileValues>;

/** Stores the values of servers' headers and query fields with the tokens, outside the settings. */
export class EndpointFields {
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** Adds the stored values to a profile, for connecting. */
  async fill(profile: EndpointProfile): Promise<Outcome<EndpointProfile>> {
    if (!hasSealedValues(profile)) return { ok: true, value: profile };
    const stored = await this.#read(profile.id);
    if (!stored.ok) return stored;
    const filled = fillValues(profile, stored.value.get(storageOrigin(profile)) ?? noValues);
    const { name } = profile;
    return filled === undefined ? failure('valuesGone', { name }) : { ok: true, value: filled };
  }

  /** Stores values next to the previous ones, so a crash loses none. Returns whether they survive a restart. */
  async keep(profile: EndpointProfile): Promise<Outcome<'stored' | 'inMemory'>> {
    const typed = unsealedValues(profile);
    if (!hasValues(typed)) return { ok: true, value: 'stored' };
    const before = await this.#read(profile.id);
    // An unreadable entry is replaced only if none of its values are needed.
    if (!before.ok && hasSealedValues(profile)) return before;
    const stored = before.ok ? before.value : new Map<string, ProfileValues>();
    const server = storageOrigin(profile);
    const { headers, query } = stored.get(server) ?? noValues;
    const merged: ProfileValues = {
      headers: { ...headers, ...typed.headers },
      query: { ...query, ...typed.query },
    };
    return this.#write(profile.id, new Map([...stored, [server, merged]]));
  }

  /** Removes stored values that the saved profile does not name. */
  async prune(id: string, profile: EndpointProfile | undefined): Promise<void> {
    if (profile === undefined || !hasSealedValues(profile)) {
      await this.#secrets.delete(secretKey(id));
      return;
    }
    const stored = await this.#read(id);
    if (!stored.ok) return;
    const server = storageOrigin(profile);
    const values = stored.value.get(server) ?? noValues;
    await this.#write(id, new Map([[server, valuesInUse(profile, values)]]));
  }

  async #read(id: string): Promise<Outcome<StoredValues>> {
    const found = await this.#secrets.get(secretKey(id));
    return found.ok ? { ok: true, value: parseStored(found.value ?? '{}') } : found;
  }

  async #write(id: string, values: StoredValues): Promise<Outcome<'stored' | 'inMemory'>> {
    const text = serialize(values);
    const written = await this.#secrets.set(secretKey(id), text);
    if (!written.ok) return written;
    // Some keychains encrypt what they later fail to decrypt.
    const stored = await this.#secrets.get(secretKey(id));
    if (!stored.ok) return stored;
    const isPersistent = this.#secrets.kind() !== 'none' && stored.value === text;
    return { ok: true, value: isPersistent ? 'stored' : 'inMemory' };
  }
}

/** The key of the values. The token's key is the profile's id, and ids have no slash. */
function secretKey(id: string): string {
  return `${id}/fields`;
}

function storageOrigin(profile: EndpointProfile): string {
  return serverOrigin(profile) ?? '';
}

function serialize(values: StoredValues): string {
  return JSON.stringify(Object.fromEntries(values));
}

function parseStored(text: string): StoredValues {
  const found = Object.entries(parseJsonObject(text) ?? {});
  return new Map(
    found.map(([server, values]) => {
      const { headers, query } = isJsonObject(values) ? values : {};
      return [server, { headers: stringFields(headers), query: stringFields(query) }];
    }),
  );
}

function stringFields(value: unknown): Readonly<Record<string, string>> {
  const fields = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(
    fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
  );
}

interface Deps {
  readonly store: Pick<SettingsStore, 'get' | 'edit' | 'problems' | 'report' | 'written'>;
  readonly fields: Pick<EndpointFields, 'keep'>;
}

/**
 * Moves values that an older version or the user wrote into the settings to the secret storage. They are stored
 * before the settings lose them, so a crash leaves them in at least one place. Values that cannot be stored
 * stay and are reported.
 */
export async function moveValuesToSecrets({ store, fields }: Deps): Promise<void> {
  const { list } = store.get().endpoints;
  // A file of a newer version is left unchanged.
  if (store.problems().some(({ code }) => code === 'leftToNewer')) return;
  const moved: EndpointProfile[] = [];
  let firstError: AppError | undefined;
  for (const profile of list.map(moveQueryToFields)) {
    if (!hasValues(unsealedValues(profile))) continue;
    const stored = await fields.keep(profile);
    if (stored.ok && stored.value === 'stored') moved.push(profile);
    else firstError ??= appError('valuesStay', {}, stored.ok ? {} : { cause: stored.error });
  }
  if (moved.length > 0) {
    const edited = store.edit((settings) => {
      const { list } = settings.endpoints;
      return changeSettings(settings, {
        endpoints: { list: list.map((profile) => withoutMoved(profile, moved)) },
      });
    });
    if (!edited.ok) firstError ??= appError('valuesStay', {}, { cause: edited.error });
    await store.written();
  }
  if (firstError !== undefined) store.report(firstError);
}

/** Another Parley may have changed the profile's values or server meanwhile. */
function withoutMoved(
  profile: EndpointProfile,
  moved: readonly EndpointProfile[],
): EndpointProfile {
  const withFields = moveQueryToFields(profile);
  const movedProfile = moved.find(
    (each) => each.id === profile.id && serverOrigin(each) === serverOrigin(profile),
  );
  return movedProfile === undefined
    ? profile
    : sealValues(withFields, unsealedValues(movedProfile));
}
