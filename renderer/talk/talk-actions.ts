import type { CallDecision } from '../../shared/chat/chat-thread.ts';
import type { DuplexMode } from '../../shared/protocol/realtime-api.ts';
import type { PushToTalkMode } from '../../shared/talk/talk-state.ts';
import type { Ask } from '../app/bridge/ordered-bridge.ts';

interface TalkActionDeps {
  readonly ask: Ask;
  /** Opens the camera or screen for a talk, and closes it if the talk does not start. */
  readonly vision: {
    readonly openForTalk: () => Promise<void>;
    readonly closeForTalk: () => void;
  };
  /** Whether the newest talk is over. A talk can end before the reply to its start arrives. */
  readonly hasEnded: () => boolean;
  /** The mode of the talk that ended, if this page shows its own pictures. */
  readonly endedMode: () => DuplexMode | undefined;
  /** Opens or closes the field for a written request. */
  readonly writeRequest: (open: boolean) => void;
  /** Whether the last request failed because Parley does not know the words. */
  readonly lacksWords: () => boolean;
}

export type TalkActions = ReturnType<typeof createTalkActions>;

export function createTalkActions(deps: TalkActionDeps) {
  const { ask, vision, hasEnded, endedMode, writeRequest, lacksWords } = deps;
  let starting: Promise<void> | undefined;
  const startWithCapture = async (
    mode: DuplexMode | undefined,
    ...request: Parameters<Ask>
  ): Promise<void> => {
    if (mode === 'video') await vision.openForTalk();
    if (!(await ask(...request))) vision.closeForTalk();
  };
  return {
    /** Ignores double clicks. If the talk being started is already over, waits for the reply, then starts another. */
    start: async (mode: DuplexMode): Promise<void> => {
      if (starting !== undefined && hasEnded()) await starting;
      if (starting !== undefined) return;
      starting = startWithCapture(mode, 'startTalk', { mode });
      try {
        await starting;
      } finally {
        starting = undefined;
      }
    },
    end: () => ask('endTalk', undefined),
    continueTalk: (carry: 'transcript' | 'nothing') =>
      startWithCapture(endedMode(), 'continueTalk', { carry }),
    reconnectNow: () => ask('networkBack', undefined),
    interrupt: () => ask('interruptTalk', undefined),
    talkKey: (key: 'press' | 'release' | 'lost') => ask('talkKey', { key }),
    setTalking: (mode: PushToTalkMode) => ask('setTalking', { mode }),
    setMuted: (muted: boolean) => ask('setMuted', { muted }),
    setCoughMuted: (muted: boolean) => ask('setCoughMuted', { muted }),
    hearComputer: (on: boolean) => ask('hearComputer', { on }),
    setPaused: (paused: boolean) => ask('setPaused', { paused }),
    /** Corrects the phrase at this time in the talk on the screen; empty text removes it. */
    correctUserTranscript: (at: number, text: string) => ask('correctOwnWords', { at, text }),
    retryTranscription: () => ask('writeOwnWordsAgain', undefined),
    /** Requests what the user said last; if Parley has no words, opens a field to write it. */
    doRequest: async () => {
      if (!(await ask('askInTalk', {})) && lacksWords()) writeRequest(true);
    },
    askInTalk: async (text: string): Promise<boolean> => {
      const isTaken = await ask('askInTalk', { text });
      if (isTaken) writeRequest(false);
      return isTaken;
    },
    writeRequest,
    decideTalkCall: (call: string, decision: CallDecision) =>
      ask('decideTalkCall', { call, decision }),
    stopTalkRequest: () => ask('stopTalkRequest', undefined),
  };
}
