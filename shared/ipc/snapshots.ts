import type { NoticeName, RequestName } from './contract.ts';

/** Of what is asked for whole: the notices that tell of its changes. */
export const snapshotNotices = {
  settings: ['settingsChanged', 'settingsProblem', 'problemOver'],
  talk: [
    'talkBegan',
    'talkState',
    'talkControls',
    'talkDevices',
    'talkLimits',
    'floor',
    'caption',
    'talkKeeping',
    'talkCapture',
    'ownPhrase',
    'ownWordsStatus',
  ],
  replay: ['replayChanged', 'replayTimeline', 'replayPlay', 'replayScene', 'replayed'],
  globalKey: ['globalKeyChanged'],
  windows: ['windowsShown'],
  openedLink: ['linkChanged'],
  updates: ['updatesChanged'],
  soundDevices: ['soundDevicesChanged'],
  voices: ['voicesChanged'],
  chat: ['chatPatch', 'chatList'],
  history: ['historyChanged'],
} as const satisfies { readonly [Name in RequestName]?: readonly NoticeName[] };

export type SnapshotName = keyof typeof snapshotNotices;

/** Whether the notice tells of a change of that. */
export function isNoticeOf(snapshot: SnapshotName, notice: NoticeName): boolean {
  const names: readonly NoticeName[] = snapshotNotices[snapshot];
  return names.includes(notice);
}

export function isSnapshotName(name: RequestName): name is SnapshotName {
  return Object.hasOwn(snapshotNotices, name);
}
