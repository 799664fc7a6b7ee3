import { Download, PanelLeft, SlidersHorizontal, SquarePen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { useActions, useUiState } from '../store/use-app-context.ts';

interface Props {
  /** Only where the list is not in sight. */
  readonly openList: (() => void) | undefined;
  readonly openOptions: () => void;
}

/** What the open conversation is called, and what can be done with the whole of it. */
export function ChatHeader({ openList, openOptions }: Props) {
  const { t } = useTranslation();
  const { chat, exporting } = useActions();
  const title = useUiState(({ chat }) => chat.conversation?.title ?? '');
  // Of one in which nothing stands yet there is nothing to export.
  const written = useUiState(({ chat: { conversation } }) =>
    conversation !== undefined && conversation.turns.length > 0 ? conversation.id : undefined,
  );
  const shown = title === '' ? t('chat.untitled') : title;
  return (
    <header className="chat-head">
      {openList !== undefined && (
        <IconButton icon={PanelLeft} label={t('chat.list.open')} onClick={openList} />
      )}
      <h1 dir="auto">{shown}</h1>
      {openList !== undefined && (
        <IconButton
          icon={SquarePen}
          label={t('chat.list.begin')}
          onClick={() => void chat.begin()}
        />
      )}
      {written !== undefined && (
        <IconButton
          icon={Download}
          label={t('export.action')}
          onClick={() => void exporting.open({ kind: 'chat', id: written }, shown)}
        />
      )}
      <IconButton icon={SlidersHorizontal} label={t('chat.options.name')} onClick={openOptions} />
    </header>
  );
}
