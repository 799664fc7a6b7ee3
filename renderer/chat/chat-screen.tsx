import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SideSheet } from '../design/side-sheet.tsx';
import { useNarrower } from '../shell/use-narrower.ts';
import { useActions, useDesk, useView } from '../store/use-desk.ts';
import { ChatHead } from './chat-head.tsx';
import { ChatLog } from './chat-log.tsx';
import { ChatNotes } from './chat-notes.tsx';
import './chat-screen.css';
import './composer.css';
import './history.css';
import './markdown.css';
import './options.css';
import './turns.css';
import { Composer } from './composer.tsx';
import { DropZone } from './drop-zone.tsx';
import { HistoryList } from './history-list.tsx';
import { OptionsSheet } from './options-sheet.tsx';
import { TurnList } from './turn-list.tsx';

/** In rem; below this the list has no room beside the conversation. The style sheet has the same number. */
const besideWidth = 52;

/** Written conversations: the one that is open, and beside it the list of all. */
export function ChatScreen() {
  const { t } = useTranslation();
  const narrow = useNarrower(besideWidth);
  const [listOpen, setListOpen] = useState(false);
  const [optionsOpen, setOptionsOpen] = useState(false);
  const loaded = useView(({ chat }) => chat.conversation !== undefined);
  useArrivalAndLeaving();
  return (
    <main className="chat" aria-label={t('chat.title')}>
      {!narrow && (
        <aside className="chat-side" aria-label={t('chat.list.name')}>
          <HistoryList />
        </aside>
      )}
      <DropZone>
        <ChatHead
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
      <ChatLog />
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
  const { store } = useDesk();
  const { chat } = useActions();
  useEffect(() => {
    if (store.view().chat.conversation === undefined) void chat.read();
  }, [store, chat]);
  const name = t('chat.clip.name');
  useEffect(
    () => () => {
      void chat.leaveClip(name);
    },
    [chat, name],
  );
}
