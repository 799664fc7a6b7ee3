import type { TFunction } from 'i18next';
import type { EndingFacts } from '../../shared/talk/talk-state.ts';
import type { TalkTrouble } from '../../shared/talk/talk-view.ts';
import type { Why } from '../../shared/why.ts';
import { reasons } from '../words/english/reasons.ts';

type EndingReason = keyof typeof reasons.endings;
type RefusedKind = keyof typeof reasons.refused;

/** A reason in the page's language; the core's own sentence where it gave none. */
export function sayWhy(t: TFunction, why: Why | undefined, sentence: string): string {
  return why === undefined ? sentence : t(`reasons.why.${why}`);
}

/** Why a session ended, with what the server itself said of it. */
export function sayEnding(t: TFunction, facts: EndingFacts, sentence: string): string {
  const own = ownWords(t, facts);
  if (own === undefined) return sentence;
  const { said } = facts;
  return said === undefined ? own : `${own} ${t('reasons.said', { said })}`;
}

/** What went wrong without ending the talk: a mistake that the server tells of is in its own words. */
export function sayTrouble(t: TFunction, { code, sentence, why }: TalkTrouble): string {
  if (code === 'tape' || code === 'refused') return sayWhy(t, why, sentence);
  if (code === 'malformed') return t('reasons.troubles.malformed');
  return `${t('reasons.troubles.server')} ${t('reasons.said', { said: sentence })}`;
}

function ownWords(t: TFunction, { reason, status, why }: EndingFacts): string | undefined {
  if (why !== undefined) return t(`reasons.why.${why}`);
  if (reason === 'refused' && status !== undefined) {
    return t(`reasons.refused.${kindOf(status)}`, { status });
  }
  if (isKnown(reason)) return t(`reasons.endings.${reason}`);
  // Servers have many codes for what they do not like in the settings.
  const settings = /^(?:unknown|invalid|missing|unsupported)_/u.test(reason);
  return settings ? t('reasons.endings.settings') : undefined;
}

function isKnown(reason: string): reason is EndingReason {
  return Object.hasOwn(reasons.endings, reason);
}

function kindOf(status: number): RefusedKind {
  if (status === 401) return 'unknown';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'missing';
  if (status === 429) return 'often';
  return status >= 500 ? 'failing' : 'other';
}
