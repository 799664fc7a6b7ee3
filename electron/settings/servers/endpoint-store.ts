import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import type { Random } from '../../../shared/ports/clock.ts';
import {
  embeddedId,
  endpointOf,
  type EndpointProfile,
  type ProfileDraft,
  type SecretsKind,
  serverOriginOf,
} from '../../../shared/settings/endpoint-profile.ts';
import type { Endpoint } from '../../../shared/settings/endpoint.ts';
import {
  hasKeptValues,
  hasValues,
  openValues,
  type ProfileValues,
  queryApart,
  sealValues,
  valuesBeside,
  withoutValues,
} from '../../../shared/settings/profile-values.ts';
import { changeSettings } from '../../../shared/settings/read-settings.ts';
import type { Settings } from '../../../shared/settings/settings.ts';
import type { SettingsStore } from '../settings-store.ts';
import { EndpointFields, takeOverValues } from './endpoint-fields.ts';
import type { Secrets } from './secrets.ts';

/** Nothing stands for the demonstration. */
export interface OpenedEndpoint {
  readonly profile: EndpointProfile;
  /** With its token and its values: it goes to the adapter that connects, and nowhere else. */
  readonly endpoint: Endpoint | undefined;
}

export interface EndpointStore {
  /** Adds a server, or changes the one with this id; a value that is null in the draft stays as it is kept. */
  readonly put: (draft: ProfileDraft) => Promise<Outcome<EndpointProfile>>;
  readonly remove: (id: string) => Outcome<Settings>;
  /** The token comes in here and is given to nobody but the server. */
  readonly setToken: (id: string, token: string) => Promise<Outcome<EndpointProfile>>;
  readonly forgetToken: (id: string) => Outcome<EndpointProfile>;
  /** How many are stored, values counting as one a server, whether a server is left that they are for or not. */
  readonly tokenCount: () => number;
  /** The values of headers and query fields with them; their names stay. */
  readonly forgetAllTokens: () => Promise<Outcome<undefined>>;
  /** Values that an older version has left in the settings go where tokens are. */
  readonly takeOver: () => Promise<void>;
  readonly tokenStorage: () => SecretsKind;
  /** The one that was named, or else the chosen one, ready to connect. */
  readonly open: (id?: string) => Promise<Outcome<OpenedEndpoint>>;
  /** One that is being filled in; its own token goes along as long as it names the same server. */
  readonly openDraft: (draft: ProfileDraft, token?: string) => Promise<Outcome<OpenedEndpoint>>;
  readonly end: () => Promise<void>;
}

interface Deps {
  readonly store: SettingsStore;
  readonly secrets: Secrets;
  readonly random: Random;
}

