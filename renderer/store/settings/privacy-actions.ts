import type { StoredDataKind } from '../../../shared/privacy/stored-data.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import type { SettingsActionContext } from './settings-action-context.ts';

/** What is stored on this machine: shown, and deleted for good. */
export function createPrivacyActions(
  bridge: Bridge,
  { change, setField, ask }: SettingsActionContext,
) {
  let deletions = 0;
  return {
    readStoredData: async () => {
      const before = deletions;
      const reply = await bridge.request('storedData', undefined);
      // What has been deleted since it was counted is not there any more.
      if (before !== deletions) return;
      if (reply.ok) change({ storedData: reply.value });
      else setField('storedData', { problem: reply.error });
    },
    askForDeletion: (deletionAsked: StoredDataKind | 'all' | undefined) => {
      change({ deletionAsked });
    },
    deleteStoredData: async (kind: StoredDataKind | 'all') => {
      deletions += 1;
      const answer = await ask('storedData', () => bridge.request('deleteStoredData', { kind }));
      if (answer !== undefined) change({ storedData: answer.value });
    },
  };
}
