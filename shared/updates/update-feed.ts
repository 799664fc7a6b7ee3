import { z } from 'zod';
import { failure, type Failure } from '../errors/app-error.ts';
import { stripControlCharacters } from '../text.ts';

const versionPattern = /^\d{1,6}\.\d{1,6}\.\d{1,6}(-[\da-z]+(\.[\da-z]+)*)?$/i;

/** Accepts `1.2.0` and prereleases such as `1.2.0-beta.1`, but no build metadata such as `1.2.0+5`. */
export function isVersion(text: string): boolean {
  return text.length <= 40 && versionPattern.test(text);
}

/** Compares by semantic version precedence: below 0 if `one` is older. A prerelease is older than its release. */
export function compareVersions(one: string, other: string): number {
  const [oneNumbers, onePrerelease] = splitVersion(one);
  const [otherNumbers, otherPrerelease] = splitVersion(other);
  const byNumbers = firstDifference(oneNumbers, otherNumbers);
  if (byNumbers !== 0) return byNumbers;
  if (onePrerelease.length === 0 || otherPrerelease.length === 0)
    return otherPrerelease.length - onePrerelease.length;
  return firstDifference(onePrerelease, otherPrerelease);
}

function splitVersion(version: string): readonly [readonly string[], readonly string[]] {
  const [numbers = '', ...prerelease] = version.split('-');
  return [numbers.split('.'), prerelease.length === 0 ? [] : prerelease.join('-').split('.')];
}

function firstDifference(oneParts: readonly string[], otherParts: readonly string[]): number {
  const length = Math.max(oneParts.length, otherParts.length);
  for (let index = 0; index < length; index += 1) {
    const difference = comparePart(oneParts[index], otherParts[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Compares two parts of a version. Numbers compare by value and precede words. A missing part is older. */
function comparePart(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(other === undefined) * 2 - 1;
  const numbers = [one, other].map((part) => (/^\d+$/.test(part) ? Number(part) : Infinity));
  const [oneNumber = Infinity, otherNumber = Infinity] = numbers;
  if (oneNumber !== otherNumber) return oneNumber < otherNumber ? -1 : 1;
  if (one === other || oneNumber !== Infinity) return 0;
  return one < other ? -1 : 1;
}

interface UpdateFile {
  /** A file name in the folder of the feed, without a path. */
  readonly name: string;
  /** Base64. */
  readonly sha512: string;
  readonly size: number;
}

/** Release notes by language subtag. */
export type ReleaseNotes = Readonly<Record<string, string>>;

export interface UpdateFeed {
  readonly version: string;
  /** When the feed was signed and when it expires, both in ISO 8601 with milliseconds, so that they compare as text. */
  readonly issuedAt: string;
  readonly validUntil: string;
  /** Percentage of installations that get this version. */
  readonly stagingPercentage: number;
  readonly notes: ReleaseNotes;
  readonly files: readonly UpdateFile[];
}

/** About ten times the size of a package: it only bounds a download. */
const maxUpdateBytes = 2 * 1024 ** 3;
const maxNotesLength = 4000;

const notesRule = z
  .record(
    z.string().regex(/^[a-z]{2,3}$/),
    z.string().max(maxNotesLength).transform(stripControlCharacters),
  )
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
 * Parses a `latest-….yml`, the feed of electron-builder. Parley's build writes it as JSON, which is valid YAML, so that no
 * YAML parser is needed. Returns the reason for the log if it is invalid.
 */
export function readUpdateFeed(text: string): UpdateFeed | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'it is not JSON';
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

export interface UpdateOffer {
  readonly version: string;
  readonly notes: ReleaseNotes;
  readonly file: UpdateFile;
}

export type UpdateVerdict =
  /** No newer version, or only the version that the user rolled back from. */
  | { readonly kind: 'newest' }
  /** A staged rollout has not reached this installation yet. */
  | { readonly kind: 'later'; readonly version: string }
  | { readonly kind: 'offer'; readonly offer: UpdateOffer }
  | Failure;

interface Installation {
  readonly runningVersion: string;
  /** The end of the package name for this kind of package, system and processor. */
  readonly packageSuffix: string;
  /** In the same format as the dates of the feed. */
  readonly now: string;
  /** The `issuedAt` of the newest feed that was accepted. Empty before the first. */
  readonly lastIssuedAt: string;
  /** A random but fixed position in [0, 1) for staged rollouts. */
  readonly rolloutPosition: number;
  /** The version that the user rolled back from. Only a manual check offers it again. */
  readonly rolledBackFrom?: string | undefined;
  readonly isManual: boolean;
}

/** Decides what a feed offers. Refuses a feed older than the last, because a server could send an old signed one again. */
export function judgeUpdate(feed: UpdateFeed, installation: Installation): UpdateVerdict {
  const { version, issuedAt, validUntil, stagingPercentage, notes, files } = feed;
  const { lastIssuedAt, isManual } = installation;
  if (installation.now > validUntil)
    return failure('updateFeedExpired', { date: isoDay(validUntil) });
  if (issuedAt < lastIssuedAt) return failure('updateFeedOlder', { date: isoDay(issuedAt) });
  if (compareVersions(version, installation.runningVersion) <= 0) return { kind: 'newest' };
  if (version === installation.rolledBackFrom && !isManual) return { kind: 'newest' };
  if (installation.rolloutPosition * 100 >= stagingPercentage) return { kind: 'later', version };
  const file = files.find(({ name }) => name.endsWith(installation.packageSuffix));
  if (file === undefined) return failure('updateFileMissing', { version });
  return { kind: 'offer', offer: { version, notes, file } };
}

function isoDay(date: string): string {
  return date.slice(0, 10);
}

export interface RunningPackage {
  readonly version: string;
  /** The path of the executable. */
  readonly file: string;
  /** The folder that contains `app.asar`. */
  readonly resources: string;
  /** Quits and starts the executable that is then at `file`. */
  readonly restart: () => void;
}
