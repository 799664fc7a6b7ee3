import type { ChatThread, Part, Turn } from '../../../shared/chat/chat-thread.ts';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { Attachment } from '../../chat/media-cache.ts';
import { encodeAttachment, listMediaParts } from '../../chat/stored-chat.ts';
import type { ExportTools, PackedEntry } from './export-tools.ts';

export const chatExports = ['md', 'txt', 'json'] as const;
type ChatExport = (typeof chatExports)[number];

type Words = CoreMessages['transcript'];

type Media = Exclude<Part, { readonly type: 'text' }>;

/** The file in which a picture or a sound lies beside the text; nothing where none does. */
export type FileOfMedia = (part: Media) => string | undefined;

/** A moment as ISO 8601 writes it. */
export type WriteTime = (ms: number) => string;

/** A written conversation as a text to be kept or given away: as it stands now, without what was said instead before. */
export function chatTranscript(
  chat: ChatThread,
  as: ChatExport,
  words: Words,
  write: WriteTime,
  fileOf: FileOfMedia = () => undefined,
): string {
  if (as === 'json') return jsonOf(chat, write, fileOf);
  const title = lineOf(chat.title) === '' ? words.chatTitle : lineOf(chat.title);
  const when = write(chat.createdAt);
  const head = as === 'md' ? `# ${escaped(title)}\n\n${when}` : `${title}\n${when}`;
  const turns = chat.turns.map((turn) => {
    const who = turn.role === 'user' ? words.you : 'Parley';
    return as === 'md'
      ? `**${who}**\n\n${markdownOf(turn, words, fileOf)}`
      : `${who}:\n${textOf(turn, words, fileOf)}`;
  });
  return `${[head, ...turns].join('\n\n')}\n`;
}

/** An answer is Markdown already; a question is what its letters say. */
function markdownOf(turn: Turn, words: Words, fileOf: FileOfMedia): string {
  if (turn.role === 'assistant') return answerOf(turn, words, (note) => `*${note}*`);
  return turn.parts
    .map((part) =>
      part.type === 'text'
        ? part.text.trim().split('\n').map(escaped).join('  \n')
        : linkOf(part, nameOf(part, words), fileOf(part)),
    )
    .join('\n\n');
}

function linkOf({ type }: Media, name: string, file: string | undefined): string {
  if (file === undefined) return `*${name}*`;
  return `${type === 'image' ? '!' : ''}[${name}](${file})`;
}

function textOf(turn: Turn, words: Words, fileOf: FileOfMedia): string {
  if (turn.role === 'assistant') return answerOf(turn, words, (note) => `(${note})`);
  return turn.parts
    .map((part) => {
      if (part.type === 'text') return part.text.trim();
      const file = fileOf(part);
      return `(${[nameOf(part, words), ...(file === undefined ? [] : [file])].join(': ')})`;
    })
    .join('\n');
}

/** Whether it is all of the answer is part of what it says. */
function answerOf(
  { text, state }: Extract<Turn, { readonly role: 'assistant' }>,
  words: Words,
  marked: (note: string) => string,
): string {
  const whole = state.kind === 'done' && !state.cutShort;
  return [text.trim(), ...(whole ? [] : [marked(words.unfinished)])]
    .filter((part) => part !== '')
    .join('\n\n');
}

function nameOf(part: Media, words: Words): string {
  return part.type === 'image' ? words.picture : words.clip;
}

function jsonOf(
  { title, createdAt, updatedAt, turns }: ChatThread,
  write: WriteTime,
  fileOf: FileOfMedia,
): string {
  const value = {
    format: 'parley-chat-transcript',
    version: 1,
    title,
    begunAt: write(createdAt),
    changedAt: write(updatedAt),
    turns: turns.map((turn) => ({
      by: turn.role === 'user' ? 'person' : 'parley',
      at: write(turn.at),
      ...(turn.role === 'user'
        ? { parts: turn.parts.map((part) => partOf(part, fileOf)) }
        : { text: turn.text, state: turn.state.kind }),
    })),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Ids of pictures mean nothing outside of Parley. */
function partOf(part: Part, fileOf: FileOfMedia) {
  if (part.type === 'text') return part;
  const file = fileOf(part);
  return part.type === 'image'
    ? { type: part.type, file }
    : { type: part.type, seconds: part.seconds, file };
}

function lineOf(text: string): string {
  return text.trim().replaceAll(/\s+/gu, ' ');
}

/** What Markdown would take for more than words. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>~|]/gu, String.raw`\$&`)
    .replace(/^(?<before>\s*\d*)(?<mark>#|[-+]\s|[.)]\s)/u, String.raw`$<before>\$<mark>`);
}

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
  for (const part of listMediaParts({ ...chat, branches: [] })) {
    if (stopped()) return failure('exportStopped');
    const attachment = await media(part.media);
    if (attachment === undefined) continue;
    const number = (counts[part.type] += 1);
    const name = part.type === 'image' ? `picture-${number}.jpg` : `sound-${number}.wav`;
    const written = await put(name, encodeAttachment(attachment));
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
