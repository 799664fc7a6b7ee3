import type { ChatThread } from '../../shared/chat/chat-thread.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { ExportTools, PackedEntry } from '../ports/export-tools.ts';
import type { Outcome } from '../ports/outcome.ts';
import { chatExports, chatTranscript } from './chat-transcript.ts';
import type { WriteTime } from './chat-transcript.ts';
import type { Attachment } from './media-cache.ts';
import { bytesOf, mediaPartsOf } from './stored-chat.ts';

interface Deps {
  readonly tools: Pick<ExportTools, 'openScratch' | 'packZip'>;
  readonly write: (path: string, content: Uint8Array | string) => Promise<Outcome<undefined>>;
  /** A picture or sound by its id; nothing where it cannot be had any more. */
  readonly media: (id: string) => Promise<Attachment | undefined>;
  readonly words: CoreMessages['transcript'];
  readonly writeTime: WriteTime;
  readonly stopped: () => boolean;
}

/** A written conversation with its pictures and sounds, which its texts name: one zip, as it stands now. */
export async function writeChatZip(
  chat: ChatThread,
  output: string,
  deps: Deps,
): Promise<Outcome<undefined>> {
  const scratch = await deps.tools.openScratch();
  try {
    const entries = await writeFiles(chat, scratch.path, deps);
    if (!entries.ok) return entries;
    return deps.stopped()
      ? failure('exportStopped')
      : await deps.tools.packZip(output, entries.value);
  } finally {
    await scratch.remove();
  }
}

async function writeFiles(
  chat: ChatThread,
  folder: string,
  { write, media, words, writeTime, stopped }: Deps,
): Promise<Outcome<readonly PackedEntry[]>> {
  const entries: PackedEntry[] = [];
  const put = async (name: string, content: Uint8Array | string): Promise<Outcome<undefined>> => {
    const path = `${folder}/${name}`;
    const written = await write(path, content);
    if (written.ok) entries.push({ name, path });
    return written;
  };
  const files = new Map<string, string>();
  const counts = { image: 0, audio: 0 };
  // What was said instead before is not in the texts either.
  for (const part of mediaPartsOf({ ...chat, branches: [] })) {
    if (stopped()) return failure('exportStopped');
    const attachment = await media(part.media);
    if (attachment === undefined) continue;
    const number = (counts[part.type] += 1);
    const name = part.type === 'image' ? `picture-${number}.jpg` : `sound-${number}.wav`;
    const written = await put(name, bytesOf(attachment));
    if (!written.ok) return written;
    files.set(part.media, name);
  }
  for (const as of chatExports) {
    const text = chatTranscript(chat, as, words, writeTime, (part) => files.get(part.media));
    const written = await put(`conversation.${as}`, text);
    if (!written.ok) return written;
  }
  return { ok: true, value: entries };
}
