import { History, X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { PastPassage } from '../../shared/memory/past-passage.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { currentDraft } from '../chat/chat-ui-state.ts';
import { IconButton } from '../design/button.tsx';
import './memory.css';

interface ListProps {
  readonly passages: readonly PastPassage[];
  readonly remove: (passage: PastPassage) => void;
}

/** Names passages of earlier conversations; each opens in its place, and can be taken out. */
export function PastPassages({ passages, remove }: ListProps) {
  const { t, i18n } = useTranslation();
  const { history } = useActions();
  if (passages.length === 0) return null;
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' });
  return (
    <div className="past-passages">
      <span className="hint">
        <History aria-hidden /> {t('memory.past.title')}
      </span>
      <ul>
        {passages.map((passage) => {
          const { kind, id, title: named, at } = passage;
          const title = named === '' ? t('memory.sources.untitled') : named;
          return (
            <li key={`${kind} ${id}`}>
              <button
                type="button"
                className="memory-source one-line"
                dir="auto"
                onClick={() => history.openPast({ kind, id }, passage)}
              >
                {t('memory.past.open', { title, date: day.format(at) })}
              </button>
              <IconButton
                icon={X}
                label={t('memory.past.remove', { title })}
                onClick={() => remove(passage)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** A pause in typing after which the draft is looked up. */
const pauseMs = 400;

/** Shows what a draft would take along, before it is sent. */
export function DraftPassages() {
  const { chat } = useActions();
  const text = useUiState(({ chat }) => currentDraft(chat).text);
  const { found, leftOut } = useUiState(({ chat }) => chat.past);
  const isOn = useUiState(({ settings }) => settings?.memory.use === true && settings.memory.past);
  useEffect(() => {
    if (!isOn || text.trim() === '') {
      chat.clearPast();
      return undefined;
    }
    const timer = setTimeout(() => void chat.findPast(text), pauseMs);
    return () => clearTimeout(timer);
  }, [chat, isOn, text]);
  const shown = found.filter(
    ({ kind, id }) => !leftOut.some((other) => other.kind === kind && other.id === id),
  );
  return <PastPassages passages={shown} remove={chat.leaveOutPassage} />;
}
