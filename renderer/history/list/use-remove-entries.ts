import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryRef } from '../../../shared/history/history-item.ts';
import { historyKey } from '../../store/history/history-ui-state.ts';
import { useActions, useAppContext } from '../../store/use-app-context.ts';
import { recordTitle } from '../../../shared/history/record-title.ts';
import { entryTitle } from './entry-title.ts';

export type RemoveEntries = (list: readonly HistoryRef[], recordings: 'too' | 'stay') => void;

/** Out of sight at once; out of the disk when nobody has wanted them back for a while. */
export function useRemoveEntries(): RemoveEntries {
  const { t } = useTranslation();
  const { history, removal } = useActions();
  const { store } = useAppContext();
  return useCallback(
    (list, recordings) => {
      const { listed, opened } = store.getState().history;
      const keys = list.map(historyKey);
      const wanted = new Set(keys);
      const items = listed?.entries.flatMap(({ item }) =>
        wanted.has(historyKey(item)) ? [item] : [],
      );
      // A talk that goes on cannot go, which is said now.
      if (items?.some((item) => item.kind === 'talk' && item.ending === 'goesOn') === true) {
        void history.remove(list, recordings === 'too');
        return;
      }
      const open = opened !== undefined && wanted.has(`talk ${opened.id}`) ? opened : undefined;
      const taped =
        recordings === 'too' &&
        (open?.talk?.tape === true ||
          items?.some((item) => item.kind === 'talk' && item.tape) === true);
      const [item] = items ?? [];
      const record = open?.talk?.record;
      const named = record === undefined ? '' : recordTitle(record);
      const title = item === undefined ? named || t('history.unsaid') : entryTitle(item, t);
      if (open !== undefined) history.close();
      history.choose(undefined);
      removal.remove({
        keys,
        told:
          list.length === 1
            ? t(taped ? 'shell.undo.taped' : 'shell.undo.deleted', { title })
            : t(taped ? 'shell.undo.severalTaped' : 'shell.undo.several', { count: list.length }),
        remove: () => history.remove(list, taped),
        restore: () => open && history.openTalk(open.id, open.turn),
      });
    },
    [t, history, removal, store],
  );
}
