import type { TFunction } from 'i18next';
import type { EndingFacts } from '../../shared/talk/talk-state.ts';
import type { TalkProblem } from '../../shared/talk/talk-view.ts';
import type { EndpointVerdict } from '../../shared/settings/endpoint-verdict.ts';
import type { OneWhy, Why } from '../../shared/why.ts';
import { englishReasons } from '../i18n/english/reasons.ts';

type EndingReason = keyof typeof englishReasons.endings;
type RefusedKind = keyof typeof englishReasons.refused;

/** A reason in the page's language; the core's own sentence where it gave none. */
export function sayWhy(t: TFunction, why: Why | undefined, sentence: string): string {
  if (why === undefined) return sentence;
  if (typeof why === 'string' || 'is' in why) return sayOne(t, why);
  const said = why.map((one) => sayOne(t, one));
  return said.reduce((first, next) => t('reasons.andThen', { first, next }));
}

/** What the test of a server found: its code, or else the status of the server's answer. */
export function sayVerdict(
  t: TFunction,
  { because, status, said, problem }: Extract<EndpointVerdict, { ok: false }>,
): string {
  if (because === undefined && status === undefined) return problem;
  return sayEnding(t, { reason: 'refused', status, why: because, said });
}

function sayOne(t: TFunction, why: OneWhy): string {
  if (typeof why === 'string') return t(`reasons.why.${why}`);
  const { is, ...facts } = why;
  return t(`reasons.why.${is}`, facts);
}

/** Why a session ended, with what the server itself said of it. */
export function sayEnding(t: TFunction, facts: EndingFacts): string {
  const own = ownWords(t, facts);
  const { said } = facts;
  if (said === undefined) return own;
  return t('reasons.andThen', { first: own, next: t('reasons.said', { said }) });
}

/** What went wrong without ending the talk: a mistake that the server tells of is in its own words. */
export function sayTrouble(t: TFunction, { code, sentence, why }: TalkProblem): string {
  if (code === 'tape' || code === 'refused') return sayWhy(t, why, sentence);
  if (code === 'malformed') return t('reasons.troubles.malformed');
  const first = t('reasons.troubles.server');
  return t('reasons.andThen', { first, next: t('reasons.said', { said: sentence }) });
}

function ownWords(t: TFunction, { reason, status, why }: EndingFacts): string {
  if (why !== undefined) return sayWhy(t, why, '');
  if (reason === 'refused' && status !== undefined) {
    return t(`reasons.refused.${kindOf(status)}`, { status });
  }
  if (isKnown(reason)) return t(`reasons.endings.${reason}`);
  // Servers have many codes for what they do not like in the settings.
  const settings = /^(?:unknown|invalid|missing|unsupported)_/u.test(reason);
  return settings
    ? t('reasons.endings.settings')
    : t('reasons.otherEnding', { reason: reason.slice(0, mostOfReason) });
}

/** A server may call an ending whatever it likes. */
const mostOfReason = 80;

function isKnown(reason: string): reason is EndingReason {
  return Object.hasOwn(englishReasons.endings, reason);
}

function kindOf(status: number): RefusedKind {
  if (status === 401) return 'unknown';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'missing';
  if (status === 429) return 'often';
  return status >= 500 ? 'failing' : 'other';
}
