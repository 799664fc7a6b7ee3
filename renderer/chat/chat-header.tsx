import { Download, PanelLeft, SlidersHorizontal, SquarePen } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatThread } from '../../shared/chat/chat-thread.ts';
import { IconButton } from '../design/icon-button.tsx';
import { TitleField } from '../parts/title-field.tsx';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { ChatMenu } from './history/chat-menu.tsx';

interface Props {
  /** Only where the list is not in sight. */
  readonly openList: (() => void) | undefined;
  readonly openOptions: () => void;
}

/** What the open conversation is called, and what can be done with the whole of it. */
export function ChatHeader({ openList, openOptions }: Props) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const id = useUiState(({ chat }) => chat.conversation?.id ?? '');
  const title = useUiState(({ chat }) => chat.conversation?.title ?? '');
  const pinned = useUiState(({ chat }) => chat.conversation?.pinned ?? false);
  /** The one that is being renamed: another one that is opened meanwhile has its own name. */
  const [renamed, setRenamed] = useState<string>();
  // Of one in which nothing stands yet there is nothing to export.
  const written = useUiState(({ chat }) => (chat.conversation?.turns.length ?? 0) > 0);
  return (
    <header className="chat-head">
      {openList !== undefined && (
        <IconButton icon={PanelLeft} label={t('chat.list.open')} onClick={openList} />
      )}
      {renamed === id && id !== '' ? (
        <TitleField
          label={t('chat.list.newName')}
          title={title}
          rename={(name) => void chat.rename(id, name)}
          end={() => {
            setRenamed(undefined);
          }}
        />
      ) : (
        <h1 dir="auto">{title === '' ? t('chat.untitled') : title}</h1>
      )}
      {openList !== undefined && (
        <IconButton
          icon={SquarePen}
          label={t('chat.list.begin')}
          onClick={() => void chat.begin()}
        />
      )}
      {written && openList === undefined && <ExportButton id={id} title={title} />}
      <IconButton icon={SlidersHorizontal} label={t('chat.options.name')} onClick={openOptions} />
      {written && openList !== undefined && (
        <ChatMenu
          id={id}
          title={title}
          pinned={pinned}
          rename={() => {
            setRenamed(id);
          }}
        />
      )}
    </header>
  );
}

/** The rest stands in the list beside it. */
function ExportButton({ id, title }: Pick<ChatThread, 'id' | 'title'>) {
  const { t } = useTranslation();
  const { exporting } = useActions();
  const shown = title === '' ? t('chat.untitled') : title;
  return (
    <IconButton
      icon={Download}
      label={t('export.action')}
      onClick={() => void exporting.open({ kind: 'chat', id }, shown)}
    />
  );
}