/** The servers among the settings together with their tokens and values, which are not. */
export function createEndpointStore({ store, secrets, random }: Deps): EndpointStore {
  const fields = new EndpointFields(secrets);
  /** What is done with secrets, one after the other. */
  const tasks = new SerialQueue();

  /** After the settings are written, as far as they can be: a kill before that would leave them without a value. */
  const tidy = (id: string): void => {
    void tasks.run(async () => {
      await store.settled();
      const profile = findProfile(store.get(), id);
      await fields.tidy(id, profile.ok ? profile.value : undefined);
    });
  };

  // However a profile went or lost its token: what nobody can use any more is not kept.
  const stop = store.listen((event) => {
    if (event.kind !== 'changed') return;
    const still = new Set(idsWithToken(event.settings));
    for (const id of idsWithToken(event.before)) {
      if (!still.has(id)) void tasks.run(() => secrets.delete(id));
    }
    for (const id of idsWithLessValues(event.before, event.settings)) tidy(id);
  });

  const opened = async (
    profile: EndpointProfile,
    given?: string,
  ): Promise<Outcome<OpenedEndpoint>> => {
    if (profile.kind === 'embedded') return { ok: true, value: { profile, endpoint: undefined } };
    const token =
      given === undefined ? await storedToken(profile) : { ok: true as const, value: given };
    if (!token.ok) return token;
    const whole = await fields.fill(queryApart(profile));
    if (!whole.ok) return whole;
    const endpoint = endpointOf(whole.value, token.value);
    return endpoint.ok ? { ok: true, value: { profile, endpoint: endpoint.value } } : endpoint;
  };

  const storedToken = async (profile: EndpointProfile): Promise<Outcome<string | undefined>> => {
    if (!profile.hasToken) return { ok: true, value: undefined };
    await tasks.settled();
    const token = await secrets.get(profile.id);
    if (!token.ok || token.value !== undefined) return token;
    const { name } = profile;
    return failure('tokenGone', { name });
  };

  const put = async (profile: PlacedDraft, isNew: boolean): Promise<Outcome<EndpointProfile>> => {
    const { id } = profile;
    const before = findProfile(store.get(), id);
    const tried = placeProfile(profile, store.get());
    if (!tried.ok) return tried;
    const next = findProfile(tried.value, id);
    if (!next.ok) return next;
    const kept = await fields.keep(next.value);
    // What stands in the settings, because it could not be kept elsewhere, is not lost by another try.
    const standing =
      before.ok && !(kept.ok && kept.value === 'kept')
        ? openValues(queryApart(before.value))
        : noValues;
    const moved = valuesBeside(openValues(next.value), standing);
    if (!kept.ok && hasValues(moved)) return kept;
    if (!isNew && !findProfile(store.get(), id).ok) {
      tidy(id);
      return failure('serverGone');
    }
    const edited = store.edit((settings) => placeProfile(sealValues(profile, moved), settings));
    return edited.ok ? findProfile(edited.value, id) : edited;
  };

  return {
    put: (draft) => {
      const profile = { ...queryApart(draft), id: draft.id ?? newId(random) };
      const isNew = !findProfile(store.get(), profile.id).ok;
      return tasks.run(() => put(profile, isNew));
    },
    remove: (id) => store.edit((settings) => removeProfile(id, settings)),
    setToken: async (id, token) => {
      const profile = findProfile(store.get(), id);
      if (!profile.ok) return profile;
      if (profile.value.kind === 'embedded') {
        return failure('demonstrationStays');
      }
      const endpoint = endpointOf(profile.value, token);
      if (!endpoint.ok) return endpoint;
      await tasks.settled();
      const set = await secrets.set(id, token);
      if (!set.ok) return set;
      const now = findProfile(store.get(), id);
      if (now.ok && serverOriginOf(now.value) === serverOriginOf(profile.value))
        return flagged(store, id, true);
      // It was given for a server that the profile named when this began.
      await secrets.delete(id);
      return now.ok ? failure('addressChanged') : now;
    },
    forgetToken: (id) => flagged(store, id, false),
    tokenCount: () => secrets.count(),
    forgetAllTokens: () =>
      tasks.run(async () => {
        const edited = store.edit((settings) => {
          const list = settings.endpoints.list.map((profile): EndpointProfile => ({
            ...withoutValues(queryApart(profile)),
            hasToken: false,
          }));
          const proxy = { ...settings.proxy, hasLogin: false };
          const endpoints = { ...settings.endpoints, list };
          return { ok: true, value: { ...settings, endpoints, proxy } };
        });
        store.reportOver('valuesStay');
        // Values that could not be moved stand in the settings' file.
        await store.settled();
        const deleted = await secrets.deleteAll();
        return edited.ok ? deleted : edited;
      }),
    takeOver: () => tasks.run(() => takeOverValues({ store, fields })),
    tokenStorage: () => secrets.kind(),
    open: async (id) => {
      const { endpoints } = store.get();
      const profile = findProfile(store.get(), id ?? endpoints.chosen);
      return profile.ok ? opened(profile.value) : profile;
    },
    openDraft: async (draft, token) => {
      const id = draft.id ?? newId(random);
      const settings = placeProfile({ ...queryApart(draft), id }, store.get());
      if (!settings.ok) return settings;
      const profile = findProfile(settings.value, id);
      return profile.ok ? opened(profile.value, token) : profile;
    },
    end: async () => {
      await tasks.settled();
      stop();
    },
  };
}

const noValues: ProfileValues = { headers: {}, query: {} };

/** Only here, after the token was stored, a profile gets the flag that it is. */
function flagged(store: SettingsStore, id: string, hasToken: boolean): Outcome<EndpointProfile> {
  const edited = store.edit((settings) => {
    const profile = findProfile(settings, id);
    if (!profile.ok) return profile;
    const list = settings.endpoints.list.map((each) =>
      each.id === id ? { ...each, hasToken } : each,
    );
    return { ok: true, value: { ...settings, endpoints: { ...settings.endpoints, list } } };
  });
  return edited.ok ? findProfile(edited.value, id) : edited;
}

function newId(random: Random): string {
  return `server-${Math.floor(random() * 2 ** 40).toString(36)}`;
}

type PlacedDraft = ProfileDraft & { readonly id: string };

/** The settings with the profile among them, checked. */
function placeProfile(profile: PlacedDraft, settings: Settings): Outcome<Settings> {
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
function removeProfile(id: string, settings: Settings): Outcome<Settings> {
  if (id === embeddedId) return failure('demonstrationStays');
  const list = settings.endpoints.list.filter((profile) => profile.id !== id);
  return changeSettings(settings, { endpoints: { list } });
}

/** The one with this id. */
function findProfile({ endpoints }: Settings, id: string): Outcome<EndpointProfile> {
  const profile = endpoints.list.find((each) => each.id === id);
  return profile === undefined ? failure('serverGone') : { ok: true, value: profile };
}

/** The ids of those that a token is stored for. */
function idsWithToken({ endpoints }: Settings): readonly string[] {
  return endpoints.list.filter(({ hasToken }) => hasToken).map(({ id }) => id);
}

/** Whose kept values may be more now than what their profile has names for. */
function idsWithLessValues(before: Settings, { endpoints }: Settings): readonly string[] {
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
