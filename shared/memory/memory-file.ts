import { z } from 'zod';
import { failure, type Outcome } from '../errors/app-error.ts';
import { readSentence } from './clean-sentence.ts';
import { maxSentences, type MemorySentence, memorySourceKinds } from './memory-view.ts';
import { idPattern } from '../settings/setting-rule.ts';

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
