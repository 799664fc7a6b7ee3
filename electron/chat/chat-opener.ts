import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type { Outcome } from '../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import { type Lifetime, openOnce } from '../../shared/lifetime.ts';
import type { DataFolder } from '../../shared/ports/files.ts';
import { spokenVoice } from '../../shared/settings/audio-settings.ts';
import { type ChatSettings, withSpokenVoice } from '../../shared/settings/chat-settings.ts';
import { instructionsOf, type PresetMessages } from '../../shared/settings/preset.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import type { JitterBuffer } from '../audio/playback/jitter-buffer.ts';
import type { ServerPaces } from '../settings/servers/server-memory.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { SessionEvent } from '../talk/session/session-event.ts';
import type { WrittenSession } from '../talk/session/session.ts';
import type { ChatController, openChatController } from './chat-controller.ts';
import { type ChatStore, oldChatsIn } from './stored-chat.ts';

type OpenArguments = Parameters<typeof openChatController>;

interface Deps {
  readonly settings: Pick<SettingsStore, 'get'>;
  /** A stored voice, as sessions take it. */
  readonly voiceSound: (id: string) => Promise<Outcome<Float32Array>>;
  readonly presetMessages: () => Promise<PresetMessages>;
  readonly carryOverMessages: () => Promise<CoreMessages['carryOver']>;
  readonly sessions: Pick<ChatSessions, 'answered'>;
  readonly open: (
    how: OpenArguments[0],
    deps: Pick<OpenArguments[1], 'voice' | 'manner' | 'goOnPrompt' | 'emit'>,
  ) => Promise<ChatController>;
  readonly notices: { readonly post: PostNotice };
  readonly retention: { cutoff(kind: 'days'): number | undefined };
  /** Where conversations go that have been kept for long enough, and the folder that they come from. */
  readonly trash: {
    put(folder: DataFolder, name: string): Promise<Outcome<undefined>>;
    tidy(): Promise<Outcome<undefined>>;
  };
  readonly folder: DataFolder;
  readonly chatStore: Pick<ChatStore, 'list' | 'read'>;
  readonly lifetime: Lifetime;
}

/** Opens the written conversations when they are first asked for, and keeps them as the settings are. */
export class ChatOpener {
  readonly #deps: Deps;
  readonly #voices = new Map<string, Float32Array>();
  #opened: ChatController | undefined;
  /** In the language of the settings: read when those change, needed when a question is asked. */
  #presets: PresetMessages | undefined;
  #goOnPrompt = '';

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly controller = openOnce(() => this.#open());

  /** A voice has to be read before an answer can be asked for in it. */
  readonly readyVoice = async (id: string): Promise<Outcome<undefined>> => {
    if (id === 'none') return done;
    const sound = await this.#deps.voiceSound(id);
    if (!sound.ok) return sound;
    this.#voices.set(id, sound.value);
    return done;
  };

  get busy(): boolean {
    return this.#opened?.chat.busy ?? false;
  }

  /** Lets old conversations go; they are opened for it where nobody has asked for them yet. */
  readonly tidy = async (): Promise<void> => {
    if (this.#opened === undefined) await this.controller();
    else await this.#removeOld(this.#opened);
  };

  /** The folders were looked at again; where nobody has asked for conversations yet, nobody has a list. */
  readonly foldersLookedAt = (): void => {
    void this.#opened?.refresh();
  };

  /** Changed elsewhere: in the settings, or by another Parley. */
  settingsChanged(settings: Settings): void {
    this.#opened?.setKeep(settings.privacy.keepChats);
    if (this.#opened !== undefined) void this.#readPresets();
    void this.#applyOptions();
  }

  async #open(): Promise<ChatController> {
    const { settings, notices, lifetime, open } = this.#deps;
    const { privacy } = settings.get();
    await this.#readPresets();
    const persisted = optionsIn(settings.get());
    const ready = await this.readyVoice(persisted.voice);
    const options: ChatSettings = ready.ok ? persisted : { ...persisted, voice: 'none' };
    const controller = await open(
      { keep: privacy.keepChats, options },
      {
        voice: (id) => this.#voices.get(id),
        manner: () => this.#manner(),
        goOnPrompt: () => this.#goOnPrompt,
        emit: (event) => {
          if (event.kind === 'problem') notices.post('chatProblem', event.error);
          else if (event.kind === 'problemOver') notices.post('problemOver', { code: event.code });
          else if (event.kind !== 'list') this.#postPatch(event);
          // While the controller is being opened nobody has a list yet.
          else if (this.#opened !== undefined) notices.post('chatList', this.#opened.list());
        },
      },
    );
    this.#opened = controller;
    lifetime.add(controller.close, 'a written conversation');
    // What was stored took its time to be read, and nobody was there to take a change.
    const { keepChats } = settings.get().privacy;
    if (keepChats !== privacy.keepChats) controller.setKeep(keepChats);
    await this.#applyOptions();
    await this.#removeOld(controller);
    return controller;
  }

  async #readPresets(): Promise<void> {
    this.#presets = await this.#deps.presetMessages();
    this.#goOnPrompt = (await this.#deps.carryOverMessages()).goOnAnswer;
  }

  #manner(): string {
    const { assistant } = this.#deps.settings.get();
    return this.#presets === undefined ? '' : instructionsOf(assistant, this.#presets);
  }

  async #removeOld(controller: ChatController): Promise<void> {
    const { notices, retention, trash, folder, chatStore } = this.#deps;
    const emptied = await trash.tidy();
    if (!emptied.ok) notices.post('chatProblem', emptied.error);
    const oldest = retention.cutoff('days');
    if (oldest === undefined) return;
    const old = await oldChatsIn(chatStore, oldest);
    if (!old.ok) notices.post('chatProblem', old.error);
    for (const id of old.ok ? old.value : []) {
      const kept = await trash.put(folder, id);
      const removed = kept.ok ? await controller.remove(id) : kept;
      if (!removed.ok) notices.post('chatProblem', removed.error);
    }
  }

