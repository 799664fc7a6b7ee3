import { FolderOpen, ListChecks, Settings2, SlidersHorizontal } from 'lucide-react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { isSendKey } from '../design/edit-in-place.tsx';
import { Picker, SearchField } from '../design/fields.tsx';
import { Menu, MenuItem } from '../design/menu.tsx';
import { useWindowKeydown } from '../keys/use-window-keydown.ts';
import { isWriting, overlaySelector } from '../keys/window-keys.ts';

interface Props {
  readonly field: RefObject<HTMLInputElement | null>;
  /** To the first that was found. */
  readonly intoList: () => void;
}

/** What is looked for, and among which. */
export function HistoryHead({ field, intoList }: Props) {
  const { t } = useTranslation();
  const { history } = useActions();
  const query = useUiState(({ history }) => history.query);
  const show = useUiState(({ history }) => history.show);
  return (
    <div className="kept-head">
      <SearchField
        field={field}
        label={t('history.find')}
        clearLabel={t('history.clear')}
        keyShortcuts="Control+F /"
        query={query}
        search={history.search}
        pressed={(event) => {
          if (event.key !== 'ArrowDown' && !isSendKey(event)) return;
          event.preventDefault();
          intoList();
        }}
      />
      <div className="kept-tools">
        <Picker
          called={t('history.show')}
          value={show}
          choices={t('history.shows', { returnObjects: true })}
          choose={history.setShow}
        />
        <Found />
        <Options />
      </div>
    </div>
  );
}

/** How many there are, told to those who listen as well. */
function Found() {
  const { t } = useTranslation();
  const listed = useUiState(({ history }) => history.listed);
  const count = listed?.total ?? 0;
  const said = listed !== undefined && listed.query.trim() !== '' && count > 0;
  return (
    <p className="kept-found" role="status">
      {listed?.complete === false
        ? t('history.reading')
        : said
          ? t('history.found', { count })
          : ''}
    </p>
  );
}

function Options() {
  const { t } = useTranslation();
  const { history, openSettings } = useActions();
  return (
    <Menu
      trigger={
        <button type="button" className="icon-button" aria-label={t('history.options')}>
          <SlidersHorizontal aria-hidden />
        </button>
      }
    >
      <MenuItem
        icon={ListChecks}
        run={() => {
          history.choose([]);
        }}
      >
        {t('history.actions.choose')}
      </MenuItem>
      <MenuItem icon={FolderOpen} run={() => void history.showFolder()}>
        {t('history.allFolder')}
      </MenuItem>
      <MenuItem
        icon={Settings2}
        run={() => {
          openSettings('privacy');
        }}
      >
        {t('history.privacy')}
      </MenuItem>
    </Menu>
  );
}

/** Ctrl+F, and a slash where nothing is being written, lead to the search. */
export function useHistoryKeys(field: RefObject<HTMLInputElement | null>): void {
  useWindowKeydown((event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (event.defaultPrevented || event.isComposing || altKey) return;
    const finds = (ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === 'f';
    const slash = key === '/' && !ctrlKey && !metaKey && !isWriting(event);
    if (!finds && !slash) return;
    if (document.querySelector(overlaySelector) !== null) return;
    event.preventDefault();
    field.current?.focus();
    field.current?.select();
  });
}
