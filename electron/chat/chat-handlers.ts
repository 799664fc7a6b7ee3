import { maxClipSeconds, type ChatView, type Part } from '../../shared/chat/chat-thread.ts';
import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { ChatHandlers } from '../../shared/ipc/chat-ipc.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { FindPassages, FoundPassage } from '../../shared/memory/memory-view.ts';
import type { HistoryRef } from '../../shared/recordings/history-item.ts';
import { spokenVoice } from '../../shared/settings/audio-settings.ts';
import { toStoredVoice } from '../../shared/settings/assistant-settings.ts';
import { MicrophoneRecording } from '../audio/capture/microphone-recording.ts';
import { DeviceLease, type DeviceLock } from '../audio/devices/device-lease.ts';
import type { SoundOpeners } from '../audio/devices/sound-devices.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { ChatController } from './chat-controller.ts';
import { encodeAttachment } from './stored-chat.ts';

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
    { chat, isUnkept }: ChatController,
    parts: readonly Part[],
    leaveOut?: readonly HistoryRef[],
  ): Promise<readonly FoundPassage[]> => {
    if (isUnkept) return [];
    const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return findPast(texts.join('\n'), { openChat: chat.conversation.id, leaveOut });
  };

  return {
    chat: async () => {
      const { chat, list } = await openController();
      const { conversation, options } = chat;
      return stamp({ conversation, options, list: list() });
    },
    searchChats: ({ query }) => withController(({ search }) => search(query)),
    sendChat: ({ parts, chat: id, leaveOut }) =>
      withController(async (controller) => {
        const { chat } = controller;
        if (id !== undefined && id !== chat.conversation.id) return otherChatOpen;
        const past = await pastOf(controller, parts, leaveOut);
        // Meanwhile another page may have opened a different conversation.
        return chat === controller.chat ? chat.send(parts, past) : otherChatOpen;
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
        const past = await pastOf(controller, parts);
        return chat === controller.chat ? chat.edit(turn, parts, past) : otherChatOpen;
      }),
    decideChatCall: ({ call, decision }) =>
      withController(({ chat }) => chat.decideCall(call, decision)),
    removeChatTurn: ({ turn }) => withController(({ chat }) => chat.remove(turn)),
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
    openChat: ({ id }) => withController(({ open }) => open(id)),
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
