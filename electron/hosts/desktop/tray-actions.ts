import { app } from 'electron';
import type { RequestInput, RequestName } from '../../../shared/ipc/contract.ts';
import type { Parley } from '../../core/compose-parley.ts';
import type { TrayClick } from './tray-clicks.ts';
import type { TrayActions } from './tray-menu.ts';
import type { TrayAction } from './tray-model.ts';
import type { TrayChoice } from './tray-pickers.ts';

type Core = Pick<Parley, 'answer' | 'notices'> & {
  readonly talk: Pick<Parley['talk'], 'view'>;
};

/** Of the program's windows, what the tray shows and hides. */
export interface TrayWindows {
  readonly showMain: () => void;
  readonly toggleMain: () => void;
  readonly showMini: () => void;
}

/** By the same requests as the pages'; what cannot be done is said in the window. */
export function createTrayActions(
  parley: Core,
  windows: TrayWindows,
): TrayActions & { readonly click: (click: TrayClick) => void } {
  const ask = async <Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
  ): Promise<void> => {
    const reply = await parley.answer(name, input);
    if (reply.ok) return;
    windows.showMain();
    parley.notices.post('talkTrouble', reply.error);
  };
  const actions: Readonly<Record<TrayAction, () => void | Promise<void>>> = {
    start: () => ask('startTalk', { mode: 'audio' }),
    continue: () => ask('continueTalk', { carry: 'transcript' }),
    end: () => ask('endTalk', undefined),
    talkKey: () => ask('talkKey', { key: 'toggle' }),
    interrupt: () => ask('interruptTalk', undefined),
    mute: () => ask('setMuted', { muted: true }),
    unmute: () => ask('setMuted', { muted: false }),
    keepRecent: () => ask('keepRecent', undefined),
    pause: () => ask('setPaused', { paused: true }),
    resume: () => ask('setPaused', { paused: false }),
    showMain: windows.showMain,
    showMini: windows.showMini,
    quit: () => {
      app.quit();
    },
  };
  const act = (action: TrayAction): void => {
    void actions[action]();
  };

  /** One that was deleted meanwhile is said to be gone, where all others are. */
  const openRecent = async (id: string): Promise<void> => {
    const reply = await parley.answer('openChat', { id });
    windows.showMain();
    parley.notices.post('placeWanted', { screen: 'chat' });
    if (!reply.ok) parley.notices.post('chatProblem', reply.error);
  };
  const choose = (choice: TrayChoice): void => {
    if (choice.of === 'recent') void openRecent(choice.id);
    else if (choice.of === 'mode') {
      void ask('changeSettings', { talking: { mode: choice.mode } });
    } else void ask('changeSettings', { audio: { [choice.of]: choice.device } });
  };

  const startOrEnd = (): void => {
    const { phase } = parley.talk.view.state;
    if (phase !== 'ending') act(phase === 'idle' || phase === 'ended' ? 'start' : 'end');
  };
  const clicks: Readonly<Record<TrayClick, () => void>> = {
    toggleMain: windows.toggleMain,
    showMini: windows.showMini,
    talkKey: () => {
      // With an open microphone there is nothing that it opens; whoever set this wants to talk or to be silent.
      const { muted, talking } = parley.talk.view.controls;
      if (talking === 'open') act(muted ? 'unmute' : 'mute');
      else act('talkKey');
    },
    mute: () => {
      act(parley.talk.view.controls.muted ? 'unmute' : 'mute');
    },
    startOrEnd,
    nothing: () => undefined,
    menu: () => undefined,
  };
  return {
    act,
    choose,
    click: (click) => {
      clicks[click]();
    },
  };
}
