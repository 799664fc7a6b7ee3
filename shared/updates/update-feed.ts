import { z } from 'zod';
import { harmlessText } from '../harmless-text.ts';
import { isVersion } from './version-order.ts';

/** One file of a version, as its feed promises it. */
export interface UpdateFile {
  /** In the folder of the feed: no path, and no address of its own. */
  readonly name: string;
  /** Base64. */
  readonly sha512: string;
  readonly size: number;
}

/** What is new, in the languages in which somebody has written it, by their subtags. */
export type ReleaseNotes = Readonly<Record<string, string>>;

/** What a feed says of the newest version. */
export interface UpdateFeed {
  readonly version: string;
  /** When it was signed, and until when it is to be believed: all in one form, so that they are compared as texts. */
  readonly issuedAt: string;
  readonly validUntil: string;
  /** Of a hundred installations so many are offered it. */
  readonly stagingPercentage: number;
  readonly notes: ReleaseNotes;
  readonly files: readonly UpdateFile[];
}

/** A package is a tenth of it. */
const maxUpdateBytes = 2 * 1024 ** 3;
const maxNotesLetters = 4000;

const notesRule = z
  .record(z.string().regex(/^[a-z]{2,3}$/), z.string().max(maxNotesLetters).transform(harmlessText))
  .refine((notes) => Object.keys(notes).length <= 50);

const fileRule = z.object({
  url: z.string().regex(/^[A-Za-z\d][\w.+-]{0,120}$/),
  sha512: z.string().regex(/^[A-Za-z\d+/]{86}==$/),
  size: z.int().positive().max(maxUpdateBytes),
});

const feedRule = z.object({
  version: z.string().refine(isVersion),
  releaseDate: z.iso.datetime({ precision: 3 }),
  validUntil: z.iso.datetime({ precision: 3 }),
  stagingPercentage: z.number().min(0).max(100).default(100),
  releaseNotes: notesRule.default({}),
  files: z.array(fileRule).min(1).max(50),
});

/**
 * Reads `latest-….yml` as electron-builder's feeds have it. It is written in JSON, which is YAML, too, so that
 * nobody who ships a reader of YAML is needed. A text says what is wrong with it, for the log.
 */
export function readUpdateFeed(text: string): UpdateFeed | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'it is no JSON';
  }
  const { success, data, error } = feedRule.safeParse(json);
  if (!success)
    return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)[0] ?? '';
  const { version, stagingPercentage, releaseNotes: notes, files } = data;
  return {
    version,
    issuedAt: data.releaseDate,
    validUntil: data.validUntil,
    stagingPercentage,
    notes,
    files: files.map(({ url, sha512, size }) => ({ name: url, sha512, size })),
  };
}
