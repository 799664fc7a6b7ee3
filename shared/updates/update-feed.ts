import { z } from 'zod';
import { failure, type Failure } from '../errors/app-error.ts';
import { harmlessText } from '../harmless-text.ts';

const form = /^\d{1,6}\.\d{1,6}\.\d{1,6}(-[\da-z]+(\.[\da-z]+)*)?$/i;

/** Three numbers, and perhaps what is tried before them: `1.2.0`, `1.2.0-beta.1`. */
export function isVersion(text: string): boolean {
  return text.length <= 40 && form.test(text);
}

/** Below 0 where the one is older, above where it is newer; what is tried before a version is older than it. */
export function compareVersions(one: string, other: string): number {
  const [oneNumbers, oneTrial] = partsOf(one);
  const [otherNumbers, otherTrial] = partsOf(other);
  const byNumbers = firstDifference(oneNumbers, otherNumbers);
  if (byNumbers !== 0) return byNumbers;
  if (oneTrial.length === 0 || otherTrial.length === 0) return otherTrial.length - oneTrial.length;
  return firstDifference(oneTrial, otherTrial);
}

function partsOf(version: string): readonly [readonly string[], readonly string[]] {
  const [numbers = '', ...trial] = version.split('-');
  return [numbers.split('.'), trial.length === 0 ? [] : trial.join('-').split('.')];
}

function firstDifference(ones: readonly string[], others: readonly string[]): number {
  const places = Math.max(ones.length, others.length);
  for (let place = 0; place < places; place += 1) {
    const difference = comparePart(ones[place], others[place]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Numbers by their size and before words; what has fewer parts is older. */
function comparePart(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(other === undefined) * 2 - 1;
  const numbers = [one, other].map((part) => (/^\d+$/.test(part) ? Number(part) : Infinity));
  const [oneNumber = Infinity, otherNumber = Infinity] = numbers;
  if (oneNumber !== otherNumber) return oneNumber < otherNumber ? -1 : 1;
  if (one === other || oneNumber !== Infinity) return 0;
  return one < other ? -1 : 1;
}

/** One file of a version, as its feed promises it. */
interface UpdateFile {
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

/** A version that this Parley can become. */
export interface UpdateOffer {
  readonly version: string;
  readonly notes: ReleaseNotes;
  readonly file: UpdateFile;
}

export type UpdateVerdict =
  | { readonly kind: 'newest' }
  /** It is handed out step by step, and not yet to this installation. */
  | { readonly kind: 'later'; readonly version: string }
  | { readonly kind: 'offer'; readonly offer: UpdateOffer }
  | Failure;

interface Known {
  /** The version that runs. */
  readonly running: string;
  /** How the name of its kind of package ends, for this system and processor. */
  readonly fileEnd: string;
  /** As the feed writes its dates. */
  readonly now: string;
  /** When the newest feed was signed that was believed; empty before the first. */
  readonly issuedBefore: string;
  /** Where this installation stands among all of them, from 0 up to but not including 1. */
  readonly share: number;
  /** The version that the person went back from; it is offered again to who asks only. */
  readonly leftBehind?: string | undefined;
  readonly asked: boolean;
}

/** What a signed feed means here. The signature says who wrote it, not when it was put there. */
export function judgeUpdate(feed: UpdateFeed, known: Known): UpdateVerdict {
  const { version, issuedAt, validUntil, stagingPercentage, notes, files } = feed;
  const { running, fileEnd, now, issuedBefore, share, leftBehind, asked } = known;
  if (now > validUntil) return failure('updateFeedExpired', { date: dayOf(validUntil) });
  if (issuedAt < issuedBefore) return failure('updateFeedOlder', { date: dayOf(issuedAt) });
  if (compareVersions(version, running) <= 0) return { kind: 'newest' };
  if (version === leftBehind && !asked) return { kind: 'newest' };
  if (share * 100 >= stagingPercentage) return { kind: 'later', version };
  const file = files.find(({ name }) => name.endsWith(fileEnd));
  if (file === undefined) return failure('updateFileMissing', { version });
  return { kind: 'offer', offer: { version, notes, file } };
}

/** As every language reads it. */
function dayOf(date: string): string {
  return date.slice(0, 10);
}

/** The package that runs, and its window. */
export interface RunningPackage {
  readonly version: string;
  /** The program itself. */
  readonly file: string;
  /** Where it has its `app.asar`. */
  readonly resources: string;
  /** Quits, and starts what then stands there. */
  readonly restart: () => void;
}
