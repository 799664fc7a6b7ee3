import type { KeptKind } from '../../shared/privacy/kept.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { toldBy } from './told-by.ts';
import type { RoomWork } from './room-work.ts';

/** What is kept on this machine: shown, and deleted for good. */
export function createPrivacyActions(bridge: Bridge, { change, setField, ask }: RoomWork) {
  let deletions = 0;
  return {
    readKept: async () => {
      const before = deletions;
      const reply = await bridge.request('kept', undefined);
      // What has been deleted since it was counted is not there any more.
      if (before !== deletions) return;
      if (reply.ok) change({ kept: reply.value });
      else setField('kept', { problem: toldBy(reply.error) });
    },
    deleteKept: async (kind: KeptKind | 'all') => {
      deletions += 1;
      const answer = await ask('kept', () => bridge.request('deleteKept', { kind }));
      if (answer !== undefined) change({ kept: answer.value });
    },
  };
}
