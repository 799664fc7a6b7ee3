import type { ChatPatch } from '../../shared/chat/chat-thread.ts';
import { done, type Outcome } from '../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import { type Lifetime, openOnce } from '../../shared/lifetime.ts';
import type { DataFolder } from '../../shared/ports/files.ts';
import { spokenVoice } from '../../shared/settings/audio-settings.ts';
import { type ChatSettings, resolveUsualVoice } from '../../shared/settings/assistant-settings.ts';
import { resolveInstructions, type PresetMessages } from '../../shared/settings/preset.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import { isSameJson } from '../../shared/protocol/json.ts';
import type { JitterBuffer } from '../audio/playback/jitter-buffer.ts';
import type { PacedServer, ServerPaces } from '../settings/servers/server-facts.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { SessionEvent } from '../talk/session/session-event.ts';
import type { WrittenSession } from '../talk/session/session.ts';
import type { FormatChatMemory, QuestionDeps } from './chat-context.ts';
import type { ChatController, openChatController } from './chat-controller.ts';
import { type ChatStore, findOldChats } from './stored-chat.ts';

type OpenArguments = Parameters<typeof openChatController>;

interface Deps {
  readonly settings: Pick<SettingsStore, 'get'>;
  /** A stored voice at the rate that sessions take. */
  readonly voiceSound: (id: string) => Promise<Outcome<Float32Array>>;
  readonly presetMessages: () => Promise<PresetMessages>;
  readonly carryOverMessages: () => Promise<CoreMessages['carryOver']>;
  /** Reads the texts in the user's language; the result formats what is known of the user. */
  readonly memory: () => Promise<FormatChatMemory>;
  /** Reads the texts in the user's language; the result formats passages of earlier conversations. */
  readonly formatPast: () => Promise<NonNullable<QuestionDeps['formatPast']>>;
  readonly sessions: Pick<ChatSessions, 'answerEnded'>;
  /** Called when an answer in the conversation with this id has ended, also if it failed or was stopped. */
  readonly onAnswered: (id: string) => void;
  readonly open: (
    how: OpenArguments[0],
    deps: Pick<
      OpenArguments[1],
      'voice' | 'defaultSystemPrompt' | 'memory' | 'formatPast' | 'continuePrompt' | 'emit'
    >,
  ) => Promise<ChatController>;
  readonly notices: { readonly post: PostNotice };
  readonly retention: { cutoff(kind: 'days'): number | undefined };
  /** The trash for expired conversations, and the folder they come from. */
  readonly trash: {
    put(folder: DataFolder, name: string): Promise<Outcome<undefined>>;
    prune(): Promise<Outcome<undefined>>;
  };
  readonly folder: DataFolder;
  readonly chatStore: Pick<ChatStore, 'list' | 'read'>;
  readonly lifetime: Lifetime;
}

/** Opens the chat controller on first use and applies the settings to it. */
export class ChatOpener {
  readonly #deps: Deps;
  readonly #voices = new Map<string, Float32Array>();
  #opened: ChatController | undefined;
  /** Texts in the settings' language, read when the settings change and used with a question. */
  #presets: PresetMessages | undefined;
  #continuePrompt = '';
  #memory: FormatChatMemory = () => undefined;
  #formatPast: NonNullable<QuestionDeps['formatPast']> = () => undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** A voice that `readyVoice` has read. */
  readonly voice = (id: string): Float32Array | undefined => this.#voices.get(id);

