import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SideSheet } from '../design/sheets/side-sheet.tsx';
import { useNarrowerThan } from '../shell/use-narrower-than.ts';
import { useActions, useAppContext, useUiState } from '../store/use-app-context.ts';
import { ChatHeader } from './chat-header.tsx';
import { ChatLiveRegion } from './chat-live-region.tsx';
import { ChatNotes } from './chat-notes.tsx';
import './chat-screen.css';
import './composer/composer.css';
import './history/history.css';
import './turns/markdown.css';
import './options/options.css';
import './turns/turns.css';
import { Composer } from './composer/composer.tsx';
import { DropZone } from './composer/drop-zone.tsx';
import { HistoryList } from './history/history-list.tsx';
import { OptionsSheet } from './options/options-sheet.tsx';
import { TurnList } from './turns/turn-list.tsx';

/** In rem; below this the list has no room beside the conversation. The style sheet has the same number. */
const besideWidth = 52;

/** Written conversations: the one that is open, and beside it the list of all. */
export function ChatScreen() {
  const { t } = useTranslation();
  const narrow = useNarrowerThan(besideWidth);
  const [listOpen, setListOpen] = useState(false);
  const [optionsOpen, setOptionsOpen] = useState(false);
  const loaded = useUiState(({ chat }) => chat.conversation !== undefined);
  useArrivalAndLeaving();
  return (
    <main className="chat" aria-label={t('chat.title')}>
      {!narrow && (
        <aside className="chat-side" aria-label={t('chat.list.name')}>
          <HistoryList />
        </aside>
      )}
      <DropZone>
        <ChatHeader
          openList={
            narrow
              ? () => {
                  setListOpen(true);
                }
              : undefined
          }
          openOptions={() => {
            setOptionsOpen(true);
          }}
        />
        {loaded ? <TurnList /> : <p className="chat-opening">{t('chat.opening')}</p>}
        <ChatNotes />
        <Composer />
      </DropZone>
      <ChatLiveRegion />
      {narrow && (
        <SideSheet name={t('chat.list.name')} open={listOpen} setOpen={setListOpen}>
          <HistoryList
            chosen={() => {
              setListOpen(false);
            }}
          />
        </SideSheet>
      )}
      <OptionsSheet open={optionsOpen} setOpen={setOptionsOpen} />
    </main>
  );
}

/** What is being recorded becomes a part of the message when the person goes elsewhere. */
function useArrivalAndLeaving(): void {
  const { t } = useTranslation();
  const { store } = useAppContext();
  const { chat } = useActions();
  useEffect(() => {
    if (store.getState().chat.conversation === undefined) void chat.read();
  }, [store, chat]);
  const name = t('chat.clip.name');
  useEffect(
    () => () => {
      void chat.leaveClip(name);
    },
    [chat, name],
  );
}
