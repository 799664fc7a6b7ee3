import { failure } from '../../shared/errors/app-error.ts';
import { embeddedId, endpointOf, serverOriginOf } from '../../shared/settings/endpoint-profile.ts';
import type {
  EndpointProfile,
  ProfileDraft,
  SecretsKind,
} from '../../shared/settings/endpoint-profile.ts';
import { changeSettings } from '../../shared/settings/read-settings.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import type { Endpoint } from '../../shared/endpoint.ts';
import type { Random } from '../ports/clock.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { SettingsStore } from './settings-store.ts';

/** Nothing stands for the demonstration. */
export interface OpenedEndpoint {
  readonly profile: EndpointProfile;
  /** With its token: it goes to the adapter that connects, and nowhere else. */
  readonly endpoint: Endpoint | undefined;
}

export interface EndpointStore {
  /** Adds a server, or changes the one with this id. */
  readonly put: (draft: ProfileDraft) => Outcome<EndpointProfile>;
  readonly remove: (id: string) => Outcome<Settings>;
  /** The token comes in here and is given to nobody but the server. */
  readonly setToken: (id: string, token: string) => Promise<Outcome<EndpointProfile>>;
  readonly forgetToken: (id: string) => Outcome<EndpointProfile>;
  /** How many are stored, whether a server is left that they are for or not. */
  readonly tokenCount: () => number;
  readonly forgetAllTokens: () => Promise<Outcome<undefined>>;
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

/** The servers among the settings together with their tokens, which are not. */
export function createEndpointStore({ store, secrets, random }: Deps): EndpointStore {
  const deletions = new SerialQueue();

  // However a profile went or lost its token: what nobody can use any more is not kept.
  const stop = store.listen((event) => {
    if (event.kind !== 'changed') return;
    const still = new Set(withToken(event.settings));
    for (const id of withToken(event.before)) {
      if (!still.has(id)) void deletions.run(() => secrets.delete(id));
    }
  });

  const opened = async (
    profile: EndpointProfile,
    given?: string,
  ): Promise<Outcome<OpenedEndpoint>> => {
    if (profile.kind === 'embedded') return { ok: true, value: { profile, endpoint: undefined } };
    const token =
      given === undefined ? await storedToken(profile) : { ok: true as const, value: given };
    if (!token.ok) return token;
    const endpoint = endpointOf(profile, token.value);
    return endpoint.ok ? { ok: true, value: { profile, endpoint: endpoint.value } } : endpoint;
  };

  const storedToken = async (profile: EndpointProfile): Promise<Outcome<string | undefined>> => {
    if (!profile.hasToken) return { ok: true, value: undefined };
    await deletions.settled();
    const token = await secrets.get(profile.id);
    if (!token.ok || token.value !== undefined) return token;
    const { name } = profile;
    return failure('tokenGone', { name });
  };

  const put = (draft: ProfileDraft, settings: Settings): Outcome<Settings> => {
    const { id = newId(random) } = draft;
    if (id === embeddedId) {
      return failure('demonstrationStays');
    }
    const profile = { ...draft, id };
    const list = settings.endpoints.list.map((each) => (each.id === id ? profile : each));
    if (!list.includes(profile)) list.push(profile);
    return changeSettings(settings, { endpoints: { list } });
  };

  return {
    put: (draft) => {
      const withId = { ...draft, id: draft.id ?? newId(random) };
      const edited = store.edit((settings) => put(withId, settings));
      return edited.ok ? find(edited.value, withId.id) : edited;
    },
    remove: (id) =>
      store.edit((settings) => {
        if (id === embeddedId) return failure('demonstrationStays');
        const list = settings.endpoints.list.filter((profile) => profile.id !== id);
        return changeSettings(settings, { endpoints: { list } });
      }),
    setToken: async (id, token) => {
      const profile = find(store.get(), id);
      if (!profile.ok) return profile;
      if (profile.value.kind === 'embedded') {
        return failure('demonstrationStays');
      }
      const endpoint = endpointOf(profile.value, token);
      if (!endpoint.ok) return endpoint;
      await deletions.settled();
      const set = await secrets.set(id, token);
      if (!set.ok) return set;
      const now = find(store.get(), id);
      if (now.ok && serverOriginOf(now.value) === serverOriginOf(profile.value))
        return flagged(store, id, true);
      // It was given for a server that the profile named when this began.
      await secrets.delete(id);
      return now.ok ? failure('addressChanged') : now;
    },
    forgetToken: (id) => flagged(store, id, false),
    tokenCount: () => secrets.count(),
    forgetAllTokens: async () => {
      const forgotten = withToken(store.get()).map((id) => flagged(store, id, false));
      await deletions.settled();
      const deleted = await secrets.deleteAll();
      return forgotten.find((outcome) => !outcome.ok) ?? deleted;
    },
    tokenStorage: () => secrets.kind(),
    open: async (id) => {
      const { endpoints } = store.get();
      const profile = find(store.get(), id ?? endpoints.chosen);
      return profile.ok ? opened(profile.value) : profile;
    },
    openDraft: async (draft, token) => {
      const id = draft.id ?? newId(random);
      const settings = put({ ...draft, id }, store.get());
      if (!settings.ok) return settings;
      const profile = find(settings.value, id);
      return profile.ok ? opened(profile.value, token) : profile;
    },
    end: async () => {
      stop();
      await deletions.settled();
    },
  };
}

/** Only here, after the token was stored, a profile gets the flag that it is. */
function flagged(store: SettingsStore, id: string, hasToken: boolean): Outcome<EndpointProfile> {
  const edited = store.edit((settings) => {
    const profile = find(settings, id);
    if (!profile.ok) return profile;
    const list = settings.endpoints.list.map((each) =>
      each.id === id ? { ...each, hasToken } : each,
    );
    return { ok: true, value: { ...settings, endpoints: { ...settings.endpoints, list } } };
  });
  return edited.ok ? find(edited.value, id) : edited;
}

function find({ endpoints }: Settings, id: string): Outcome<EndpointProfile> {
  const profile = endpoints.list.find((each) => each.id === id);
  return profile === undefined ? failure('serverGone') : { ok: true, value: profile };
}

function withToken({ endpoints }: Settings): readonly string[] {
  return endpoints.list.filter(({ hasToken }) => hasToken).map(({ id }) => id);
}

function newId(random: Random): string {
  return `server-${Math.floor(random() * 2 ** 40).toString(36)}`;
}
