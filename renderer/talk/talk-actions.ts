import type { DuplexMode } from '../../shared/protocol/realtime-api.ts';
import { type EndpointProfile, isBuiltIn } from '../../shared/settings/connection-settings.ts';
import { isTalkOver } from '../../shared/talk/talk-view.ts';
import type { Ask, Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import { toEndpointForm, toProfileDraft } from '../settings/endpoints/endpoint-form.ts';
import type { TypingState } from './talk-ui-state.ts';

interface TalkActionDeps {
  readonly ask: Ask;
  /** Opens the camera or screen for a talk, and closes it if the talk does not start. */
  readonly vision: {
    readonly openForTalk: () => Promise<void>;
    readonly closeForTalk: () => void;
  };
  /** Whether the newest talk is over. A talk can end before the reply to its start arrives. */
  readonly hasEnded: () => boolean;
  /** The mode of the talk that ended. Undefined in a window that has no preview, and so opens no camera or screen. */
  readonly endedMode: () => DuplexMode | undefined;
  /** Opens or closes the field for a written task. */
  readonly writeTask: (open: boolean) => void;
  /** Whether the last task failed because Parley does not know the words. */
  readonly lacksWords: () => boolean;
}

/** Actions that begin a talk or ask for something in it. */
export function createTalkActions(deps: TalkActionDeps) {
  const { ask, vision, hasEnded, endedMode, writeTask, lacksWords } = deps;
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
    continueTalk: (carry: 'transcript' | 'nothing') =>
      startWithCapture(endedMode(), 'continueTalk', { carry }),
    /** Requests what the user said last; if Parley has no words, opens a field to write it. */
    doRequest: async () => {
      if (!(await ask('askInTalk', {})) && lacksWords()) writeTask(true);
    },
    askInTalk: async (text: string): Promise<boolean> => {
      const isTaken = await ask('askInTalk', { text });
      if (isTaken) writeTask(false);
      return isTaken;
    },
    writeTask,
  };
}

interface RestartDeps {
  readonly store: Store<UiState>;
  /** Resolves false if the talk could not be ended. */
  readonly end: () => Promise<boolean>;
  readonly start: (mode: DuplexMode) => Promise<void>;
  /** Closes the camera or screen that was opened for the new talk. */
  readonly closeForTalk: () => void;
}

/** A talk that began without pictures cannot add them, so it ends before another starts. */
export function createStartWithPictures(deps: RestartDeps): () => Promise<void> {
  const { store, end, start, closeForTalk } = deps;
  const isOver = (): boolean => isTalkOver(store.getState().talkState.value.phase);
  const untilOver = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = store.subscribe(() => {
        if (!isOver()) return;
        stop();
        resolve();
      });
    });
  return async () => {
    if (!isOver()) {
      const isEnding = await end();
      if (!isEnding && !isOver()) {
        closeForTalk();
        return;
      }
      if (!isOver()) await untilOver();
    }
    await start('video');
  };
}

/** The server of the ended talk, if it is still the chosen one and the user can change its settings. */
export function refusingServer({
  settings,
  facts,
}: Pick<UiState, 'settings' | 'facts'>): EndpointProfile | undefined {
  const chosen = settings?.endpoints.list.find(({ id }) => id === settings.endpoints.chosen);
  if (chosen === undefined || isBuiltIn(chosen)) return undefined;
  return chosen.name === facts?.endpoint ? chosen : undefined;
}

interface LeaveOutActionDeps {
  readonly store: Store<UiState>;
  readonly ask: Ask;
  readonly start: (mode: DuplexMode) => Promise<void>;
}

/** Stops sending a `config` field that the server refused, and starts the talk again. */
export function createLeaveOutAction({ store, ask, start }: LeaveOutActionDeps) {
  let isSaving = false;
  return async (field: string): Promise<void> => {
    const state = store.getState();
    const server = refusingServer(state);
    if (server === undefined || isSaving) return;
    isSaving = true;
    const { traits } = server;
    const draft = toProfileDraft(toEndpointForm(server));
    const done = await ask('putEndpoint', {
      ...draft,
      traits: { ...traits, config: { ...traits?.config, [field]: null } },
    });
    isSaving = false;
    if (done) await start(state.facts?.mode ?? 'audio');
  };
}

interface TypingDeps {
  readonly store: Store<UiState>;
  readonly request: Bridge['request'];
  readonly readChat: () => Promise<void>;
}

/** Neither dialect takes text during a talk, so typed questions go to the same server as a written chat. */
export function createTypingActions({ store, request, readChat }: TypingDeps) {
  const patchTyping = (part: Partial<TypingState>): void =>
    store.setState({ typing: { ...store.getState().typing, ...part } });
  /** Reuses the conversation if the Chat screen still shows it. */
  const openConversation = async (): Promise<string | undefined> => {
    const { typing, chat, storage } = store.getState();
    if (typing.chat !== undefined && chat.conversation?.id === typing.chat) return typing.chat;
    const reply = await request('beginChat', { incognito: storage.talk.kind === 'incognito' });
    if (!reply.ok) {
      patchTyping({ error: reply.error });
      return undefined;
    }
    await readChat();
    const id = store.getState().chat.conversation?.id;
    patchTyping({ chat: id });
    return id;
  };
  return {
    setOpen: (open: boolean): void => patchTyping({ open, error: undefined }),
    /** Changes the text in the field for a message, or in the one for a task for tools. */
    write: (field: keyof TypingState['unsent'], change: (before: string) => string): void => {
      const { unsent } = store.getState().typing;
      patchTyping({ unsent: { ...unsent, [field]: change(unsent[field]) } });
    },
    /** Resolves true if the message was sent; otherwise the text stays in the field. */
    send: async (text: string): Promise<boolean> => {
      patchTyping({ error: undefined });
      const chat = await openConversation();
      if (chat === undefined) return false;
      const reply = await request('sendChat', { parts: [{ type: 'text', text }], chat });
      if (!reply.ok) patchTyping({ error: reply.error });
      return reply.ok;
    },
  };
}
