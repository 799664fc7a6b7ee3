import {
  type ChatPatch,
  type ChatSearchHit,
  type ChatSummary,
  type ChatThread,
  type ChatView,
  maxClipSeconds,
  type Part,
} from '../../shared/chat/chat-thread.ts';
import { type ChatSettings, toStoredVoice } from '../../shared/settings/assistant-settings.ts';
import { type AppError, done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
import { type Attachment, Attachments, MediaCache } from './attachments.ts';
import { type ChatIndex, ChatLibrary, type ChatLibraryEvent } from './chat-library.ts';
import { OpenThread, type OpenThreadDeps, type OpenThreadOptions } from './open-thread.ts';
import { type ChatStore, encodeAttachment, listMediaParts } from './stored-chat.ts';
import type { ChatHandlers } from '../../shared/ipc/chat-ipc.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { FindPassages, FoundPassage } from '../../shared/memory/memory-view.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import { spokenVoice } from '../../shared/settings/audio-settings.ts';
import { MicrophoneRecording } from '../audio/capture/microphone-recording.ts';
import { DeviceLease, type DeviceLock } from '../audio/devices/device-lease.ts';
import type { SoundOpeners } from '../audio/devices/sound-devices.ts';
import type { SettingsStore } from '../settings/settings-store.ts';

export interface ChatControllerDeps extends Omit<OpenThreadDeps, 'media' | 'emit' | 'onChanged'> {
  readonly pictures: Pick<Pictures, 'prepare'>;
  readonly store: ChatStore;
  readonly index: ChatIndex;
  readonly emit: (event: ChatPatch | ChatLibraryEvent) => void;
}

interface OpenOptions {
  readonly keep: boolean;
  readonly options: ChatSettings;
  /** Limit for pictures and sounds in memory. */
  readonly maxMediaBytes?: number | undefined;
}

/** Lists the stored conversations and opens an empty one. */
export async function openChatController(
  options: OpenOptions,
  deps: ChatControllerDeps,
): Promise<ChatController> {
  const controller = new ChatController(options, deps);
  await controller.refresh();
  return controller;
}

/** The list of conversations and the open one, for the requests of the chat page. */
export class ChatController {
  readonly attachments: Attachments;
  readonly #deps: ChatControllerDeps;
  readonly #media: MediaCache;
  readonly #library: ChatLibrary;
  readonly #closings = new Set<Promise<void>>();
  readonly #deleted = new Set<string>();
  #open: OpenThread;
  /** Counts requests to open a conversation, so that a slow one cannot replace the result of a newer one. */
  #openRequests = 0;

  constructor({ keep, options, maxMediaBytes }: OpenOptions, deps: ChatControllerDeps) {
    const { pictures, store, index, clock, random, emit } = deps;
    this.#deps = deps;
    this.#media = new MediaCache(maxMediaBytes, () => {
      const parts = listMediaParts(this.#open.conversation);
      return new Set(parts.map((part) => part.media));
    });
    this.#library = new ChatLibrary(keep, { store, index, media: this.#media, clock, emit });
    this.attachments = new Attachments({ pictures, media: this.#media, random });
    this.#open = this.#start({ options });
  }

  /** The open conversation, which always exists. An empty one is not listed. */
  get chat(): OpenThread {
    return this.#open;
  }

  /** Whether the open conversation is never stored. */
  get isIncognito(): boolean {
    return this.#library.isWithheld(this.#open.conversation.id);
  }

  /** Why conversations are not stored now. */
  get problems(): readonly AppError[] {
    return this.#library.problems;
  }

  readonly list = (): readonly ChatSummary[] => this.#library.list();

  readonly search = (query: string): Promise<Outcome<readonly ChatSearchHit[]>> =>
    this.#library.search(query);

  /** Reads the list again after the folders were scanned. */
  readonly refresh = (): Promise<void> => this.#library.refresh();

  /**
   * Opens an empty conversation. An answer in progress is stopped and kept. An `incognito` conversation is never
   * written to disk.
   */
  readonly begin = (options?: { readonly incognito: boolean }): void => {
    this.#show({});
    if (options?.incognito === true) this.#library.withhold(this.#open.conversation.id);
  };

  /** Opens a conversation that another part of Parley began, with its pictures, sounds and passages. */
  readonly adopt = (
    { conversation, past }: Pick<OpenThread, 'conversation' | 'past'>,
    media: MediaCache,
  ): void => {
    for (const { media: id } of listMediaParts(conversation)) {
      const attachment = media.get(id);
      if (attachment !== undefined) this.#media.put(id, attachment);
    }
    this.#show({ conversation, past });
    this.#library.save(conversation);
  };

  /** Opens a conversation, in the version that has `turn`. */
  readonly open = async (id: string, turn?: string): Promise<Outcome<undefined>> => {
    this.#openRequests += 1;
    const openRequest = this.#openRequests;
    if (this.#isOpen(id)) return turn === undefined ? done : this.#open.showTurn(turn);
    const found = await this.#library.open(id);
    if (!found.ok) return found;
    // A conversation that was deleted may be back: its removal failed, or the user took it out of the trash.
    this.#deleted.delete(id);
    if (openRequest === this.#openRequests) this.#show({ conversation: found.value, turn });
    // Media of a conversation that is not stored exist only in memory.
    if (this.#library.isStored(id))
      this.#media.markStored(listMediaParts(found.value).map((part) => part.media));
    return done;
  };

  /** Returns a conversation. Its pictures and sounds are loaded only if it is the open one. */
  readonly thread = async (id: string): Promise<Outcome<ChatThread>> =>
    this.#isOpen(id) ? { ok: true, value: this.#open.conversation } : this.#library.thread(id);

  readonly rename = async (id: string, title: string): Promise<Outcome<undefined>> => {
    const renamed = await this.#library.rename(id, title);
    if (renamed.ok && this.#isOpen(id)) this.#open.rename(title);
    return renamed;
  };

  readonly pin = (id: string, pinned: boolean): Promise<Outcome<undefined>> =>
    this.#library.pin(id, pinned);

  /** Removes a question with its answer, or an answer alone, also if another conversation is open by now. */
  readonly removeTurn = async (id: string, turn: string): Promise<Outcome<undefined>> =>
    this.#isOpen(id) ? this.#open.remove(turn) : this.#library.removeTurn(id, turn);

  readonly remove = (id: string): Promise<Outcome<undefined>> => {
    this.#deleted.add(id);
    if (this.#isOpen(id)) this.#show({});
    return this.#library.remove(id);
  };

  readonly removeAll = (): Promise<Outcome<undefined>> => {
    for (const { id } of this.#library.list()) this.#deleted.add(id);
    this.#deleted.add(this.#open.conversation.id);
    this.#show({});
    return this.#library.removeAll();
  };

  readonly setKeep = (keep: boolean): void => this.#library.setKeep(keep);

  readonly media = (id: string): Promise<Attachment | undefined> => this.#library.media(id);

  /** Resolves when all connections are closed and the pending writes were tried once more. */
  readonly close = async (): Promise<void> => {
    await Promise.all([...this.#closings, this.#open.close()]);
    await this.#library.end();
  };

  #isOpen(id: string): boolean {
    return id === this.#open.conversation.id;
  }

  #start(options: OpenThreadOptions): OpenThread {
    const chat: OpenThread = new OpenThread(options, {
      ...this.#deps,
      media: this.#media,
      memory: (system, isOwn) =>
        this.#library.isWithheld(chat.conversation.id)
          ? undefined
          : this.#deps.memory?.(system, isOwn),
      emit: (patch) => {
        // Pages do not show patches of a conversation that is no longer open.
        if (this.#open === chat) this.#deps.emit(patch);
      },
      onChanged: (changed) => {
        if (!this.#deleted.has(changed.id)) this.#library.save(changed);
      },
    });
    return chat;
  }

  #show(shown: Omit<OpenThreadOptions, 'options'>): void {
    this.#openRequests += 1;
    const previous = this.#open;
    const closing = previous.close().finally(() => this.#closings.delete(closing));
    this.#closings.add(closing);
    this.#open = this.#start({ ...shown, options: previous.options });
    this.#media.trim();
    this.#deps.emit({ kind: 'replaced', conversation: this.#open.conversation });
  }
}

export interface ChatHandlerDeps {
  readonly devices: Pick<SoundOpeners, 'openMicrophone'>;
  /** Opens the controller on first use. */
  readonly openController: () => Promise<ChatController>;
  /** Loads the voice of the options, so that it is ready for the next question. */
  readonly readyVoice: (id: string) => Promise<Outcome<undefined>>;
  readonly findPast: FindPassages;
  readonly settings: Pick<SettingsStore, 'get' | 'change'>;
  readonly lock: DeviceLock;
  readonly post: PostNotice;
  /** Marks the view with the current revision, because it includes every patch posted so far. */
  readonly stamp: (view: ChatView) => ChatView;
}

export function createChatHandlers(deps: ChatHandlerDeps): ChatHandlers {
  const { devices, openController, readyVoice, findPast, settings, lock, post, stamp } = deps;
  const clip = new DeviceLease<MicrophoneRecording>({
    lock,
    close: (take) => take.end(),
    onPreempted: () => post('clipRecording', { kind: 'stopped' }),
  });

  const openClip = async (): Promise<Outcome<MicrophoneRecording>> => {
    const take = new MicrophoneRecording({
      devices,
      audio: () => settings.get().audio,
      maxSeconds: maxClipSeconds,
      emit: (event) => post('clipRecording', event),
    });
    return { ok: true, value: await take.opened() };
  };

  const withController = async <Value = undefined>(
    act: (controller: ChatController) => Outcome<Value> | Promise<Outcome<Value>>,
  ): Promise<Outcome<Value>> => act(await openController());

  /** Passages of History for a question; none in a chat that is not stored. */
  const pastOf = async (
    { chat, isIncognito }: ChatController,
    parts: readonly Part[],
    leaveOut?: readonly HistoryRef[],
  ): Promise<readonly FoundPassage[]> => {
    if (isIncognito) return [];
    const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return findPast(texts.join('\n'), { openChat: chat.conversation.id, leaveOut });
  };

  return {
    chat: async () => {
      const { chat, list, problems } = await openController();
      const { conversation, options } = chat;
      return stamp({ conversation, options, list: list(), problems });
    },
    searchChats: ({ query }) => withController(({ search }) => search(query)),
    sendChat: ({ parts, chat: id, leaveOut }) =>
      withController(async (controller) => {
        const { chat } = controller;
        if (id !== undefined && id !== chat.conversation.id) return otherChatOpen;
        const past = await pastOf(controller, parts, leaveOut);
        // Meanwhile another page may have opened a different conversation.
        return chat === controller.chat ? chat.send(parts, past, leaveOut) : otherChatOpen;
      }),
    findPast: async ({ text }) => {
      const found = await pastOf(await openController(), [{ type: 'text', text }]);
      return found.map(({ passage }) => passage);
    },
    forgetPassage: ({ turn, place }) =>
      withController(({ chat }) => chat.forgetPassage(turn, place)),
    stopChat: async () => {
      (await openController()).chat.stop();
    },
    retryChat: ({ turn }) => withController(({ chat }) => chat.retry(turn)),
    goOnChat: ({ turn }) => withController(({ chat }) => chat.continueAnswer(turn)),
    editChat: ({ turn, parts }) =>
      withController(async (controller) => {
        const { chat } = controller;
        const past = await pastOf(controller, parts, chat.leftOutOf(turn));
        return chat === controller.chat ? chat.edit(turn, parts, past) : otherChatOpen;
      }),
    decideChatCall: ({ call, decision }) =>
      withController(({ chat }) => chat.decideCall(call, decision)),
    removeChatTurn: ({ chat, turn }) => withController(({ removeTurn }) => removeTurn(chat, turn)),
    chooseChatBranch: ({ branch }) => withController(({ chat }) => chat.chooseBranch(branch)),
    setChatOptions: async (options) => {
      const ready = await readyVoice(options.voice);
      if (!ready.ok) return ready;
      const chat = toStoredVoice(options, spokenVoice(settings.get().voices));
      const changed = settings.change({ chat });
      if (!changed.ok) return changed;
      (await openController()).chat.setOptions(options);
      return done;
    },
    playChat: ({ turn }) =>
      withController(({ chat }) => (lock.isFree ? chat.play(turn) : speakerBusy)),
    silenceChat: async () => {
      (await openController()).chat.silence();
    },
    beginChat: async (options) => {
      (await openController()).begin(options);
    },
    openChat: ({ id, turn }) => withController(({ open }) => open(id, turn)),
    renameChat: ({ id, title }) => withController(({ rename }) => rename(id, title)),
    pinChat: ({ id, pinned }) => withController(({ pin }) => pin(id, pinned)),
    removeChat: ({ id }) => withController(({ remove }) => remove(id)),
    attachFile: ({ name, file }) =>
      withController(({ attachments }) => attachments.addFile(name, file)),
    forgetAttachment: async ({ media }) => {
      (await openController()).attachments.forget(media);
    },
    chatMedia: async ({ media }) => {
      const found = await (await openController()).media(media);
      return found === undefined
        ? failure('mediaGone')
        : { type: found.type, file: encodeAttachment(found) };
    },
    recordClip: (_input, page) => clip.begin(page, openClip),
    attachClip: async () => {
      const samples = await clip.finish(async (take) => {
        await take.end();
        return take.samples();
      });
      if (samples === undefined) return failure('notRecording');
      return withController(({ attachments }) => attachments.addRecording(samples));
    },
    cancelClip: () => clip.cancel(),
  };
}

/** Another page may have opened a different conversation. */
const otherChatOpen = failure('chatElsewhere');

const speakerBusy = failure('speakerNeeded');
