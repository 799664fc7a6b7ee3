import { failure } from '../errors/app-error.ts';
import type { Failure } from '../errors/app-error.ts';
import type { ReleaseNotes, UpdateFeed, UpdateFile } from './update-feed.ts';
import { compareVersions } from './version-order.ts';

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
