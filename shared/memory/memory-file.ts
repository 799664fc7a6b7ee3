import { z } from 'zod';
import { failure, type Outcome } from '../errors/app-error.ts';
import {
  maxSentences,
  memorySourceKinds,
  maxSentenceLength,
  type MemorySentence,
} from './memory-view.ts';
import { idPattern } from '../settings/setting-rule.ts';
import { sanitizeLine } from '../text.ts';

const version = 1;
const time = z.number().min(0).max(8.64e15);

const sentenceRule = z.object({
  id: z.string().regex(idPattern),
  text: z.string().transform((text, context) => {
    const read = readSentence(text);
    if (read.ok) return read.value;
    context.addIssue(read.error.code);
    return z.NEVER;
  }),
  source: z.object({
    kind: z.enum(memorySourceKinds),
    id: z.string().max(64).optional(),
    title: z.string().max(200).optional(),
    when: time,
  }),
  on: z.boolean(),
  changedAt: time,
});

interface ReadMemory {
  readonly sentences: readonly MemorySentence[];
  /** Parts of the file could not be read. */
  readonly damaged: boolean;
}

/** Reads the stored memory. Sentences that are damaged are left out. */
export function readMemory(text: string): Outcome<ReadMemory> {
  const file = parseFile(text);
  if (file === undefined) return { ok: true, value: { sentences: [], damaged: true } };
  if (file.version > version) return failure('memoryNewer');
  const byId = new Map<string, MemorySentence>();
  for (const item of file.sentences) {
    const read = sentenceRule.safeParse(item);
    if (read.success && byId.size < maxSentences) byId.set(read.data.id, read.data);
  }
  const damaged = byId.size < file.sentences.length;
  return { ok: true, value: { sentences: [...byId.values()], damaged } };
}

const fileRule = z.object({
  version: z.number().default(version),
  sentences: z.array(z.unknown()),
});

function parseFile(text: string): z.infer<typeof fileRule> | undefined {
  try {
    return fileRule.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Readable by hand: one field a line. */
export function formatMemory(sentences: readonly MemorySentence[]): string {
  return `${JSON.stringify({ version, sentences }, undefined, 2)}\n`;
}

/** Invisible characters, except the joiners that Persian and emoji need. */
const invisible = /(?![\u200c\u200d])[\p{Cf}\p{Co}\p{Cn}]/gu;
/** A lone half of a surrogate pair. */
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A sentence may have many characters that cleaning removes. */
const maxUncleanLength = maxSentenceLength * 8;

/** Returns one line of visible text. It has no row of dashes, because such rows enclose the memory in the instructions. */
export function cleanSentence(text: string): string {
  // Cleans only the beginning, because a page or model can send megabytes. `readSentence` refuses such a text.
  const limited = text.slice(0, maxUncleanLength);
  return sanitizeLine(limited.replaceAll(loneSurrogate, ''))
    .replaceAll(invisible, '')
    .replaceAll(/-{3,}/gu, '—')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** Cleans a sentence, or says why it cannot be remembered. */
export function readSentence(text: string): Outcome<string> {
  const line = cleanSentence(text);
  if (!/[\p{L}\p{N}]/u.test(line)) return failure('memoryEmpty');
  return line.length > maxSentenceLength || text.trim().length > maxUncleanLength
    ? failure('memoryLong', { most: maxSentenceLength })
    : { ok: true, value: line };
}
