import type { PostNotice } from '../../shared/ipc/contract.ts';
import { unwrap } from '../../shared/ipc/reply.ts';
import type { SettingsHandlers } from '../../shared/ipc/settings-ipc.ts';
import type { DialectName } from '../../shared/protocol/realtime-api.ts';
import { addressOf, chosenEndpoint } from '../../shared/settings/connection-settings.ts';
import type {
  EndpointProfile,
  ProfileDraft,
  ServerTraits,
} from '../../shared/settings/endpoint-profile.ts';
import {
  type EndpointDraft,
  fillDraft,
  redactProfile,
  redactSettings,
} from '../../shared/settings/redacted-settings.ts';
import type { MemoryFacts } from '../../shared/vision/picture-memory.ts';
import type { EndpointConnector } from './servers/endpoint-connector.ts';
import type { EndpointStore } from './servers/endpoint-store.ts';
import type { ProxyStore } from './servers/proxy-store.ts';
import type { ServerAdmission } from './servers/server-admission.ts';
import type { SettingsStore } from './settings-store.ts';

export interface SettingsHandlerDeps {
  readonly settings: SettingsStore;
  readonly endpoints: EndpointStore;
  readonly connector: Pick<EndpointConnector, 'test'>;
  /** Asks the person before a server is used that was not there before. */
  readonly admission: Pick<ServerAdmission, 'admit' | 'admitProxy'>;
  readonly proxy: Pick<ProxyStore, 'set' | 'forgetLogin'>;
  readonly memoryOf: (
    address: string | undefined,
    traits: ServerTraits | undefined,
    dialect: DialectName | undefined,
  ) => MemoryFacts;
  readonly post: PostNotice;
}

/** What the requests about settings and servers do. What is posted to pages has no secret in it. */
export function createSettingsHandlers(deps: SettingsHandlerDeps): SettingsHandlers {
  const { settings, endpoints, connector, proxy, admission, memoryOf, post } = deps;
  settings.listen((event) => {
    if (event.kind === 'changed') post('settingsChanged', redactSettings(event.settings));
    else if (event.kind === 'problem') post('settingsProblem', event.error);
    else post('problemOver', { code: event.code });
  });

  const find = (id: string | undefined): EndpointProfile | undefined =>
    settings.get().endpoints.list.find((profile) => profile.id === id);
  const whole = (draft: EndpointDraft): ProfileDraft => unwrap(fillDraft(draft, find(draft.id)));
  const admitted = async (draft: EndpointDraft): Promise<ProfileDraft> => {
    unwrap(await admission.admit(whole(draft)));
    // While the person was asked, the server that the draft changes may have become another one.
    return whole(draft);
  };

  return {
    settings: () => ({ settings: redactSettings(settings.get()), problems: settings.problems() }),
    changeSettings: (patch) => redactSettings(unwrap(settings.change(patch))),
    resetSettings: ({ group }) => redactSettings(unwrap(settings.reset(group))),
    putEndpoint: async (draft) => redactProfile(unwrap(await endpoints.put(await admitted(draft)))),
    removeEndpoint: ({ id }) => redactSettings(unwrap(endpoints.remove(id))),
    setToken: async ({ id, token }) => redactProfile(unwrap(await endpoints.setToken(id, token))),
    forgetToken: ({ id }) => redactProfile(unwrap(endpoints.forgetToken(id))),
    serverMemory: () => {
      const profile = chosenEndpoint(settings.get().endpoints);
      const dialect = profile.dialect === 'auto' ? undefined : profile.dialect;
      return memoryOf(addressOf(profile), profile.traits, dialect);
    },
    setProxy: async (draft) => {
      unwrap(await admission.admitProxy(draft.address));
      return redactSettings(unwrap(await proxy.set(draft)));
    },
    forgetProxyLogin: () => redactSettings(unwrap(proxy.forgetLogin())),
    tokenStorage: () => endpoints.tokenStorage(),
    testEndpoint: async ({ server, mode, token }) =>
      connector.test('url' in server ? await admitted(server) : server, mode, token),
  };
}
