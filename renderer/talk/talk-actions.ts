import type { DuplexMode } from '../../shared/protocol/realtime-api.ts';
import type { PushToTalkMode } from '../../shared/talk/talk-state.ts';
import type { Ask } from '../app/bridge/ordered-bridge.ts';

interface TalkActionDeps {
  readonly ask: Ask;
  /** Opens what a talk with pictures shows, and takes it back where the talk does not begin. */
  readonly vision: {
    readonly openForTalk: () => Promise<void>;
    readonly closeForTalk: () => void;
  };
  /** The newest talk is over, which it may be before its start was answered. */
  readonly hasEnded: () => boolean;
  /** The mode of the talk that has ended, where this page shows pictures of its own. */
  readonly endedMode: () => DuplexMode | undefined;
}

export type TalkActions = ReturnType<typeof createTalkActions>;

/** What a person can do with the spoken conversation: a request each. */
export function createTalkActions({ ask, vision, hasEnded, endedMode }: TalkActionDeps) {
  let starting: Promise<void> | undefined;
  /** Of a talk with pictures they are there before it begins, and gone where it does not. */
  const begin = async (
    mode: DuplexMode | undefined,
    ...request: Parameters<Ask>
  ): Promise<void> => {
    if (mode === 'video') await vision.openForTalk();
    if (!(await ask(...request))) vision.closeForTalk();
  };
  return {
    /**
     * A second click while the first one is still worked on starts nothing more; but a talk that its server has ended
     * while the devices were being opened is followed by another one once they are.
     */
    start: async (mode: DuplexMode): Promise<void> => {
      if (starting !== undefined && hasEnded()) await starting;
      if (starting !== undefined) return;
      starting = begin(mode, 'startTalk', { mode });
      try {
        await starting;
      } finally {
        starting = undefined;
      }
    },
    end: () => ask('endTalk', undefined),
    goOn: (carry: 'transcript' | 'nothing') => begin(endedMode(), 'continueTalk', { carry }),
    networkBack: () => ask('networkBack', undefined),
    interrupt: () => ask('interruptTalk', undefined),
    talkKey: (key: 'press' | 'release' | 'lost') => ask('talkKey', { key }),
    setTalking: (mode: PushToTalkMode) => ask('setTalking', { mode }),
    setMuted: (muted: boolean) => ask('setMuted', { muted }),
    setCoughMuted: (muted: boolean) => ask('setCoughMuted', { muted }),
    setPaused: (paused: boolean) => ask('setPaused', { paused }),
    /** What was said then, of the talk that is shown; no words take it out. */
    correctOwnWords: (at: number, text: string) => ask('correctOwnWords', { at, text }),
    writeOwnWordsAgain: () => ask('writeOwnWordsAgain', undefined),
  };
}
