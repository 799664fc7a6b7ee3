import type { OrderedBridge } from '../../bridge/ordered-bridge.ts';
import { createEndpointActions } from './endpoint-actions.ts';
import { createFieldActions } from './field-actions.ts';
import { createKeyActions } from './key-actions.ts';
import { createPrivacyActions } from './privacy-actions.ts';
import { createRoomActions } from './room-actions.ts';
import { createSettingsActionContext } from './settings-action-context.ts';
import type { SettingsSection } from './settings-ui-state.ts';
import { createSoundActions } from './sound-actions.ts';
import type { Store } from '../store.ts';
import type { UiState } from '../ui-state.ts';
import { createVoiceActions } from './voice-actions.ts';

/** What of the servers' section belongs to none of them. */
const outsideForm: ReadonlySet<string> = new Set([
  'endpoints.list',
  'endpoints.proxy',
  'endpoints.proxyAddress',
]);

/** Everything a person can do on the Settings screen. */
export function createSettingsActions(store: Store<UiState>, bridge: OrderedBridge) {
  const context = createSettingsActionContext(store);
  const fields = createFieldActions(bridge, context);
  const endpoints = createEndpointActions(store, bridge, context);
  /** What is filled in of a server stands in its form only: of the chosen one, or of the first that is added. */
  const openForm = (): boolean => {
    const { chosen, list = [] } = store.getState().settings?.endpoints ?? {};
    const own = list.filter(({ kind }) => kind !== 'embedded');
    const server = own.find(({ id }) => id === chosen);
    if (server !== undefined) endpoints.editServer(server.id);
    else if (own.length === 0) endpoints.addServer();
    return server !== undefined || own.length === 0;
  };
  /** The address of a proxy stands there where one is used; else how one comes to it. */
  const standing = (sought: string): string =>
    sought === 'endpoints.proxyAddress' && store.getState().settings?.proxy.way !== 'address'
      ? 'endpoints.proxy'
      : sought;
  return {
    search: (searched: string) => {
      context.change({ searchText: searched });
    },
    /** Goes to a setting that was found; the search is over. */
    goTo: (section: SettingsSection, sought: string) => {
      const inForm = section === 'endpoints' && !outsideForm.has(sought);
      const shown = !inForm || context.settingsUi().form !== undefined || openForm();
      context.change({
        section,
        focusTarget: shown ? standing(sought) : 'endpoints.list',
        searchText: '',
      });
    },
    clearFocusTarget: () => {
      context.change({ focusTarget: undefined });
    },
    setProblem: (id: string, problem: string | undefined) => {
      context.setField(id, problem === undefined ? undefined : { problem });
    },
    ...fields,
    ...createKeyActions(store, bridge, context, fields.choose),
    ...endpoints,
    ...createSoundActions(bridge, context),
    room: createRoomActions(bridge, context),
    ...createVoiceActions(bridge, context),
    ...createPrivacyActions(bridge, context),
  };
}
