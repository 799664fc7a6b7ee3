import type { ChatPatch, CallDecision, Part } from '../../shared/chat/chat-thread.ts';
import type { CursorAction } from '../../shared/cursor/cursor-action.ts';
import {
  type DictationView,
  emptyThread,
  idleDictation,
  type OfferKind,
  type QuickState,
  type QuickView,
} from '../../shared/cursor/quick-view.ts';
import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { FindPassages, FoundPassage, PastPassage } from '../../shared/memory/memory-view.ts';
import type {
  CursorWindow,
  ForeignWindow,
  OtherPrograms,
} from '../../shared/ports/other-programs.ts';
import { delay, makeRandomId } from '../../shared/ports/clock.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import { sanitizeLine } from '../../shared/text.ts';
import { spokenVoice } from '../../shared/settings/audio-settings.ts';
import { type ChatSettings, resolveUsualVoice } from '../../shared/settings/assistant-settings.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import type { FormatChatMemory, QuestionDeps } from '../chat/chat-context.ts';
import { OpenThread, type OpenThreadDeps } from '../chat/open-thread.ts';
import { MediaCache } from '../chat/attachments.ts';
import { actionPrompt, insertableText } from './cursor-texts.ts';
import type { CursorView } from './cursor-view.ts';
import { ServerRetry } from './server-retry.ts';
import { Offers } from './offers.ts';

export interface QuickAskDeps extends Pick<
  OpenThreadDeps,
  'openSession' | 'clock' | 'wallClock' | 'random' | 'player' | 'voice' | 'tools' | 'contextTokens'
> {
  readonly view: CursorView;
  readonly window: Pick<CursorWindow, 'show' | 'hide' | 'hasFocus'>;
  readonly programs: OtherPrograms;
  readonly settings: { readonly get: () => Settings };
  readonly prompts: () => Promise<CoreMessages['cursor']>;
  /** Reads the texts in the user's language; the result formats what is known of the user. */
  readonly memory: () => Promise<FormatChatMemory>;
  readonly findPast: FindPassages;
  /** Reads the texts in the user's language; the result formats passages of earlier conversations. */
  readonly formatPast: () => Promise<NonNullable<QuestionDeps['formatPast']>>;
  /** Reads a voice, which must be in memory before an answer can use it. */
  readonly readyVoice: (id: string) => Promise<Outcome<undefined>>;
  readonly captureScreen: () => Promise<Outcome<Uint8Array>>;
  /** A part of the screen that the user chooses; undefined if they cancel. */
  readonly captureRegion: () => Promise<Outcome<Uint8Array | undefined>>;
  /** Opens the conversation in Chat, with its pictures and passages. `retryTurn` is the id of an answer to ask for again. */
  readonly adopt: (
    chat: Pick<OpenThread, 'conversation' | 'past'>,
    media: MediaCache,
    retryTurn: string | undefined,
  ) => Promise<void>;
  readonly post: PostNotice;
  /** The window no longer shows a question. */
  readonly onClosed: () => void;
}

interface OpenQuestion {
  readonly chat: OpenThread;
  readonly prompts: CoreMessages['cursor'];
  readonly media: MediaCache;
  readonly target: ForeignWindow | undefined;
  /** Whether the next answer is inserted into the other program when it is complete. */
  insertsAnswer: boolean;
  /** Whether Chat takes over the conversation. A second time would replace it there, and stop its answer. */
  isContinuing: boolean;
}

/** The wait after hiding the window, in which other programs redraw what it covered. */
const redrawMs = 120;

/** The characters that fit on a button. */
const maxTitle = 60;

/** Answers questions in the small window, about what the user has at hand. Stores no conversation. */
export class QuickAsk {
  readonly #deps: QuickAskDeps;
  readonly #offers = new Offers();
  readonly #wait: ServerRetry;
  #open: OpenQuestion | undefined;
  /** Counts openings and closings, so that a slow step of an older opening changes nothing. */
  #openings = 0;
  /** Resolves when the last close has given the focus back. */
  #focusReturned: Promise<unknown> | undefined;

