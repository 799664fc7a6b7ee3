import { useEffect } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { HistoryItem } from '../../../shared/history/history-item.ts';
import { entryTitle } from '../../history/list/entry-title.ts';
import { dayName, lengthText } from '../../history/list/history-days.ts';
import { historyKey } from '../../store/history/history-ui-state.ts';
import { expectedRecents, expectRecents } from './expected-recents.ts';
import { useActions, useAppContext, useUiState } from '../../store/use-app-context.ts';

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
