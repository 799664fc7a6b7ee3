import { CassetteTape, Mic, MessageSquareText, Pin, Video } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { HistoryEntry } from '../../store/history/history-ui-state.ts';
import { entryTitle } from './entry-title.ts';
import { lengthText, hourAndMinute } from './history-days.ts';
import { MarkedText } from './marked-text.tsx';

const icons = { audio: Mic, video: Video, chat: MessageSquareText } as const;

/** What a row says: its title, what it is, when it was and how long, and the words that were looked for. */
export function EntryText({ entry: { item, place } }: { readonly entry: HistoryEntry }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const kind = item.kind === 'talk' ? item.mode : 'chat';
  const Icon = icons[kind];
  return (
    <span className="kept-text">
      <span className="kept-title">
        <span dir="auto">{entryTitle(item, t)}</span>
        {item.pinned && (
          <>
            <Pin aria-hidden />
            <span className="only-heard">{t('history.pinned')}</span>
          </>
        )}
      </span>
      <span className="kept-under">
        <Icon aria-hidden />
        <span className="only-heard">{t(`history.kinds.${kind}`)}</span>
        <span>{hourAndMinute(item.at, language)}</span>
        {item.kind === 'talk' && <span>{lengthText(item.seconds, language)}</span>}
        {item.kind === 'talk' && item.ending !== 'orderly' && (
          <span className="kept-ending" data-ending={item.ending}>
            {t(`history.endings.${item.ending}`)}
          </span>
        )}
        {item.kind === 'talk' && item.tape && (
          <>
            <CassetteTape aria-hidden />
            <span className="only-heard">{t('history.tape')}</span>
          </>
        )}
      </span>
      {place !== undefined && place.excerpt !== '' && (
        <span className="kept-excerpt" dir="auto">
          <MarkedText {...place} />
        </span>
      )}
    </span>
  );
}
