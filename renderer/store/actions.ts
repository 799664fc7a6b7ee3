import { partNames } from '../../shared/about.ts';
import type { DuplexMode } from '../../shared/protocol/names.ts';
import type { PagePatch } from '../../shared/settings/shown-settings.ts';
import type { TalkingMode } from '../../shared/talk/talk-controls.ts';
import type { Told } from '../../shared/why.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Eye } from '../camera/eye.ts';
import { createSeeingActions } from './seeing-actions.ts';
import type { EyeDoings } from './seeing-actions.ts';
import { createChatActions } from './chat-actions.ts';
import { toldBy } from './told-by.ts';
import type { Store } from './store.ts';
import { createSettingsActions } from './settings-actions.ts';
import type { SettingsSection } from './settings-room.ts';
import { createWindowActions } from './window-actions.ts';
import { allParts } from './view.ts';
import type { Place, View } from './view.ts';

/** Everything a person can do. What goes wrong is said on the screen, so nothing is handed back. */
export type Actions = ReturnType<typeof createActions>;

export function createActions(
  store: Store<View>,
  bridge: Bridge,
  eye: EyeDoings & Pick<Eye, 'view'>,
) {
  const { view, change } = store;
  let starting = false;
  /** What the last request that failed has said; what else went wrong stays until it is dismissed. */
  let failed: Told | undefined;

  const ask = async (...[name, input]: Parameters<Bridge['request']>): Promise<void> => {
    const reply = await bridge.request(name, input);
    if (!reply.ok) {
      failed = toldBy(reply.error);
      change({ problem: failed });
    } else if (failed !== undefined && view().problem === failed) change({ problem: undefined });
  };
  /** A second click while the first one is still worked on starts nothing more. */
  const start = async (mode: DuplexMode): Promise<void> => {
    if (starting) return;
    starting = true;
    try {
      if (mode === 'video' && view().eye.state === 'off') await seeing.setEye(true);
      await ask('startTalk', { mode });
    } finally {
      starting = false;
    }
  };
  const seeing = createSeeingActions({ store, bridge, eye, ask, begin: () => start('video') });

  return {
    ...createWindowActions(store, bridge),
    chat: createChatActions(store, bridge),
    go: (place: Place) => {
      change({ place });
    },
    /** From anywhere to one part of the settings. */
    openSettings: (section: SettingsSection) => {
      change({ place: 'settings', room: { ...view().room, section, searched: '' } });
    },
    setup: createSettingsActions(store, bridge),
    /** What is not named stays; what comes of it is told as `settingsChanged`. */
    changeSettings: (patch: PagePatch) => ask('changeSettings', patch),
    setPalette: (paletteOpen: boolean) => {
      change({ paletteOpen, shortcutsOpen: false });
    },
    setShortcuts: (shortcutsOpen: boolean) => {
      change({ shortcutsOpen, paletteOpen: false });
    },
    dismissProblem: () => {
      change({ problem: undefined });
    },
    dismissTrouble: (sentence: string) => {
      change({ troubles: view().troubles.filter((one) => one.sentence !== sentence) });
    },
    dismissWarning: () => {
      change({ warning: undefined });
    },
    checkParts: async () => {
      change({ parts: allParts('checking'), problem: undefined });
      const reply = await bridge.request('checkParts', { parts: partNames });
      if (!reply.ok) change({ parts: allParts('unknown'), problem: toldBy(reply.error) });
    },
    start,
    end: () => ask('endTalk', undefined),
    goOn: (carry: 'transcript' | 'nothing') => ask('continueTalk', { carry }),
    interrupt: () => ask('interruptTalk', undefined),
    talkKey: (key: 'press' | 'release' | 'lost') => ask('talkKey', { key }),
    setTalking: (mode: TalkingMode) => ask('setTalking', { mode }),
    setMuted: (muted: boolean) => ask('setMuted', { muted }),
    setCoughMuted: (muted: boolean) => ask('setCoughMuted', { muted }),
    setPaused: (paused: boolean) => ask('setPaused', { paused }),
    /** The first steps are behind the person, taken or skipped. */
    endFirstRun: () => ask('changeSettings', { firstRun: { done: true } }),
    setInspector: (inspectorOpen: boolean) => {
      change({ inspectorOpen });
    },
    ...seeing,
  };
}
