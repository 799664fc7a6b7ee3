import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import type { Random } from '../../../shared/ports/clock.ts';
import {
  builtInProfiles,
  isBuiltIn,
  maxProfiles,
  parseProfile,
  type EndpointProfile,
  type ProfileDraft,
  type SecretsKind,
  serverOrigin,
} from '../../../shared/settings/connection-settings.ts';
import type { Endpoint } from '../../../shared/settings/endpoint.ts';
import {
  hasSealedValues,
  hasValues,
  noValues,
  unsealedValues,
  moveQueryToFields,
  sealValues,
  subtractValues,
  withoutValues,
} from '../../../shared/settings/profile-values.ts';
import { changeSettings } from '../../../shared/settings/read-settings.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import type { SettingsStore } from '../settings-store.ts';
import { EndpointFields, moveValuesToSecrets } from './endpoint-fields.ts';
import type { Secrets } from '../../../shared/ports/secrets.ts';

export interface OpenedEndpoint {
  readonly profile: EndpointProfile;
  /** Includes token and values, so it goes only to the adapter that connects. Undefined for the built-in servers. */
  readonly endpoint: Endpoint | undefined;
}

interface Deps {
  readonly store: SettingsStore;
  readonly secrets: Secrets;
  readonly random: Random;
}

/** The servers of the settings together with their secrets, which are stored separately. */
export class EndpointStore {
  readonly #store: SettingsStore;
  readonly #secrets: Secrets;
  readonly #random: Random;
  readonly #fields: EndpointFields;
  readonly #tasks = new SerialQueue();
  readonly #stop: () => void;

  constructor({ store, secrets, random }: Deps) {
    this.#store = store;
    this.#secrets = secrets;
    this.#random = random;
    this.#fields = new EndpointFields(secrets);
    // Removes secrets that no profile uses.
    this.#stop = store.listen((event) => {
      if (event.kind !== 'changed') return;
      const idsInUse = new Set(idsWithToken(event.settings));
      for (const id of idsWithToken(event.before)) {
        if (!idsInUse.has(id)) void this.#tasks.run(() => secrets.delete(id));
      }
      for (const id of idsWithFewerValues(event.before, event.settings)) this.#prune(id);
    });
    // Moves values that an older version left in the settings.
    const fields = this.#fields;
    store.whenLoaded(() => void this.#tasks.run(() => moveValuesToSecrets({ store, fields })));
  }

  /** Adds or replaces a server; a null value in the draft keeps the stored one. */
  readonly put = (draft: ProfileDraft): Promise<Outcome<EndpointProfile>> => {
    const profile = this.#withId(draft);
    const isNew = !this.#find(profile.id).ok;
    return this.#tasks.run(() => this.#put(profile, isNew));
  };

  readonly remove = (id: string): Outcome<Settings> =>
    this.#store.edit((settings) => removeProfile(id, settings));

  /** Stores a token, which is sent only to this server. */
  readonly setToken = async (id: string, token: string): Promise<Outcome<EndpointProfile>> => {
    const profile = this.#find(id);
    if (!profile.ok) return profile;
    if (isBuiltIn(profile.value)) return failure('demonstrationStays');
    const endpoint = parseProfile(profile.value, token);
    if (!endpoint.ok) return endpoint;
    await this.#tasks.settled();
    const set = await this.#secrets.set(id, token);
    if (!set.ok) return set;
    const current = this.#find(id);
    if (current.ok && serverOrigin(current.value) === serverOrigin(profile.value))
      return this.#flag(id, true);
    // The profile's server changed meanwhile, and the token was for the former one.
    await this.#secrets.delete(id);
    return current.ok ? failure('addressChanged') : current;
  };

  readonly forgetToken = (id: string): Outcome<EndpointProfile> => this.#flag(id, false);

  /** Number of stored secrets, with the values of a server counting as one; includes orphaned ones. */
  readonly tokenCount = (): number => this.#secrets.count();

  /** Also removes the proxy's login and the values of headers and query fields; the fields' names stay. */
  readonly forgetAllTokens = (): Promise<Outcome<undefined>> =>
    this.#tasks.run(async () => {
      const edited = this.#store.edit((settings) => {
        const list = settings.endpoints.list.map((profile): EndpointProfile => ({
          ...withoutValues(moveQueryToFields(profile)),
          hasToken: false,
        }));
        const proxy = { ...settings.proxy, hasLogin: false };
        const endpoints = { ...settings.endpoints, list };
        return { ok: true, value: { ...settings, endpoints, proxy } };
      });
      this.#store.reportOver('valuesStay');
      // Values that could not be moved leave the settings file only with this write.
      await this.#store.written();
      const deleted = await this.#secrets.deleteAll();
      return edited.ok ? deleted : edited;
    });

  readonly tokenStorage = (): SecretsKind => this.#secrets.kind();

  readonly open = async (id?: string): Promise<Outcome<OpenedEndpoint>> => {
    const profile = this.#find(id ?? this.#store.get().endpoints.chosen);
    return profile.ok ? this.#openProfile(profile.value) : profile;
  };

  /** Resolves a server that is being edited; its stored token applies only while the draft names the same server. */
  readonly openDraft = async (
    draft: ProfileDraft,
    token?: string,
  ): Promise<Outcome<OpenedEndpoint>> => {
    const draftWithId = this.#withId(draft);
    const settings = placeProfile(draftWithId, this.#store.get());
    if (!settings.ok) return settings;
    const profile = findProfile(settings.value, draftWithId.id);
    return profile.ok ? this.#openProfile(profile.value, token) : profile;
  };

  readonly end = async (): Promise<void> => {
    await this.#tasks.settled();
    this.#stop();
  };

  #find(id: string): Outcome<EndpointProfile> {
    return findProfile(this.#store.get(), id);
  }

  #withId(draft: ProfileDraft): PlacedDraft {
    return { ...moveQueryToFields(draft), id: draft.id ?? newId(this.#random) };
  }

  /** Removes the server's unused fields after the settings are written, because a crash before that would leave the settings
   * without values. */
  #prune(id: string): void {
    void this.#tasks.run(async () => {
      await this.#store.written();
      const profile = this.#find(id);
      await this.#fields.prune(id, profile.ok ? profile.value : undefined);
    });
  }

  async #openProfile(
    profile: EndpointProfile,
    typedToken?: string,
  ): Promise<Outcome<OpenedEndpoint>> {
    if (isBuiltIn(profile)) return { ok: true, value: { profile, endpoint: undefined } };
    const token =
      typedToken === undefined
        ? await this.#storedToken(profile)
        : { ok: true as const, value: typedToken };
    if (!token.ok) return token;
    const filled = await this.#fields.fill(moveQueryToFields(profile));
    if (!filled.ok) return filled;
    const endpoint = parseProfile(filled.value, token.value);
    return endpoint.ok ? { ok: true, value: { profile, endpoint: endpoint.value } } : endpoint;
  }

  async #storedToken({
    id,
    name,
    hasToken,
  }: EndpointProfile): Promise<Outcome<string | undefined>> {
    if (!hasToken) return done;
    await this.#tasks.settled();
    const token = await this.#secrets.get(id);
    return token.ok && token.value === undefined ? failure('tokenGone', { name }) : token;
  }

  async #put(profile: PlacedDraft, isNew: boolean): Promise<Outcome<EndpointProfile>> {
    const { id } = profile;
    const before = this.#find(id);
    const draftWithId = placeProfile(profile, this.#store.get());
    if (!draftWithId.ok) return draftWithId;
    const next = findProfile(draftWithId.value, id);
    if (!next.ok) return next;
    const stored = await this.#fields.keep(next.value);
    // Values that could not be stored earlier are still in the settings. They stay there if storing fails again.
    const unmoved =
      before.ok && !(stored.ok && stored.value === 'stored')
        ? unsealedValues(moveQueryToFields(before.value))
        : noValues;
    const moved = subtractValues(unsealedValues(next.value), unmoved);
    if (!stored.ok && hasValues(moved)) return stored;
    if (!isNew && !this.#find(id).ok) {
      this.#prune(id);
      return failure('serverGone');
    }
    const edited = this.#store.edit((settings) =>
      placeProfile(sealValues(profile, moved), settings),
    );
    return edited.ok ? findProfile(edited.value, id) : edited;
  }

  /** The only place that sets `hasToken` to true, after the token is stored. */
  #flag(id: string, hasToken: boolean): Outcome<EndpointProfile> {
    const edited = this.#store.edit((settings) => {
      const profile = findProfile(settings, id);
      if (!profile.ok) return profile;
      const list = settings.endpoints.list.map((each) =>
        each.id === id ? { ...each, hasToken } : each,
      );
      return { ok: true, value: { ...settings, endpoints: { ...settings.endpoints, list } } };
    });
    return edited.ok ? findProfile(edited.value, id) : edited;
  }
}

