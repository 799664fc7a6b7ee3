import type { TFunction } from 'i18next';
import { Download, PanelLeft, SlidersHorizontal, SquarePen } from 'lucide-react';
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatThread, Turn } from '../../shared/chat/chat-thread.ts';
import { endOfSentences } from '../../shared/text.ts';
import { useActions, useAppContext, useUiState } from '../app/app-context.ts';
import { useNarrowerThan } from '../app/use-appearance.ts';
import { IconButton, Note } from '../design/controls.tsx';
import { TitleField } from '../design/edit-in-place.tsx';
import { SideSheet } from '../design/layers.tsx';
import { errorText } from '../i18n/format.ts';
import { ChatList, ChatMenu } from './chat-list.tsx';
import { type ChatNote, chatNoteKey } from './chat-ui-state.ts';
import { Composer } from './composer.tsx';
import { OptionsSheet } from './options-sheet.tsx';
import { TurnList } from './turns/turn-list.tsx';
import './chat-screen.css';
import './composer.css';
import './chat-list.css';
import './options-sheet.css';

/** In rem; below this the list becomes an overlay. Same width as in chat-screen.css. */
const minSplitWidth = 52;

export function ChatScreen() {
  const { t } = useTranslation();
  const isNarrow = useNarrowerThan(minSplitWidth);
  const [listOpen, setListOpen] = useState(false);
  const [optionsOpen, setOptionsOpen] = useState(false);
  const isLoaded = useUiState(({ chat }) => chat.conversation !== undefined);
  useChatLoading();
  return (
    <main className="chat" aria-label={t('places.chat')}>
      {!isNarrow && (
        <aside className="chat-side" aria-label={t('chat.list.name')}>
          <ChatList />
        </aside>
      )}
      <DropZone>
        <ChatHeader
          onOpenList={isNarrow ? () => setListOpen(true) : undefined}
          onOpenOptions={() => setOptionsOpen(true)}
        />
        {isLoaded ? <TurnList /> : <p className="chat-opening">{t('chat.opening')}</p>}
        <ChatNotes />
        <Composer />
      </DropZone>
      <ChatLiveRegion />
      {isNarrow && (
        <SideSheet name={t('chat.list.name')} open={listOpen} onClose={() => setListOpen(false)}>
          <ChatList onOpened={() => setListOpen(false)} />
        </SideSheet>
      )}
      <OptionsSheet open={optionsOpen} onClose={() => setOptionsOpen(false)} />
    </main>
  );
}

/** Loads the conversation on arrival; leaving the screen attaches a running recording. */
function useChatLoading(): void {
  const { t } = useTranslation();
  const { chat } = useActions();
  useEffect(() => void chat.readOnce(), [chat]);
  const name = t('chat.clip.name');
  useEffect(() => () => void chat.leaveClip(name), [chat, name]);
}

interface Props {
  /** Undefined where the list is beside the conversation. */
  readonly onOpenList: (() => void) | undefined;
  readonly onOpenOptions: () => void;
}

function ChatHeader({ onOpenList, onOpenOptions }: Props) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const id = useUiState(({ chat }) => chat.conversation?.id ?? '');
  const title = useUiState(({ chat }) => chat.conversation?.title ?? '');
  const pinned = useUiState(({ chat }) => chat.conversation?.pinned ?? false);
  /** The id of the conversation being renamed, so that the field closes when another one opens. */
  const [renamingId, setRenamingId] = useState<string>();
  // An empty conversation has nothing to export.
  const hasTurns = useUiState(({ chat }) => (chat.conversation?.turns.length ?? 0) > 0);
  return (
    <header className="chat-head">
      {onOpenList !== undefined && (
        <IconButton icon={PanelLeft} label={t('chat.list.open')} onClick={onOpenList} />
      )}
      {renamingId === id && id !== '' ? (
        <TitleField
          label={t('chat.list.newName')}
          title={title}
          onRename={(name) => void chat.rename(id, name)}
          onEnd={() => setRenamingId(undefined)}
        />
      ) : (
        <h1 className="one-line" dir="auto">
          {title === '' ? t('palette.newChat') : title}
        </h1>
      )}
      {onOpenList !== undefined && (
        <IconButton
          icon={SquarePen}
          label={t('palette.newChat')}
          onClick={() => void chat.begin()}
        />
      )}
      {hasTurns && onOpenList === undefined && <ExportButton id={id} title={title} />}
      <IconButton icon={SlidersHorizontal} label={t('chat.options.name')} onClick={onOpenOptions} />
      {hasTurns && onOpenList !== undefined && (
        <ChatMenu id={id} title={title} pinned={pinned} onRename={() => setRenamingId(id)} />
      )}
    </header>
  );
}

