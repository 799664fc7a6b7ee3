import type { NoticeName, RequestName } from '../../shared/ipc/contract.ts';
import type { Bridge } from './bridge.ts';

/** Of what is asked for whole: what tells of its changes. */
const staleAfter: { readonly [Name in RequestName]?: readonly NoticeName[] } = {
  settings: ['settingsChanged', 'settingsProblem'],
  talk: ['talkBegan', 'talkState', 'talkControls', 'talkDevices', 'talkLimits', 'floor', 'caption'],
  windows: ['windowsShown'],
  soundDevices: ['soundDevicesChanged'],
  voices: ['voicesChanged'],
  chat: ['chatPatch', 'chatList'],
};

/**
 * A reply is as old as the moment it was made, and a notice that was made after it may come before
 * it. Nobody can say then which of the two is older, so what was asked for is asked for anew.
 */
export function retryStaleReplies(bridge: Bridge): Bridge {
  const noticeCounts = new Map<NoticeName, number>();
  bridge.onNotice(({ name }) => {
    noticeCounts.set(name, (noticeCounts.get(name) ?? 0) + 1);
  });
  const noticesSoFar = (names: readonly NoticeName[]): number =>
    names.reduce((sum, name) => sum + (noticeCounts.get(name) ?? 0), 0);

  return {
    ...bridge,
    request: async (name, input) => {
      const changes = staleAfter[name] ?? [];
      for (;;) {
        const before = noticesSoFar(changes);
        const reply = await bridge.request(name, input);
        if (!reply.ok || noticesSoFar(changes) === before) return reply;
      }
    },
  };
}
