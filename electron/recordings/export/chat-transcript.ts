import type { ChatThread, Part, ToolCall, Turn } from '../../../shared/chat/chat-thread.ts';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { toOneLine } from '../../../shared/text.ts';
import type { Attachment } from '../../chat/attachments.ts';
import { encodeAttachment, listMediaParts } from '../../chat/stored-chat.ts';
import type { ExportTools, PackedEntry } from './export-tools.ts';
import { formatTitleTime, type TranscriptWords } from './talk-transcript.ts';

export const chatExports = ['md', 'txt', 'json'] as const;
type ChatExport = (typeof chatExports)[number];

type Media = Exclude<Part, { readonly type: 'text' }>;

/** Returns the name of the file with a picture or sound; undefined if it was not exported. */
export type FindMediaFile = (part: Media) => string | undefined;

export type FormatTime = (ms: number) => string;

/** Formats a written conversation, without earlier versions of edited messages. JSON gets its times from `formatTime`. */
export function chatTranscript(
  chat: ChatThread,
  format: ChatExport,
  words: TranscriptWords,
  formatTime: FormatTime,
  findFile: FindMediaFile = () => undefined,
): string {
  if (format === 'json') return toJson(chat, formatTime, findFile);
  const title = toOneLine(chat.title) === '' ? words.chatTitle : toOneLine(chat.title);
  const when = formatTitleTime(chat.createdAt);
  const head = format === 'md' ? `# ${escapeMarkdown(title)}\n\n${when}` : `${title}\n${when}`;
  const turns = chat.turns.map((turn) => {
    const who = turn.role === 'user' ? words.you : 'Parley';
    return format === 'md'
      ? `**${who}**\n\n${toMarkdown(turn, words, findFile)}`
      : `${who}:\n${toPlainText(turn, words, findFile)}`;
  });
  return `${[head, ...turns].join('\n\n')}\n`;
}

/** Answers are Markdown; questions are plain text and are escaped. */
function toMarkdown(turn: Turn, words: TranscriptWords, findFile: FindMediaFile): string {
  if (turn.role === 'assistant')
    return formatAnswer(turn, words, (note) => `*${escapeMarkdown(note)}*`);
  return turn.parts
    .map((part) =>
      part.type === 'text'
        ? part.text.trim().split('\n').map(escapeMarkdown).join('  \n')
        : mediaLink(part, mediaName(part, words), findFile(part)),
    )
    .join('\n\n');
}

function mediaLink({ type }: Media, name: string, file: string | undefined): string {
  if (file === undefined) return `*${name}*`;
  return `${type === 'image' ? '!' : ''}[${name}](${file})`;
}

function toPlainText(turn: Turn, words: TranscriptWords, findFile: FindMediaFile): string {
  if (turn.role === 'assistant') return formatAnswer(turn, words, (note) => `(${note})`);
  return turn.parts
    .map((part) => {
      if (part.type === 'text') return part.text.trim();
      const file = findFile(part);
      return `(${[mediaName(part, words), ...(file === undefined ? [] : [file])].join(': ')})`;
    })
    .join('\n');
}

function formatAnswer(
  { text, state, calls = [] }: Extract<Turn, { readonly role: 'assistant' }>,
  words: TranscriptWords,
  emphasize: (note: string) => string,
): string {
  const isComplete = state.kind === 'done' && !state.cutShort;
  let from = 0;
  const parts = calls.flatMap((call) => {
    const before = text.slice(from, call.at).trim();
    from = call.at;
    return [before, emphasize(callNote(call, words))];
  });
  return [...parts, text.slice(from).trim(), ...(isComplete ? [] : [emphasize(words.unfinished)])]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** A call of a tool in one line. */
function callNote(
  { tool, server, args, response }: ToolCall,
  { tool: label, colon }: TranscriptWords,
): string {
  const name = server === '' ? tool : `${tool} (${server})`;
  const line = toOneLine(`${label}${colon}${name} ${args} → ${response}`);
  return line.length > maxCallNote ? `${line.slice(0, maxCallNote)}…` : line;
}

const maxCallNote = 2000;

function mediaName(part: Media, words: TranscriptWords): string {
  return part.type === 'image' ? words.picture : words.clip;
}

function toJson(
  { title, createdAt, updatedAt, turns }: ChatThread,
  formatTime: FormatTime,
  findFile: FindMediaFile,
): string {
  const value = {
    format: 'parley-chat-transcript',
    version: 1,
    title,
    begunAt: formatTime(createdAt),
    changedAt: formatTime(updatedAt),
    turns: turns.map((turn) => ({
      by: turn.role === 'user' ? 'person' : 'parley',
      at: formatTime(turn.at),
      ...(turn.role === 'user'
        ? { parts: turn.parts.map((part) => toJsonPart(part, findFile)) }
        : {
            text: turn.text,
            state: turn.state.kind,
            ...(turn.calls !== undefined && { calls: turn.calls.map(toJsonCall) }),
          }),
    })),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function toJsonCall({ at, tool, server, args, state, response }: ToolCall) {
  return { at, tool, server, args, state, response };
}

/** Replaces media ids, which only Parley can resolve, with file names. */
function toJsonPart(part: Part, findFile: FindMediaFile) {
  if (part.type === 'text') return part;
  const file = findFile(part);
  return part.type === 'image'
    ? { type: part.type, file }
    : { type: part.type, seconds: part.seconds, file };
}

function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>~|]/gu, String.raw`\$&`)
    .replace(/^(?<before>\s*\d*)(?<mark>#|[-+]\s|[.)]\s)/u, String.raw`$<before>\$<mark>`);
}

interface Deps {
  readonly tools: Pick<ExportTools, 'openScratch' | 'packZip'>;
  readonly write: (path: string, content: Uint8Array | string) => Promise<Outcome<undefined>>;
  /** Loads a picture or sound; undefined if it is gone. */
  readonly media: (id: string) => Promise<Attachment | undefined>;
  readonly words: TranscriptWords;
  readonly formatTime: FormatTime;
  readonly isStopped: () => boolean;
}

/** Writes a conversation and its media to a zip. */
export async function writeChatZip(
  chat: ChatThread,
  output: string,
  deps: Deps,
): Promise<Outcome<undefined>> {
  const scratch = await deps.tools.openScratch();
  if (!scratch.ok) return scratch;
  try {
    const entries = await writeFiles(chat, scratch.value.path, deps);
    if (!entries.ok) return entries;
    return deps.isStopped()
      ? failure('exportStopped')
      : await deps.tools.packZip(output, entries.value);
  } finally {
    await scratch.value.remove();
  }
}

async function writeFiles(
  chat: ChatThread,
  folder: string,
  { write, media, words, formatTime, isStopped }: Deps,
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
  // The texts leave out earlier versions of messages, so their media are left out, too.
  for (const part of listMediaParts({ ...chat, branches: [] })) {
    if (isStopped()) return failure('exportStopped');
    const attachment = await media(part.media);
    if (attachment === undefined) continue;
    const number = (counts[part.type] += 1);
    const name = part.type === 'image' ? `picture-${number}.jpg` : `sound-${number}.wav`;
    const written = await put(name, encodeAttachment(attachment));
    if (!written.ok) return written;
    files.set(part.media, name);
  }
  for (const format of chatExports) {
    const text = chatTranscript(chat, format, words, formatTime, (part) => files.get(part.media));
    const written = await put(`conversation.${format}`, text);
    if (!written.ok) return written;
  }
  return { ok: true, value: entries };
}
