import type { Bridge } from '../bridge/bridge.ts';
import { createEndpointActions } from './endpoint-actions.ts';
import { createFieldActions } from './field-actions.ts';
import { createPrivacyActions } from './privacy-actions.ts';
import { createRoomWork } from './room-work.ts';
import type { SettingsSection } from './settings-room.ts';
import { createSoundActions } from './sound-actions.ts';
import type { Store } from './store.ts';
import type { View } from './view.ts';
import { createVoiceActions } from './voice-actions.ts';

/** Everything a person can do in the Settings place. */
export function createSettingsActions(store: Store<View>, bridge: Bridge) {
  const work = createRoomWork(store);
  return {
    search: (searched: string) => {
      work.change({ searched });
    },
    /** Goes to a setting that was found; the search is over. */
    goTo: (section: SettingsSection, sought: string) => {
      work.change({ section, sought, searched: '' });
    },
    found: () => {
      work.change({ sought: undefined });
    },
    say: (id: string, problem: string | undefined) => {
      work.setField(id, problem === undefined ? undefined : { problem: { sentence: problem } });
    },
    ...createFieldActions(bridge, work),
    ...createEndpointActions(store, bridge, work),
    ...createSoundActions(bridge, work),
    ...createVoiceActions(bridge, work),
    ...createPrivacyActions(bridge, work),
  };
}
