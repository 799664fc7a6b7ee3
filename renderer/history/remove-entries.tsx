import { FileX2, Trash2 } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { historyKey, type HistoryRef, recordTitle } from '../../shared/recordings/history-item.ts';
import { useActions, useAppContext } from '../app/app-context.ts';
import { MenuItem } from '../design/layers.tsx';
import { entryTitle } from './history-text.ts';

export type RemoveEntries = (list: readonly HistoryRef[], recordings: 'delete' | 'keep') => void;

/** Hides entries at once and deletes them when the time for undo is over. */
export function useRemoveEntries(): RemoveEntries {
  const { t } = useTranslation();
  const { history, removal } = useActions();
  const { store } = useAppContext();
  return useCallback(
    (list, recordings) => {
      const { listed, opened } = store.getState().history;
      const keys = list.map(historyKey);
      const removedKeys = new Set(keys);
      const items = listed?.entries.flatMap(({ item }) =>
        removedKeys.has(historyKey(item)) ? [item] : [],
      );
      history.choose(undefined);
      // A running talk cannot be removed; the core says so at once.
      if (items?.some((item) => item.kind === 'talk' && item.ending === 'running') === true) {
        void history.remove(list, recordings === 'delete');
        return;
      }
      const open =
        opened !== undefined && removedKeys.has(`talk ${opened.id}`) ? opened : undefined;
      const taped =
        recordings === 'delete' &&
        (open?.talk?.tape === true ||
          items?.some((item) => item.kind === 'talk' && item.tape) === true);
      const [item] = items ?? [];
      const record = open?.talk?.record;
      const storedTitle = record === undefined ? '' : recordTitle(record);
      const title = item === undefined ? storedTitle || t('history.unsaid') : entryTitle(item, t);
      if (open !== undefined) history.close();
      removal.remove({
        keys,
        message:
          list.length === 1
            ? t(taped ? 'shell.undo.taped' : 'shell.undo.deleted', { title })
            : t(taped ? 'shell.undo.severalTaped' : 'shell.undo.several', { count: list.length }),
        ...history.withhold(list, {
          remove: () => history.remove(list, taped),
          restore: () => void (open && history.openTalk(open.id, open.turn)),
        }),
      });
    },
    [t, history, removal, store],
  );
}

interface Props {
  readonly taped: boolean;
  readonly onRemove: (recordings: 'delete' | 'keep') => void;
}

export function RemoveItems({ taped, onRemove }: Props) {
  const { t } = useTranslation();
  return (
    <>
      {taped && (
        <MenuItem icon={FileX2} onSelect={() => onRemove('keep')}>
          {t('history.actions.removeText')}
        </MenuItem>
      )}
      <MenuItem icon={Trash2} onSelect={() => onRemove('delete')}>
        {t('buttons.delete')}
      </MenuItem>
    </>
  );
}