  readonly controller = openOnce(() => this.#open());

  /** Reads a voice, which must be in memory before an answer can use it. */
  readonly readyVoice = async (id: string): Promise<Outcome<undefined>> => {
    if (id === 'none') return done;
    const sound = await this.#deps.voiceSound(id);
    if (!sound.ok) return sound;
    this.#voices.set(id, sound.value);
    return done;
  };

  get isBusy(): boolean {
    return this.#opened?.chat.isBusy ?? false;
  }

  /** Removes expired conversations, opening the controller if necessary. */
  readonly removeExpired = async (): Promise<void> => {
    if (this.#opened === undefined) await this.controller();
    else await this.#removeExpiredFrom(this.#opened);
  };

  /** The user deleted a talk or chat, or all of a kind. */
  readonly forgetDeleted: ChatController['chat']['forgetDeleted'] = (deleted) =>
    this.#opened?.chat.forgetDeleted(deleted);

  /** The folders were scanned. Without a controller no page has a list to refresh. */
  readonly foldersScanned = (): void => {
    void this.#opened?.refresh();
  };

  /** Applies settings that a page or another Parley process changed. */
  settingsChanged(settings: Settings): void {
    this.#opened?.setKeep(settings.privacy.keepChats);
    if (this.#opened !== undefined) void this.#readPresets();
    void this.#applyOptions();
  }

  async #open(): Promise<ChatController> {
    const { settings, notices, lifetime, open } = this.#deps;
    const { privacy } = settings.get();
    await this.#readPresets();
    const stored = effectiveOptions(settings.get());
    const ready = await this.readyVoice(stored.voice);
    const options: ChatSettings = ready.ok ? stored : { ...stored, voice: 'none' };
    const controller = await open(
      { keep: privacy.keepChats, options },
      {
        voice: this.voice,
        defaultSystemPrompt: () => this.#defaultSystemPrompt(),
        memory: (system, isOwn) => this.#memory(system, isOwn),
        formatPast: (found) => this.#formatPast(found),
        continuePrompt: () => this.#continuePrompt,
        emit: (event) => {
          if (event.kind === 'problem') notices.post('chatProblem', event.error);
          else if (event.kind === 'problemOver') notices.post('problemOver', { code: event.code });
          else if (event.kind !== 'list') this.#postPatch(event);
          // No page has a list while the controller is being opened.
          else if (this.#opened !== undefined) notices.post('chatList', this.#opened.list());
        },
      },
    );
    this.#opened = controller;
    lifetime.add(controller.close, 'a written conversation');
    // The setting may have changed while the stored conversations were read.
    const { keepChats } = settings.get().privacy;
    if (keepChats !== privacy.keepChats) controller.setKeep(keepChats);
    await this.#applyOptions();
    await this.#removeExpiredFrom(controller);
    return controller;
  }

  async #readPresets(): Promise<void> {
    this.#presets = await this.#deps.presetMessages();
    this.#memory = await this.#deps.memory();
    this.#formatPast = await this.#deps.formatPast();
    this.#continuePrompt = (await this.#deps.carryOverMessages()).goOnAnswer;
  }

  #defaultSystemPrompt(): string {
    const { assistant } = this.#deps.settings.get();
    return this.#presets === undefined ? '' : resolveInstructions(assistant, this.#presets);
  }

  async #removeExpiredFrom(controller: ChatController): Promise<void> {
    const { notices, retention, trash, folder, chatStore } = this.#deps;
    const emptied = await trash.prune();
    if (!emptied.ok) notices.post('chatProblem', emptied.error);
    const oldest = retention.cutoff('days');
    if (oldest === undefined) return;
    const old = await findOldChats(chatStore, oldest);
    if (!old.ok) notices.post('chatProblem', old.error);
    for (const id of old.ok ? old.value : []) {
      const trashed = await trash.put(folder, id);
      const removed = trashed.ok ? await controller.remove(id) : trashed;
      if (!removed.ok) notices.post('chatProblem', removed.error);
    }
  }

  async #applyOptions(): Promise<void> {
    const { settings } = this.#deps;
    const options = effectiveOptions(settings.get());
    if (this.#opened === undefined || isSameJson(options, this.#opened.chat.options)) return;
    const ready = await this.readyVoice(options.voice);
    // If the settings changed again during the read, the call for that change applies the options.
    if (ready.ok && isSameJson(options, effectiveOptions(settings.get())))
      this.#opened.chat.setOptions(options);
  }

