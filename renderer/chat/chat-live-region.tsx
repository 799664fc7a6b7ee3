import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Turn } from '../../shared/chat/chat-thread.ts';
import { useAppContext } from '../store/use-app-context.ts';
import { answerExcerpt } from './answer-excerpt.ts';

/** For those who listen: that an answer comes, and the answer, each once and never piece by piece. */
export function ChatLiveRegion() {
  const { t } = useTranslation();
  const { store } = useAppContext();
  const [said, setSaid] = useState('');
  useEffect(() => {
    let before = store.getState().chat.conversation?.turns.at(-1);
    return store.subscribe(() => {
      const { conversation, options } = store.getState().chat;
      const last = conversation?.turns.at(-1);
      if (last === before) return;
      const news = newsOf(before, last);
      before = last;
      if (news === undefined) return;
      // Whoever hears it spoken need not hear it read as well.
      if (news.kind === 'done') setSaid(options.speech ? '' : answerExcerpt(news.text));
      else setSaid(t(`chat.told.${news.kind}`));
    });
  }, [store, t]);
  return (
    <p className="only-heard" aria-live="polite" data-log="chat">
      {said}
    </p>
  );
}

type News =
  | { readonly kind: 'answering' | 'stopped' | 'failed' }
  | { readonly kind: 'done'; readonly text: string };

function newsOf(before: Turn | undefined, last: Turn | undefined): News | undefined {
  if (last?.role !== 'assistant') return undefined;
  const { kind } = last.state;
  const same = before?.id === last.id && before.role === 'assistant';
  if (kind === 'streaming') return same ? undefined : { kind: 'answering' };
  if (!same || before.state.kind === kind) return undefined;
  return kind === 'done' ? { kind, text: last.text } : { kind };
}
