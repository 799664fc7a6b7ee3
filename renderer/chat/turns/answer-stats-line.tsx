import { useTranslation } from 'react-i18next';
import type { AnswerStats } from '../../../shared/chat/chat-thread.ts';

/** How fast it was, and what it took of the model's memory. */
export function AnswerStatsLine({ stats }: { readonly stats: AnswerStats }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 });
  const seconds = (ms: number) => ({ seconds: number.format(ms / 1000) });
  const { firstMs, totalMs, contextTokens } = stats;
  const facts = [
    ...(firstMs === undefined ? [] : [t('chat.facts.first', seconds(firstMs))]),
    t('chat.facts.total', seconds(totalMs)),
    ...(contextTokens === undefined
      ? []
      : [t('chat.facts.context', { tokens: number.format(contextTokens) })]),
  ];
  return <small className="answer-facts">{facts.join(' · ')}</small>;
}