  constructor(deps: QuickAskDeps) {
    this.#deps = deps;
    this.#wait = new ServerRetry({
      clock: deps.clock,
      onRetry: () => this.#askAgain(),
      onChanged: (wait) => deps.view.change({ wait }),
    });
  }

  get isAnswering(): boolean {
    return this.#open?.chat.isBusy ?? false;
  }

  snapshot(): QuickView {
    const conversation = this.#open?.chat.conversation ?? emptyThread;
    return { state: this.#deps.view.state, conversation };
  }

  /** Opens the window. While an answer comes, it only gets the focus. */
  async open(draft = ''): Promise<void> {
    if (this.#open?.chat.isBusy === true) this.#show({}, true);
    else await this.#begin(draft, true);
  }

  /** Opens the window and asks with an action. An answer that replaces the selection needs no focus. */
  async openWithAction(id: string): Promise<void> {
    const action = this.#findAction(id);
    if (!(await this.#begin('', action?.inPlace !== true))) return;
    const asked = this.runAction(id);
    if (!asked.ok) this.#show({ error: asked.error }, true);
    else if (this.#open !== undefined) this.#open.insertsAnswer = action?.inPlace === true;
  }

  /** Closes the window and gives the focus back, unless the user has moved on to another window. */
  readonly close = async (): Promise<void> => {
    const { window, programs } = this.#deps;
    const target = window.hasFocus() ? this.#open?.target : undefined;
    window.hide();
    this.#focusReturned = target === undefined ? undefined : programs.focus(target);
    await Promise.all([this.#focusReturned, this.#forget()]);
  };

  readonly include = (kind: OfferKind, included: boolean): void => {
    this.#offers.include(kind, included);
    this.#showOffers();
  };

  readonly captureScreen = (): Promise<Outcome<undefined>> =>
    this.#capture('screen', this.#deps.captureScreen);

  readonly captureRegion = (): Promise<Outcome<undefined>> =>
    this.#capture('region', this.#deps.captureRegion);

  /** Asks with passages of earlier conversations, if the question refers to them. */
  readonly ask = async (
    text: string,
    leaveOut?: readonly HistoryRef[],
  ): Promise<Outcome<undefined>> => {
    const opening = this.#openings;
    const past = await this.#deps.findPast(text, { leaveOut });
    // Meanwhile the window may have been closed, or opened again.
    return opening === this.#openings
      ? this.#ask(text, '', past, leaveOut)
      : failure('messageGone');
  };

  /** The passages that would be sent with a question. */
  readonly findPast = async (text: string): Promise<readonly PastPassage[]> =>
    (await this.#deps.findPast(text)).map(({ passage }) => passage);

  readonly forgetPassage = (turn: string, place: HistoryRef): Outcome<undefined> =>
    this.#open?.chat.forgetPassage(turn, place) ?? failure('messageGone');

  /** The user deleted a talk or chat: its passages are not sent again when a question is repeated. */
  readonly forgetDeleted: OpenThread['forgetDeleted'] = (deleted) =>
    this.#open?.chat.forgetDeleted(deleted);

  /** Asks about the selection or the clipboard, else about the conversation so far. */
  readonly runAction = (id: string): Outcome<undefined> => {
    const action = this.#findAction(id);
    const open = this.#open;
    if (action === undefined || open === undefined) return failure('cursorActionGone');
    const textOffer = this.#offers.textOffer();
    if (textOffer !== undefined) this.#offers.include(textOffer, true);
    else if (open.chat.conversation.turns.length === 0) return failure('cursorNothingSelected');
    const worksOn = this.#offers.list().find(({ kind }) => kind === textOffer);
    const isFirst = open.chat.conversation.title === '';
    const prompt = actionPrompt(action, open.prompts, this.#deps.settings.get().cursor);
    const asked = this.#ask(prompt, id);
    // The action's own words would be the title of all its chats.
    if (asked.ok && isFirst && worksOn !== undefined) open.chat.rename(worksOn.excerpt);
    return asked;
  };

  readonly stop = (): void => this.#open?.chat.stop();

  readonly decideCall = (call: string, decision: CallDecision): Outcome<undefined> =>
    this.#open?.chat.decideCall(call, decision) ?? failure('toolCallGone');

  /** Starts or ends the wait for a busy server. An answer after a wait is shown, not inserted: the user may work elsewhere. */
  readonly waitForServer = (wait: boolean): void => {
    if (wait) this.#wait.begin();
    else if (this.#wait.end()) this.stop();
  };

  readonly retry = (turn: string): Outcome<undefined> => {
    this.#wait.end();
    return this.#open?.chat.retry(turn) ?? failure('messageGone');
  };

  readonly play = (turn: string): Outcome<undefined> =>
    this.#open?.chat.play(turn) ?? failure('messageGone');

  readonly silence = (): void => this.#open?.chat.silence();

  readonly copy = (turn: string): Outcome<undefined> => {
    const text = this.#answerText(turn);
    if (text === undefined) return failure('messageGone');
    this.#deps.programs.copy(text);
    this.#deps.view.change({ use: { kind: 'copied' } });
    return done;
  };

  /** Inserts an answer into the other program and closes the window. If that fails, the answer is on the clipboard. */
  readonly insert = async (turn: string): Promise<Outcome<undefined>> => {
    const text = this.#answerText(turn);
    if (text === undefined) return failure('messageGone');
    const { view, programs, window } = this.#deps;
    // The second click of a double click would insert the answer twice.
    if (view.state.use.kind === 'inserting') return done;
    const opening = this.#openings;
    view.change({ use: { kind: 'inserting' } });
    const inserted = await programs.insert(text, this.#open?.target);
    if (opening !== this.#openings) return done;
    if (inserted.ok) {
      window.hide();
      await this.#forget();
    } else this.#show({ use: { kind: 'copiedInstead', error: inserted.error } }, true);
    return done;
  };

  readonly continueInChat = async (): Promise<Outcome<undefined>> => {
    const open = this.#open;
    if (open === undefined || open.chat.conversation.turns.length === 0)
      return failure('messageGone');
    if (open.isContinuing) return done;
    open.isContinuing = true;
    const retryTurn = open.chat.isBusy ? open.chat.conversation.turns.at(-1)?.id : undefined;
    open.chat.stop();
    await this.#deps.adopt(open.chat, open.media, retryTurn);
    this.#deps.window.hide();
    await this.#forget();
    return done;
  };

  readonly applySettings = async (): Promise<void> => {
    this.#open?.chat.setOptions(await this.#readOptions());
  };

  readonly end = (): Promise<void> => this.#forget();

  /** Returns false if a newer opening has replaced this one. */
  async #begin(draft: string, focus: boolean): Promise<boolean> {
    this.#openings += 1;
    const opening = this.#openings;
    const { programs, prompts: readPrompts, view, settings } = this.#deps;
    const before = this.#open;
    // Otherwise the last close could take the focus away from the window that opens now.
    await this.#focusReturned;
    // Finds the active program before the window takes the focus.
    const [active, prompts, memory, formatPast, options] = await Promise.all([
      programs.active(),
      readPrompts(),
      this.#deps.memory(),
      this.#deps.formatPast(),
      this.#readOptions(),
    ]);
    if (opening !== this.#openings) return false;
    // While the small window itself has the focus, the earlier target stays.
    const target = active ?? (view.state.surface === 'ask' ? before?.target : undefined);
    const media = new MediaCache();
    const chat = this.#createChat(options, media, {
      defaultSystemPrompt: () => prompts.system,
      // The small window has its own system prompt, so the model plays no role from the settings.
      memory: (system) => memory(system, true),
      formatPast,
    });
    this.#open = { chat, prompts, media, target, insertsAnswer: false, isContinuing: false };
    this.#wait.end();
    void before?.chat.close();
    const { always } = settings.get().cursor;
    this.#offers.clear();
    if (target !== undefined) this.#offers.addWindow(target, always.window);
    this.#deps.post('quickPatch', { kind: 'replaced', conversation: chat.conversation });
    this.#show(
      {
        draft,
        target: sanitizeLine(target?.title ?? '', maxTitle),
        canInsert: programs.canInsert(target),
        offers: this.#offers.list(),
        action: '',
        use: { kind: 'none' },
        error: undefined,
        dictation: withoutResult(view.state.dictation),
      },
      focus,
    );
    const [selection, clipboard] = await Promise.all([programs.selection(), programs.clipboard()]);
    if (opening !== this.#openings) return false;
    this.#offers.addText('selection', selection, always.selection);
    this.#offers.addClipboard(clipboard, always.clipboard);
    this.#showOffers();
    return true;
  }

  /** Takes a picture of the screen. Hides the window meanwhile, because it covers what the user wants to show. */
  async #capture(
    kind: 'screen' | 'region',
    capture: () => Promise<Outcome<Uint8Array | undefined>>,
  ): Promise<Outcome<undefined>> {
    const opening = this.#openings;
    const { window, clock } = this.#deps;
    window.hide();
    await delay(clock, redrawMs);
    const captured = await capture();
    if (opening !== this.#openings) return done;
    this.#show({}, true);
    if (!captured.ok) return captured;
    if (captured.value !== undefined) this.#offers.addPicture(kind, captured.value, true);
    this.#showOffers();
    return done;
  }

  #createChat(
    options: ChatSettings,
    media: MediaCache,
    texts: Required<Pick<QuestionDeps, 'defaultSystemPrompt' | 'memory' | 'formatPast'>>,
  ): OpenThread {
    const chat: OpenThread = new OpenThread(
      { options },
      {
        ...this.#deps,
        ...texts,
        media,
        emit: (patch) => {
          if (this.#open?.chat === chat) this.#onPatch(patch);
        },
        onChanged: () => undefined,
      },
    );
    return chat;
  }

  #onPatch(patch: ChatPatch): void {
    this.#deps.post('quickPatch', patch);
    if (patch.kind !== 'answer' || patch.state.kind === 'streaming') return;
    const { state } = patch;
    this.#wait.handleResult(state.kind === 'failed' ? state.error : undefined);
    const open = this.#open;
    if (open?.insertsAnswer !== true) return;
    open.insertsAnswer = false;
    // A failed answer is shown; there is nothing to insert.
    if (state.kind === 'done') void this.insert(patch.turn);
    else this.#show({}, true);
  }

  #askAgain(): void {
    const turn = this.#open?.chat.conversation.turns.at(-1);
    if (turn === undefined || this.#open?.chat.retry(turn.id).ok !== true) this.#wait.end();
  }

  #ask(
    text: string,
    action: string,
    past: readonly FoundPassage[] = [],
    leaveOut: readonly HistoryRef[] = [],
  ): Outcome<undefined> {
    const open = this.#open;
    if (open === undefined) return failure('messageGone');
    if (open.chat.isBusy) return failure('answerComing');
    if (text.trim() === '') return failure('nothingToSend');
    this.#wait.end();
    const putPicture = (file: Uint8Array): string => {
      const id = makeRandomId(this.#deps.random);
      open.media.put(id, { type: 'image', file });
      return id;
    };
    const parts: readonly Part[] = [
      ...this.#offers.take(open.prompts, putPicture),
      { type: 'text', text },
    ];
    this.#deps.view.change({ offers: this.#offers.list(), action, use: { kind: 'none' } });
    return open.chat.send(parts, past, leaveOut);
  }

  #answerText(turn: string): string | undefined {
    const found = this.#open?.chat.conversation.turns.find(({ id }) => id === turn);
    return found?.role === 'assistant' && found.text !== ''
      ? insertableText(found.text)
      : undefined;
  }

  #findAction(id: string): CursorAction | undefined {
    return this.#deps.settings.get().cursor.actions.find((action) => action.id === id);
  }

  async #readOptions(): Promise<ChatSettings> {
    const { chat, voices, cursor } = this.#deps.settings.get();
    const options = resolveUsualVoice(chat, spokenVoice(voices));
    const spoken = { ...options, system: '', streaming: true, speech: cursor.speakAnswers };
    if (!cursor.speakAnswers) return spoken;
    const ready = await this.#deps.readyVoice(options.voice);
    return ready.ok ? spoken : { ...spoken, voice: 'none' };
  }

  #showOffers(): void {
    this.#deps.view.change({ offers: this.#offers.list() });
  }

  #show(changes: Partial<QuickState>, focus: boolean): void {
    const { view, window } = this.#deps;
    const opened = view.state.opened + 1;
    view.change({ ...changes, surface: 'ask', opened });
    window.show('ask', focus);
  }

  async #forget(): Promise<void> {
    this.#openings += 1;
    const open = this.#open;
    this.#open = undefined;
    this.#offers.clear();
    this.#wait.end();
    this.#deps.view.reset();
    this.#deps.onClosed();
    await open?.chat.close();
  }
}

/** The result of an earlier dictation would look like a problem of the question. Words that can be tried again stay. */
function withoutResult(dictation: DictationView): DictationView {
  const { state } = dictation;
  const isUnheard = state.kind === 'failed' && state.unheard === true;
  const isOver = state.kind === 'copiedInstead' || state.kind === 'nothingHeard' || isUnheard;
  return isOver ? idleDictation : dictation;
}
