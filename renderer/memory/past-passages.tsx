import { History, X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { PastPassage } from '../../shared/memory/memory-view.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { IconButton, passFocusOn } from '../design/controls.tsx';
import './memory.css';

interface ListProps {
  readonly passages: readonly PastPassage[];
  readonly onRemove: (passage: PastPassage) => void;
}

/** Names passages of earlier conversations. Each can be left out, and in the main window opened where it was said. */
export function PastPassages({ passages, onRemove }: ListProps) {
  const { t, i18n } = useTranslation();
  const { history } = useActions();
  const canOpen = useUiState(({ window }) => window === 'main');
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
          const name = t('memory.past.open', { title, date: day.format(at) });
          return (
            <li key={`${kind} ${id}`} ref={passFocusOn}>
              {canOpen ? (
                <button
                  type="button"
                  className="memory-source one-line"
                  dir="auto"
                  onClick={() => history.openPast({ kind, id }, passage)}
                >
                  {name}
                </button>
              ) : (
                <span className="one-line" dir="auto">
                  {name}
                </span>
              )}
              <IconButton
                icon={X}
                label={t('memory.past.remove', { title })}
                onClick={() => onRemove(passage)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Names the passages that the talk's next session will get, or that this one got. */
export function PassagesOfTalk() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { passages, isSent } = useUiState(({ talkPassages }) => talkPassages);
  const isConnected = useUiState(({ connection }) => connection === 'connected');
  useEffect(() => {
    if (isConnected) void setup.readTalkPassages();
  }, [isConnected, setup]);
  if (passages.length === 0) return null;
  return (
    <div className="talk-passages">
      <PastPassages
        passages={passages}
        onRemove={(passage) => void setup.leaveOutTalkPassage(passage)}
      />
      <p className="hint">{t(isSent ? 'memory.past.inTalk' : 'memory.past.nextSession')}</p>
    </div>
  );
}

/** A pause in typing after which the draft is looked up. */
const pauseMs = 400;

interface DraftProps {
  readonly text: string;
  /** Looks up the passages that would be sent with this text, and shows them if it is still the draft. */
  readonly onFind: (text: string, isCurrent: () => boolean) => Promise<void>;
}

/** Shows the passages that would be sent with a draft. */
export function DraftPassages({ text, onFind }: DraftProps) {
  const { chat } = useActions();
  const found = useUiState(({ chat }) => chat.foundPast);
  const isOn = useUiState(({ settings }) => settings?.memory.use === true && settings.memory.past);
  useEffect(() => {
    if (!isOn || text.trim() === '') {
      chat.clearPast();
      return undefined;
    }
    let isCurrent = true;
    const timer = setTimeout(() => void onFind(text, () => isCurrent), pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [chat, onFind, isOn, text]);
  return <PastPassages passages={found} onRemove={chat.leaveOutPassage} />;
}
