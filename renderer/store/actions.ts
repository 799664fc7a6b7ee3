import { partNames } from '../../shared/about.ts';
import type { DuplexMode } from '../../shared/protocol/dialect-and-mode.ts';
import type { PageSettingsPatch } from '../../shared/settings/redacted-settings.ts';
import type { PushToTalkMode } from '../../shared/talk/talk-controls.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { OrderedBridge } from '../bridge/ordered-bridge.ts';
import type { CaptureController } from '../capture/capture-controller.ts';
import { createVisionActions } from './vision/vision-actions.ts';
import type { CaptureActions } from './vision/vision-actions.ts';
import { createChatActions } from './chat/chat-actions.ts';
import type { Store } from './store.ts';
import { createSettingsActions } from './settings/settings-actions.ts';
import type { SettingsSection } from './settings/settings-ui-state.ts';
import { createWindowActions } from './window-actions.ts';
import { allNativeParts } from './ui-state.ts';
import type { ScreenName, UiState } from './ui-state.ts';

/** Everything a person can do. What goes wrong is said on the screen, so nothing is handed back. */
export type Actions = ReturnType<typeof createActions>;

export function createActions(
  store: Store<UiState>,
  bridge: OrderedBridge,
  capture: CaptureActions & Pick<CaptureController, 'view'>,
) {
  const { getState, setState } = store;
  let starting = false;
  /** What the last request that failed has said; what else went wrong stays until it is dismissed. */
  let failed: AppError | undefined;

  const ask = async (...[name, input]: Parameters<Bridge['request']>): Promise<void> => {
    const reply = await bridge.request(name, input);
    if (!reply.ok) {
      failed = reply.error;
      setState({ problem: failed });
    } else if (failed !== undefined && getState().problem === failed)
      setState({ problem: undefined });
  };
  /** A second click while the first one is still worked on starts nothing more. */
  const start = async (mode: DuplexMode): Promise<void> => {
    if (starting) return;
    starting = true;
    try {
      if (mode === 'video' && getState().capture.state === 'off') await vision.setCapture(true);
      await ask('startTalk', { mode });
    } finally {
      starting = false;
    }
  };
  const vision = createVisionActions({ store, bridge, capture, ask, begin: () => start('video') });

  return {
    ...createWindowActions(store, bridge),
    chat: createChatActions(store, bridge),
    go: (screen: ScreenName) => {
      setState({ screen });
    },
    /** From anywhere to one part of the settings. */
    openSettings: (section: SettingsSection) => {
      setState({
        screen: 'settings',
        settingsUi: { ...getState().settingsUi, section, searchText: '' },
      });
    },
    setup: createSettingsActions(store, bridge),
    /** What is not named stays; what comes of it is posted as `settingsChanged`. */
    changeSettings: (patch: PageSettingsPatch) => ask('changeSettings', patch),
    setPalette: (paletteOpen: boolean) => {
      setState({ paletteOpen, shortcutsOpen: false });
    },
    setShortcuts: (shortcutsOpen: boolean) => {
      setState({ shortcutsOpen, paletteOpen: false });
    },
    dismissProblem: () => {
      setState({ problem: undefined });
    },
    dismissTrouble: (trouble: AppError) => {
      setState({ troubles: getState().troubles.filter((one) => one !== trouble) });
    },
    dismissWarning: () => {
      setState({ warning: undefined });
    },
    checkParts: async () => {
      setState({ parts: allNativeParts('checking'), problem: undefined });
      const reply = await bridge.request('checkParts', { parts: partNames });
      if (!reply.ok) setState({ parts: allNativeParts('unknown'), problem: reply.error });
    },
    start,
    end: () => ask('endTalk', undefined),
    goOn: (carry: 'transcript' | 'nothing') => ask('continueTalk', { carry }),
    interrupt: () => ask('interruptTalk', undefined),
    talkKey: (key: 'press' | 'release' | 'lost') => ask('talkKey', { key }),
    setTalking: (mode: PushToTalkMode) => ask('setTalking', { mode }),
    setMuted: (muted: boolean) => ask('setMuted', { muted }),
    setCoughMuted: (muted: boolean) => ask('setCoughMuted', { muted }),
    setPaused: (paused: boolean) => ask('setPaused', { paused }),
    /** The first steps are behind the person, taken or skipped. */
    endFirstRun: () => ask('changeSettings', { firstRun: { done: true } }),
    setInspector: (inspectorOpen: boolean) => {
      setState({ inspectorOpen });
    },
    ...vision,
  };
}
