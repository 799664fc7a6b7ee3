import type { Page } from '../../shared/ipc/page.ts';
import { chatSettingsOf } from '../../shared/settings/chat.ts';
import { inputRate } from '../../shared/protocol/limits.ts';
import { encodeWav } from '../../shared/wav/encode-wav.ts';
import type { ChatDesk } from '../chat/chat-desk.ts';
import type { Attachment } from '../chat/media-shelf.ts';
import { orRefuse, Refusal } from '../ipc/refusal.ts';
import type { Failure, Outcome } from '../ports/outcome.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import { ClipTake } from './clip-take.ts';
import type { ChatHandlers } from './desk-handlers.ts';
import type { SoundTurns } from './sound-turns.ts';
import { SoundUse } from './sound-use.ts';
import type { SoundOpeners } from './talk-devices.ts';
import type { Post } from './talk-news.ts';

export interface ChatHandlerNeeds extends Pick<SoundOpeners, 'openMicrophone'> {
  /** Reads what is kept when it is asked for the first time. */
  readonly desk: () => Promise<ChatDesk>;
  /** A voice that is named in options has to be there before the next question. */
  readonly readyVoice: (id: string | undefined) => Promise<Outcome<undefined>>;
  readonly settings: Pick<SettingsStore, 'get' | 'change'>;
  readonly turns: SoundTurns;
  readonly post: Post;
}

/** What the requests about written conversations do. */
export function createChatHandlers(needs: ChatHandlerNeeds): ChatHandlers {
  const { desk, readyVoice, settings, turns, post } = needs;
  const clip = new SoundUse<ClipTake>({
    turns,
    close: (take) => take.end(),
    stopped: () => {
      post('clipRecording', { kind: 'stopped' });
    },
  });

  const openClip = async (): Promise<Outcome<ClipTake>> => {
    const take = new ClipTake(settings.get().audio, needs, (news) => {
      post('clipRecording', news);
    });
    return { ok: true, value: await take.opened() };
  };

  /** Does something to the open conversation. */
  const within = async (act: (desk: ChatDesk) => Outcome<undefined>): Promise<undefined> =>
    orRefuse(act(await desk()));

  return {
    chat: async () => {
      const { chat, list } = await desk();
      const { conversation, options, busy } = chat;
      return { conversation, options, busy, list: list() };
    },
    searchChats: async ({ query }) => (await desk()).search(query),
    sendChat: ({ parts, chat: id }) =>
      within(({ chat }) =>
        id === undefined || id === chat.conversation.id ? chat.send(parts) : elsewhere,
      ),
    stopChat: async () => {
      (await desk()).chat.stop();
      return undefined;
    },
    retryChat: ({ turn }) => within(({ chat }) => chat.retry(turn)),
    editChat: ({ turn, parts }) => within(({ chat }) => chat.edit(turn, parts)),
    removeChatTurn: ({ turn }) => within(({ chat }) => chat.remove(turn)),
    chooseChatBranch: ({ branch }) => within(({ chat }) => chat.choose(branch)),
    setChatOptions: async (options) => {
      orRefuse(await readyVoice(options.voice));
      const chat = chatSettingsOf(options, settings.get().voices.speech);
      orRefuse(settings.change({ chat }));
      (await desk()).chat.setOptions(options);
      return undefined;
    },
    playChat: ({ turn }) => within(({ chat }) => (turns.free ? chat.play(turn) : soundTaken)),
    silenceChat: async () => {
      (await desk()).chat.silence();
      return undefined;
    },
    beginChat: async () => {
      (await desk()).begin();
      return undefined;
    },
    openChat: async ({ id }) => orRefuse(await (await desk()).open(id)),
    renameChat: ({ id, title }) => within(({ rename }) => rename(id, title)),
    pinChat: ({ id, pinned }) => within(({ pin }) => pin(id, pinned)),
    removeChat: async ({ id }) => orRefuse(await (await desk()).remove(id)),
    attachFile: async ({ name, file }) =>
      orRefuse(await (await desk()).attachments.addFile(name, file)),
    forgetAttachment: async ({ media }) => {
      (await desk()).attachments.forget(media);
      return undefined;
    },
    chatMedia: async ({ media }) => {
      const found = (await desk()).media(media);
      if (found === undefined) {
        throw new Refusal('This picture or sound is no longer there.', 'mediaGone');
      }
      return { type: found.type, file: fileOf(found) };
    },
    recordClip: async (_input: undefined, page: Page) => orRefuse(await clip.begin(page, openClip)),
    attachClip: async () => {
      const take = await clip.take();
      if (take === undefined) throw new Refusal('Nothing is being recorded.', 'notRecording');
      const samples = await take.samples();
      return orRefuse((await desk()).attachments.addRecording(samples));
    },
    cancelClip: async () => {
      await clip.cancel();
      return undefined;
    },
  };
}

/** Two pages may look at the one that is open, and each may open another. */
const elsewhere: Failure = {
  ok: false,
  problem: 'Another conversation was opened meanwhile: open this one and send it again.',
  why: 'chatElsewhere',
};

const soundTaken: Failure = {
  ok: false,
  problem:
    'The speaker is needed for something else: end the talk, or stop what is being recorded, first.',
  why: 'speakerNeeded',
};

/** Pages play what they know: 16 bits are enough for their ears. */
function fileOf(media: Attachment): Uint8Array {
  if (media.type === 'image') return media.file;
  return encodeWav(media.samples, { rate: inputRate, channels: 1, coding: 'pcm16' });
}