function newId(random: Random): string {
  return `server-${Math.floor(random() * 2 ** 40).toString(36)}`;
}

type PlacedDraft = ProfileDraft & { readonly id: string };

function placeProfile(profile: PlacedDraft, settings: Settings): Outcome<Settings> {
  const { id } = profile;
  if (builtInProfiles.has(id)) return failure('demonstrationStays');
  const known = settings.endpoints.list.some((each) => each.id === id);
  const { list } = settings.endpoints;
  if (!known && list.length >= maxProfiles)
    return failure('serversMany', { most: maxProfiles - builtInProfiles.size });
  const next = known ? list.map((each) => (each.id === id ? profile : each)) : [...list, profile];
  return changeSettings(settings, { endpoints: { list: next } });
}

function removeProfile(id: string, settings: Settings): Outcome<Settings> {
  if (builtInProfiles.has(id)) return failure('demonstrationStays');
  const list = settings.endpoints.list.filter((profile) => profile.id !== id);
  return changeSettings(settings, { endpoints: { list } });
}

function findProfile({ endpoints }: Settings, id: string): Outcome<EndpointProfile> {
  const profile = endpoints.list.find((each) => each.id === id);
  return profile === undefined ? failure('serverGone') : { ok: true, value: profile };
}

function idsWithToken({ endpoints }: Settings): readonly string[] {
  return endpoints.list.filter(({ hasToken }) => hasToken).map(({ id }) => id);
}

/** Profiles that may have more stored values than they name now. */
function idsWithFewerValues(before: Settings, { endpoints }: Settings): readonly string[] {
  const current = new Map(endpoints.list.map((profile) => [profile.id, fieldsKey(profile)]));
  const changed = before.endpoints.list.filter(
    (profile) => hasSealedValues(profile) && current.get(profile.id) !== fieldsKey(profile),
  );
  return changed.map(({ id }) => id);
}

function fieldsKey(profile: EndpointProfile): string {
  return JSON.stringify([serverOrigin(profile), profile.headers, profile.query]);
}