/** In a wide window the list beside the conversation has the other commands in a menu, so the header has only this button. */
function ExportButton({ id, title }: Pick<ChatThread, 'id' | 'title'>) {
  const { t } = useTranslation();
  const { exporting } = useActions();
  const shown = title === '' ? t('palette.newChat') : title;
  return (
    <IconButton
      icon={Download}
      label={t('export.action')}
      onClick={() => void exporting.open({ kind: 'chat', id }, shown)}
    />
  );
}

function DropZone({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const [isDragOver, setDragOver] = useState(false);
  // Moving between child elements fires both enter and leave, so only depth 0 means that the drag
  // left.
  const depth = useRef(0);

  const step = (by: 1 | -1) => (event: DragEvent) => {
    if (!hasFiles(event)) return;
    depth.current = Math.max(0, depth.current + by);
    setDragOver(depth.current > 0);
  };
  return (
    <section
      className="chat-open"
      onDragEnter={step(1)}
      onDragLeave={step(-1)}
      onDragOver={(event) => {
        if (hasFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        depth.current = 0;
        setDragOver(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        void chat.attachFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {isDragOver && <p className="chat-drop">{t('chat.composer.drop')}</p>}
    </section>
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files');
}

function ChatNotes() {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const { chat } = useActions();
  const notes = useUiState(({ chat }) => chat.notes);
  const shortened = useUiState(({ chat }) => chat.sent?.shortened);
  return (
    <div className="chat-notes" role="status">
      {shortened !== undefined && (
        <p className="note hint">
          {t('chat.shortened', {
            characters: number.format(shortened.characters),
            first: number.format(shortened.first),
            last: number.format(shortened.last),
          })}
        </p>
      )}
      {notes.map((note) => (
        <Note key={chatNoteKey(note)} kind="bad" onDismiss={() => chat.dismissNote(note)}>
          {noteText(note, t)}
        </Note>
      ))}
    </div>
  );
}

function noteText(note: ChatNote, t: TFunction): string {
  switch (note.kind) {
    case 'failure':
      return withFileName(t, note.name, errorText(t, note.error));
    case 'pictureTooLarge':
    case 'soundTooLarge':
      return t(`chat.notes.${note.kind}`, { name: note.name, size: note.size, most: note.limit });
    case 'unreadable':
      return t('chat.notes.unreadable', { name: note.name });
    case 'tooMany':
      return t('chat.notes.tooMany', { most: note.limit });
    case 'tooLong':
    case 'clipStopped':
    case 'notCopied':
      return t(`chat.notes.${note.kind}`);
  }
}

function withFileName(t: TFunction, name: string | undefined, text: string): string {
  return name === undefined ? text : t('shell.under', { what: name, which: text });
}

/** Announces to screen readers that an answer is coming, and then the answer, each once. */
function ChatLiveRegion() {
  const { t } = useTranslation();
  const { store } = useAppContext();
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    let before = store.getState().chat.conversation?.turns.at(-1);
    return store.subscribe(() => {
      const { conversation, options } = store.getState().chat;
      const last = conversation?.turns.at(-1);
      if (last === before) return;
      const change = announcementFor(before, last);
      before = last;
      if (change === undefined) return;
      // A spoken answer is not also read by the screen reader.
      if (change.kind === 'done') setAnnouncement(options.speech ? '' : answerExcerpt(change.text));
      else setAnnouncement(t(`chat.told.${change.kind}`));
    });
  }, [store, t]);
  return (
    <p className="visually-hidden" aria-live="polite" data-log="chat">
      {announcement}
    </p>
  );
}

type AnswerChange =
  | { readonly kind: 'answering' | 'stopped' | 'failed' }
  | { readonly kind: 'done'; readonly text: string };

function announcementFor(
  before: Turn | undefined,
  last: Turn | undefined,
): AnswerChange | undefined {
  if (last?.role !== 'assistant') return undefined;
  const { kind } = last.state;
  const isSameTurn = before?.id === last.id && before.role === 'assistant';
  if (kind === 'streaming') return isSameTurn ? undefined : { kind: 'answering' };
  if (!isSameTurn || before.state.kind === kind) return undefined;
  return kind === 'done' ? { kind, text: last.text } : { kind };
}

/** About a minute of reading aloud; the rest stays readable on the screen. */
const maxLength = 600;

export function answerExcerpt(text: string): string {
  if (text.length <= maxLength) return text;
  const head = text.slice(0, maxLength);
  return head.slice(0, endOfSentences(head) || maxLength);
}
