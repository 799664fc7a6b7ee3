import { PanelLeft, SlidersHorizontal, SquarePen } from 'lucide-react';
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
  const { chat } = useActions();
  const title = useUiState(({ chat }) => chat.conversation?.title ?? '');
  return (
    <header className="chat-head">
      {openList !== undefined && (
        <IconButton icon={PanelLeft} label={t('chat.list.open')} onClick={openList} />
      )}
      <h1 dir="auto">{title === '' ? t('chat.untitled') : title}</h1>
      {openList !== undefined && (
        <IconButton
          icon={SquarePen}
          label={t('chat.list.begin')}
          onClick={() => void chat.begin()}
        />
      )}
      <IconButton icon={SlidersHorizontal} label={t('chat.options.name')} onClick={openOptions} />
    </header>
  );
}
