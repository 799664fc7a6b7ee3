import { fillDraft, showProfile } from '../../shared/settings/shown-profile.ts';
import type { EndpointDraft } from '../../shared/settings/shown-profile.ts';
import { showSettings } from '../../shared/settings/shown-settings.ts';
import type { EndpointProfile, ProfileDraft } from '../../shared/settings/endpoint-profile.ts';
import type { EndpointVerdict } from '../../shared/settings/endpoint-verdict.ts';
import type { Mode } from '../../shared/protocol/names.ts';
import { orRefuse } from '../ipc/refusal.ts';
import type { EndpointKeeper } from '../settings/endpoint-keeper.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { SettingsHandlers } from './desk-handlers.ts';
import type { Post } from './talk-news.ts';

export interface SettingsDeskNeeds {
  readonly settings: Omit<SettingsStore, 'edit' | 'settled'>;
  readonly endpoints: Omit<EndpointKeeper, 'open' | 'openDraft' | 'end'> & {
    readonly test: (
      server: ProfileDraft | { readonly id: string },
      mode: Mode,
      token?: string,
    ) => Promise<EndpointVerdict>;
  };
  readonly post: Post;
}

/** What the requests about settings and servers do. What pages are told has no secret in it. */
export function createSettingsHandlers(needs: SettingsDeskNeeds): SettingsHandlers {
  const { settings, endpoints, post } = needs;
  settings.listen((news) => {
    if (news.kind === 'changed') post('settingsChanged', showSettings(news.settings));
    else post('settingsProblem', news.told);
  });

  const find = (id: string | undefined): EndpointProfile | undefined =>
    settings.get().endpoints.list.find((profile) => profile.id === id);
  const whole = (draft: EndpointDraft): ProfileDraft => orRefuse(fillDraft(draft, find(draft.id)));

  return {
    settings: () => ({ settings: showSettings(settings.get()), problems: settings.problems() }),
    changeSettings: (patch) => showSettings(orRefuse(settings.change(patch))),
    resetSettings: ({ group }) => showSettings(orRefuse(settings.reset(group))),
    putEndpoint: (draft) => showProfile(orRefuse(endpoints.put(whole(draft)))),
    removeEndpoint: ({ id }) => showSettings(orRefuse(endpoints.remove(id))),
    setToken: async ({ id, token }) => showProfile(orRefuse(await endpoints.setToken(id, token))),
    forgetToken: ({ id }) => showProfile(orRefuse(endpoints.forgetToken(id))),
    tokensAre: () => endpoints.tokensAre(),
    testEndpoint: ({ server, mode, token }) =>
      endpoints.test('url' in server ? whole(server) : server, mode, token),
  };
}