  async #applyOptions(): Promise<void> {
    const { settings } = this.#deps;
    const options = optionsIn(settings.get());
    if (this.#opened === undefined || isSame(options, this.#opened.chat.options)) return;
    const ready = await this.readyVoice(options.voice);
    // A voice takes its time to be read: what was set since then has been applied by itself.
    if (ready.ok && isSame(options, optionsIn(settings.get())))
      this.#opened.chat.setOptions(options);
  }

  #postPatch(patch: ChatPatch): void {
    const { notices, sessions } = this.#deps;
    notices.post('chatPatch', patch);
    if (patch.kind === 'answer' && patch.state.kind !== 'streaming') sessions.answered();
  }
}

const done = { ok: true, value: undefined } as const;

/** The usual voice is the one that talks are spoken with. */
const optionsIn = ({ chat, voices }: Settings): ChatSettings =>
  withSpokenVoice(chat, spokenVoice(voices));

function isSame<Value>(one: Value, other: Value): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

type Tell = (event: SessionEvent) => void;

/**
 * The sessions of written conversations. When another server is chosen, the one that is open ends as
 * soon as its answer has come, so that the next question goes to the server the person sees.
 */
export class ChatSessions {
  readonly #open: (emit: Tell) => WrittenSession;
  readonly #sessions = new Set<WrittenSession>();
  #stale = false;

  constructor(open: (emit: Tell) => WrittenSession) {
    this.#open = open;
  }

  readonly openSession = (emit: Tell): WrittenSession => {
    this.#stale = false;
    let over = false;
    const session = this.#open((event) => {
      if (event.event === 'closed') {
        over = true;
        this.#sessions.delete(session);
      }
      emit(event);
    });
    // One that cannot even begin may say so at once.
    if (!over) this.#sessions.add(session);
    return session;
  };

  serverChanged(busy: boolean): void {
    this.#stale = this.#sessions.size > 0;
    if (!busy) this.answered();
  }

  answered(): void {
    if (!this.#stale) return;
    this.#stale = false;
    for (const session of this.#sessions) session.end();
  }
}

/** Spoken answers of chat share one playback, which learns of one server at a time. */
export class ChatPace {
  readonly #paces: ServerPaces;
  readonly #playback: Pick<JitterBuffer, 'pace' | 'setPace'>;
  #current: { readonly address: string | undefined } | undefined;

  constructor(paces: ServerPaces, playback: Pick<JitterBuffer, 'pace' | 'setPace'>) {
    this.#paces = paces;
    this.#playback = playback;
  }

  /** The next answers come from there. What is returned is to be called when that session is over. */
  answersFrom(address: string | undefined): () => void {
    this.#keep();
    const mine = { address };
    this.#current = mine;
    this.#playback.setPace(this.#paces.of(address));
    return () => {
      // Of a session that another has followed it was kept then.
      if (this.#current === mine) this.#keep();
    };
  }

  #keep(): void {
    if (this.#current !== undefined) {
      this.#paces.learned(this.#current.address, this.#playback.pace());
    }
  }
}
