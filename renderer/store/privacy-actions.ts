import type { KeptKind } from '../../shared/privacy/kept.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { RoomWork } from './room-work.ts';

/** What is kept on this machine: shown, and deleted for good. */
export function createPrivacyActions(bridge: Bridge, { change, ask }: RoomWork) {
  return {
    readKept: async () => {
      const answer = await ask('kept', () => bridge.request('kept', undefined));
      if (answer !== undefined) change({ kept: answer.value });
    },
    deleteKept: async (kind: KeptKind | 'all') => {
      const answer = await ask('kept', () => bridge.request('deleteKept', { kind }));
      if (answer !== undefined) change({ kept: answer.value });
    },
  };
}
