import { chatThreadCheck } from '../../shared/chat/chat-thread-checks.ts';
import type { ChatThread, Part, Turn } from '../../shared/chat/chat-thread.ts';
import { appError } from '../../shared/errors/app-error.ts';
import { inputRate } from '../../shared/protocol/protocol-limits.ts';
import { parseJsonObject } from '../../shared/protocol/json.ts';
import { encodeWav } from '../../shared/wav/encode-wav.ts';
import { soundFromWav } from '../sound/dsp/sound-from-wav.ts';
import type { StoredMedia } from '../ports/chat-store.ts';
import type { Attachment, MediaCache } from './media-cache.ts';

const maxClipDuration = 3600;
const cutByCrash = { kind: 'failed', error: appError('answerCutByCrash') } as const;

export type MediaPart = Exclude<Part, { type: 'text' }>;

export function serializeChat(conversation: ChatThread): string {
  return `${JSON.stringify({ version: 1, conversation }, undefined, 1)}\n`;
}

/** Nothing where the text is no conversation of this id. */
export function parseStoredChat(id: string, text: string): ChatThread | undefined {
  const checked = chatThreadCheck.safeParse(parseJsonObject(text)?.['conversation']);
  if (!checked.success || checked.data.id !== id) return undefined;
  const { turns, branches, ...rest } = checked.data;
  return {
    ...rest,
    turns: turns.map(afterRestart),
    branches: branches.map(({ id, after, turns }) => ({
      id,
      after,
      turns: turns.map(afterRestart),
    })),
  };
}

/**
 * Whoever quits stops the answer that is coming, and that is written: one that stands here as coming was cut by a crash
 * or a kill. Speech is kept for one run only.
 */
function afterRestart(turn: Turn): Turn {
  if (turn.role === 'user') return turn;
  return {
    ...turn,
    state: turn.state.kind === 'streaming' ? cutByCrash : turn.state,
    speechSeconds: 0,
  };
}

/** The pictures and sounds that a conversation names, also in what was set aside. */
export function mediaPartsOf({ turns, branches }: ChatThread): readonly MediaPart[] {
  const all = [...turns, ...branches.flatMap((branch) => branch.turns)];
  const parts = all.flatMap((turn) => (turn.role === 'user' ? turn.parts : []));
  const media = new Map<string, MediaPart>();
  for (const part of parts) if (part.type !== 'text') media.set(part.media, part);
  return [...media.values()];
}

export function mediaFileName({ type, media }: MediaPart): string {
  return `${media}.${type === 'image' ? 'jpg' : 'wav'}`;
}

/** All media by their names; of one that was never looked at in this run only the store has the bytes. */
export function mediaFilesOf(conversation: ChatThread, cache: MediaCache): readonly StoredMedia[] {
  return mediaPartsOf(conversation).map((part) => ({
    name: mediaFileName(part),
    bytes: () => {
      const attachment = cache.get(part.media);
      return attachment && bytesOf(attachment);
    },
  }));
}

export function attachmentOf({ type }: MediaPart, bytes: Uint8Array): Attachment | undefined {
  if (type === 'image') return { type, file: bytes };
  const sound = soundFromWav(bytes, inputRate, maxClipDuration);
  return sound.ok ? { type, samples: sound.value } : undefined;
}

/** As it is kept: a picture is as it came, a sound a WAV file. */
export function bytesOf(attachment: Attachment): Uint8Array {
  if (attachment.type === 'image') return attachment.file;
  return encodeWav(attachment.samples, { rate: inputRate, channels: 1, coding: 'pcm16' });
}