  #postPatch(patch: ChatPatch): void {
    const { notices, sessions } = this.#deps;
    notices.post('chatPatch', patch);
    if (patch.kind !== 'answer' || patch.state.kind === 'streaming') return;
    if (this.#opened !== undefined) this.#deps.onAnswered(this.#opened.chat.conversation.id);
    sessions.answerEnded();
  }
}

/** The default voice is the voice of talks. */
const effectiveOptions = ({ chat, voices }: Settings): ChatSettings =>
  resolveUsualVoice(chat, spokenVoice(voices));

type EmitSessionEvent = (event: SessionEvent) => void;

/** A session of the small window. A stale one ends after its answer. */
interface SharedSession {
  isAnswering: boolean;
  isStale: boolean;
  readonly end: () => void;
}

/**
 * Chat sessions. When the user chooses another server, or a talk needs the model, the open session ends after its
 * answer. The next question opens another.
 */
export class ChatSessions {
  readonly #open: (emit: EmitSessionEvent) => WrittenSession;
  readonly #sessions = new Set<WrittenSession>();
  readonly #shared = new Set<SharedSession>();
  #stale = false;

  constructor(open: (emit: EmitSessionEvent) => WrittenSession) {
    this.#open = open;
  }

  readonly openSession = (emit: EmitSessionEvent): WrittenSession => {
    this.#stale = false;
    let isOver = false;
    const session = this.#open((event) => {
      if (event.event === 'closed') {
        isOver = true;
        this.#sessions.delete(session);
      }
      emit(event);
    });
    // A session that cannot begin may close before this line.
    if (!isOver) this.#sessions.add(session);
    return session;
  };

  /** Opens a session for the small window. After `release` it ends with its own answer, whether or not Chat is answering. */
  readonly openShared = (emit: EmitSessionEvent): WrittenSession => {
    const state: SharedSession = { isAnswering: false, isStale: false, end: () => session.end() };
    this.#shared.add(state);
    const session = this.#open((event) => {
      if (event.event === 'closed') this.#shared.delete(state);
      if (event.event === 'done') state.isAnswering = false;
      emit(event);
      // The listener may have asked the next question.
      if (event.event === 'done' && state.isStale && !state.isAnswering) state.end();
    });
    return {
      get phase() {
        return session.phase;
      },
      ask: (question) => {
        state.isAnswering = true;
        session.ask(question);
      },
      end: state.end,
    };
  };

  /** Ends each open session: at once, or after the answer that it is giving. `busy`: Chat is answering. */
  release(busy: boolean): void {
    for (const state of this.#shared) {
      if (state.isAnswering) state.isStale = true;
      else state.end();
    }
    this.#stale = this.#sessions.size > 0;
    if (!busy) this.answerEnded();
  }

  answerEnded(): void {
    if (!this.#stale) return;
    this.#stale = false;
    for (const session of this.#sessions) session.end();
  }
}

/** Loads and saves the server pace of the playback that all spoken chat answers share. */
export class ChatPace {
  readonly #paces: ServerPaces;
  readonly #playback: Pick<JitterBuffer, 'pace' | 'setPace'>;
  #current: PacedServer | undefined;

  constructor(paces: ServerPaces, playback: Pick<JitterBuffer, 'pace' | 'setPace'>) {
    this.#paces = paces;
    this.#playback = playback;
  }

  /** Loads the pace of the server that answers next. Call the returned function when its session ends. */
  useServer(server: PacedServer): () => void {
    this.#savePace();
    const current = { ...server };
    this.#current = current;
    this.#playback.setPace(this.#paces.recall(current));
    return () => {
      // If another session has followed, `useServer` already saved this one's pace.
      if (this.#current === current) this.#savePace();
    };
  }

  #savePace(): void {
    if (this.#current !== undefined) this.#paces.remember(this.#current, this.#playback.pace());
  }
}
