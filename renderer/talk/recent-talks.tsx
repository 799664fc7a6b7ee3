import type { TFunction } from 'i18next';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryItem } from '../../shared/recordings/history-item.ts';
import { useActions, useAppContext, useUiState } from '../app/use-app-context.ts';
import { entryTitle } from '../history/history-text.ts';
import { historyKey } from '../history/history-ui-state.ts';
import { dayName, lengthText } from '../i18n/time-text.ts';

/** The last talks that are kept, each a click away. */
export function RecentTalks() {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const { listen } = useAppContext();
  const { history } = useActions();
  const connected = useUiState(({ connection }) => connection === 'connected');
  const all = useUiState(({ history }) => history.recent);
  const removed = useUiState(({ removed }) => removed?.keys);
  useEffect(() => {
    if (!connected) return undefined;
    void history.readRecent();
    return listen(({ name }) => {
      if (name === 'historyChanged') void history.readRecent();
    });
  }, [history, listen, connected]);
  useEffect(() => {
    if (all !== undefined) expectRecents(all.length);
  }, [all]);
  if (all === undefined) return <PlaceOfRecents />;
  const recent = all.filter((item) => removed?.has(historyKey(item)) !== true);
  if (recent.length === 0) return null;
  return (
    <nav className="idle-recent" aria-label={t('aroundTalk.idle.recent')}>
      <ul>
        {recent.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              onClick={() => {
                history.show(item.id);
              }}
            >
              <span className="idle-recent-title" dir="auto">
                {entryTitle(item, t)}
              </span>
              <span className="idle-recent-when">{whenText(item, language, t)}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** As high as what comes into it, so that nothing moves when it does; lines without words would look like talks without a name. */
function PlaceOfRecents() {
  const lines = Array.from({ length: expectedRecents() }, (_, line) => line);
  if (lines.length === 0) return null;
  return (
    <div className="idle-recent" data-coming="true" aria-hidden>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <button type="button" disabled>
              <span className="idle-recent-title">{'\u00a0'}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function whenText(item: HistoryItem, language: string, t: TFunction): string {
  const day = dayName(item.at, Date.now(), language, t);
  return item.kind === 'talk' ? `${day} · ${lengthText(item.seconds, language)}` : day;
}

const key = 'parley.recent-talks';

/** How many talks the idle screen listed the last time; of what was said nothing is kept here. */
function expectedRecents(): number {
  const stored = Number(localStorage.getItem(key));
  return Number.isInteger(stored) && stored > 0 ? Math.min(stored, most) : 0;
}

function expectRecents(count: number): void {
  if (count === expectedRecents()) return;
  localStorage.setItem(key, String(count));
}

const most = 3;
