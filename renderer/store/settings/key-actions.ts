import { keyPatch } from '../../keys/key-owners.ts';
import type { KeyOwner } from '../../keys/key-owners.ts';
import type { PageSettingsPatch } from '../../../shared/settings/redacted-settings.ts';
import type { OrderedBridge } from '../../bridge/ordered-bridge.ts';
import type { Store } from '../store.ts';
import type { UiState } from '../ui-state.ts';
import type { SettingsActionContext } from './settings-action-context.ts';

type Choose = (id: string, patch: PageSettingsPatch) => Promise<void>;

/** Where a key stands on the page. */
function keyFieldId(owner: KeyOwner): string {
  if (owner === 'talk') return 'talking.key';
  return owner === 'global' ? 'talking.globalKey' : `keys.${owner}`;
}

/** Keys as they are recorded, and the test of the one that works in every program. */
export function createKeyActions(
  { setState }: Store<UiState>,
  bridge: OrderedBridge,
  { settingsUi, change, ask }: SettingsActionContext,
  choose: Choose,
) {
  const set = async (
    owner: KeyOwner,
    key: string,
    losers: readonly KeyOwner[] = [],
  ): Promise<void> => {
    change({ keyConflict: undefined });
    await choose(keyFieldId(owner), keyPatch(owner, key, losers));
  };
  return {
    setKey: set,
    /** Said, and left to the person: the key has something to do already. */
    askForKey: (owner: KeyOwner, key: string, others: readonly KeyOwner[]) => {
      change({ keyConflict: { owner, key, others } });
    },
    takeKey: async () => {
      const { keyConflict } = settingsUi();
      if (keyConflict !== undefined)
        await set(keyConflict.owner, keyConflict.key, keyConflict.others);
    },
    /** From anywhere: its button waits for the new key at once. */
    wantKey: (wantedKey: KeyOwner | undefined) => {
      change({ wantedKey });
    },
    leaveKey: () => {
      change({ keyConflict: undefined });
    },
    resetKeys: async () => {
      change({ keyConflict: undefined });
      await ask('keys.reset', () => bridge.request('resetSettings', { group: 'keys' }));
    },
    readGlobalKey: async () => {
      await bridge.read('globalKey', (globalKey) => {
        setState({ globalKey });
      });
    },
    retryGlobalKey: async () => {
      await ask('talking.globalTest', () => bridge.request('retryGlobalKey', undefined));
    },
    testGlobalKey: async (key: string) => {
      change({ globalKeyTest: undefined });
      const answer = await ask('globalKeyTest', () => bridge.request('testGlobalKey', undefined));
      if (answer !== undefined) change({ globalKeyTest: { key, result: answer.value } });
    },
  };
}
