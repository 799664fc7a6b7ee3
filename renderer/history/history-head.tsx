import { FolderOpen, ListChecks, Search, Settings2, SlidersHorizontal, X } from 'lucide-react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, MenuItem } from '../design/menu.tsx';
import { Picker } from '../design/picker.tsx';
import { isSendKey } from '../chat/composer/send-key.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';

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
      <div className="kept-find" role="search">
        <Search aria-hidden />
        <input
          ref={field}
          type="text"
          aria-label={t('history.find')}
          placeholder={t('history.find')}
          aria-keyshortcuts="Control+F /"
          dir="auto"
          maxLength={1000}
          value={query}
          onChange={({ target }) => {
            history.search(target.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || isSendKey(event)) {
              event.preventDefault();
              intoList();
            }
            if (event.key === 'Escape' && query !== '') {
              event.preventDefault();
              history.search('');
            }
          }}
        />
        {query !== '' && (
          <IconButton
            icon={X}
            label={t('history.clear')}
            onClick={() => {
              history.search('');
              field.current?.focus();
            }}
          />
        )}
      </div>
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
