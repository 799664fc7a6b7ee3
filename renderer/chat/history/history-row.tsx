import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatSearchHit } from '../../../shared/chat/chat-summary.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { ChatMenu } from './chat-menu.tsx';
import { HistoryRename } from './history-rename.tsx';
import { formatWhen } from './history-groups.ts';

interface Props {
  readonly row: ChatSearchHit;
  readonly chosen?: (() => void) | undefined;
}

/** One conversation, with what can be done to it. */
export function HistoryRow({ row, chosen }: Props) {
  const { t, i18n } = useTranslation();
  const { chat } = useActions();
  const open = useUiState(({ chat }) => chat.conversation?.id === row.id);
  const [doing, setDoing] = useState<'renaming'>();
  const title = row.title === '' ? t('chat.list.untitled') : row.title;
  const end = (): void => {
    setDoing(undefined);
  };
  if (doing === 'renaming') return <HistoryRename id={row.id} title={row.title} end={end} />;
  return (
    <li className="history-row">
      <button
        type="button"
        className="history-open"
        aria-current={open ? 'true' : undefined}
        onClick={() => {
          void chat.open(row.id);
          chosen?.();
        }}
      >
        <span className="history-title" dir="auto">
          {title}
        </span>
        <span className="history-under" dir="auto">
          {row.excerpt === '' ? formatWhen(row.updatedAt, i18n.language) : row.excerpt}
        </span>
      </button>
      <ChatMenu
        {...row}
        rename={() => {
          setDoing('renaming');
        }}
      />
    </li>
  );
}
