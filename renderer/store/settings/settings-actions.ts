import type { OrderedBridge } from '../../bridge/ordered-bridge.ts';
import { createEndpointActions } from './endpoint-actions.ts';
import { createFieldActions } from './field-actions.ts';
import { createKeyActions } from './key-actions.ts';
import { createPrivacyActions } from './privacy-actions.ts';
import { createSettingsActionContext } from './settings-action-context.ts';
import type { SettingsSection } from './settings-ui-state.ts';
import { createSoundActions } from './sound-actions.ts';
import type { Store } from '../store.ts';
import type { UiState } from '../ui-state.ts';
import { createVoiceActions } from './voice-actions.ts';

/** Everything a person can do on the Settings screen. */
export function createSettingsActions(store: Store<UiState>, bridge: OrderedBridge) {
  const context = createSettingsActionContext(store);
  const fields = createFieldActions(bridge, context);
  return {
    search: (searched: string) => {
      context.change({ searchText: searched });
    },
    /** Goes to a setting that was found; the search is over. */
    goTo: (section: SettingsSection, sought: string) => {
      context.change({ section, focusTarget: sought, searchText: '' });
    },
    clearFocusTarget: () => {
      context.change({ focusTarget: undefined });
    },
    setProblem: (id: string, problem: string | undefined) => {
      context.setField(id, problem === undefined ? undefined : { problem });
    },
    ...fields,
    ...createKeyActions(store, bridge, context, fields.choose),
    ...createEndpointActions(store, bridge, context),
    ...createSoundActions(bridge, context),
    ...createVoiceActions(bridge, context),
    ...createPrivacyActions(bridge, context),
  };
}
