import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TitleField } from '../../parts/title-field.tsx';
import { historyKey } from '../../store/history/history-ui-state.ts';
import type { HistoryEntry } from '../../store/history/history-ui-state.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { EntryMenu } from './entry-menu.tsx';
import { EntryText } from './entry-text.tsx';
import { entryTitle } from './entry-title.ts';
import type { RemoveEntries } from './use-remove-entries.ts';

interface Props {
  readonly entry: HistoryEntry;
  readonly remove: RemoveEntries;
}

/** One talk or conversation, with what can be done to it; while several are chosen, a box to tick. */
export const EntryRow = memo(({ entry, remove }: Props) => {
  const { t } = useTranslation();
  const { history } = useActions();
  const { item } = entry;
  const key = historyKey(item);
  const open = useUiState(({ history: { opened } }) => `talk ${opened?.id}` === key);
  const chosen = useUiState(({ history }) => history.chosen?.has(key));
  const [renames, setRenames] = useState(false);
  if (renames) {
    return (
      <TitleField
        label={t('history.newName')}
        title={entryTitle(item, t)}
        rename={(title) => void history.rename(item, title)}
        end={() => {
          setRenames(false);
        }}
      />
    );
  }
  return (
    <div className="kept-row" data-open={open}>
      <button
        type="button"
        className="kept-open"
        aria-current={open ? 'true' : undefined}
        role={chosen === undefined ? undefined : 'checkbox'}
        aria-checked={chosen}
        onClick={() => {
          if (chosen === undefined) void history.open(entry);
          else history.toggle(item);
        }}
        onKeyDown={({ key }) => {
          if (chosen !== undefined) return;
          if (key === 'F2') setRenames(true);
          if (key === 'Delete') remove([item], 'too');
        }}
      >
        {chosen !== undefined && <span className="kept-box" aria-hidden />}
        <EntryText entry={entry} />
      </button>
      {chosen === undefined && (
        <EntryMenu
          item={item}
          rename={() => {
            setRenames(true);
          }}
          remove={(recordings) => {
            remove([item], recordings);
          }}
        />
      )}
    </div>
  );
});
EntryRow.displayName = 'EntryRow';
