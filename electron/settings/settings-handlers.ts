import { mapOutcome, type Outcome } from '../../shared/errors/app-error.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { SettingsHandlers } from '../../shared/ipc/settings-ipc.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import {
  endpointAddress,
  chosenEndpoint,
  type EndpointProfile,
  type ProfileDraft,
  type ServerTraits,
} from '../../shared/settings/connection-settings.ts';
import { fillDraft, redactProfile, redactSettings } from '../../shared/settings/settings.ts';
import type { ContextFacts } from '../../shared/vision/context-facts.ts';
import type { EndpointConnector } from './servers/endpoint-connector.ts';
import type { EndpointStore } from './servers/endpoint-store.ts';
import type { ProxyStore } from './servers/proxy-store.ts';
import type { ServerAdmission } from './servers/server-admission.ts';
import type { SettingsStore } from './settings-store.ts';

export interface SettingsHandlerDeps {
  readonly settings: SettingsStore;
  readonly endpoints: EndpointStore;
  readonly connector: Pick<EndpointConnector, 'test'>;
  /** Asks the user before an unknown server is used. */
  readonly admission: Pick<ServerAdmission, 'admit' | 'admitProxy'>;
  readonly proxy: Pick<ProxyStore, 'set' | 'forgetLogin'>;
  readonly contextOf: (
    address: string | undefined,
    traits: ServerTraits | undefined,
    dialect: DialectName | undefined,
  ) => ContextFacts;
  readonly post: PostNotice;
}

/** Answers the requests about settings and servers. Pages get the settings redacted. */
export function createSettingsHandlers(deps: SettingsHandlerDeps): SettingsHandlers {
  const { settings, endpoints, connector, proxy, admission, contextOf, post } = deps;
  settings.listen((event) => {
    if (event.kind === 'changed') post('settingsChanged', redactSettings(event.settings));
    else if (event.kind === 'problem') post('settingsProblem', event.error);
    else post('problemOver', { code: event.code });
  });

  const find = (id: string | undefined): EndpointProfile | undefined =>
    settings.get().endpoints.list.find((profile) => profile.id === id);
  const fill = (draft: ProfileDraft): Outcome<ProfileDraft> => fillDraft(draft, find(draft.id));
  const admitted = async (draft: ProfileDraft): Promise<Outcome<ProfileDraft>> => {
    const filled = fill(draft);
    if (!filled.ok) return filled;
    const allowed = await admission.admit(filled.value);
    // Filled in again, because the stored server may have changed while the user was being asked.
    return allowed.ok ? fill(draft) : allowed;
  };

  return {
    settings: () => ({ settings: redactSettings(settings.get()), problems: settings.problems() }),
    changeSettings: (patch) => mapOutcome(settings.change(patch), redactSettings),
    resetSettings: ({ group }) => mapOutcome(settings.reset(group), redactSettings),
    putEndpoint: async (draft) => {
      const profile = await admitted(draft);
      return profile.ok ? mapOutcome(await endpoints.put(profile.value), redactProfile) : profile;
    },
    removeEndpoint: ({ id }) => mapOutcome(endpoints.remove(id), redactSettings),
    setToken: async ({ id, token }) =>
      mapOutcome(await endpoints.setToken(id, token), redactProfile),
    forgetToken: ({ id }) => mapOutcome(endpoints.forgetToken(id), redactProfile),
    serverContext: () => {
      const profile = chosenEndpoint(settings.get().endpoints);
      const dialect = profile.dialect === 'auto' ? undefined : profile.dialect;
      return contextOf(endpointAddress(profile), profile.traits, dialect);
    },
    setProxy: async (draft) => {
      const allowed = await admission.admitProxy(draft.address);
      return allowed.ok ? mapOutcome(await proxy.set(draft), redactSettings) : allowed;
    },
    forgetProxyLogin: () => mapOutcome(proxy.forgetLogin(), redactSettings),
    tokenStorage: () => endpoints.tokenStorage(),
    testEndpoint: async ({ server, mode, token }) => {
      const target =
        'url' in server ? await admitted(server) : { ok: true as const, value: server };
      if (!target.ok) return target;
      return { ok: true, value: await connector.test(target.value, mode, token) };
    },
  };
}
