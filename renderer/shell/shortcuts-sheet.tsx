import { useTranslation } from 'react-i18next';
import { SheetHeader } from '../design/sheets/sheet-header.tsx';
import { Sheet } from '../design/sheets/sheet.tsx';
import { talkKeyOf, windowKeysOf } from '../store/page-style.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { shortcutList } from './shortcut-list.ts';
import type { ShortcutGroup } from './shortcut-list.ts';
import './shortcuts-sheet.css';

/** The keys of the window, to be looked up. */
export function ShortcutsSheet() {
  const { t } = useTranslation();
  const { setShortcuts } = useActions();
  const open = useUiState(({ shortcutsOpen }) => shortcutsOpen);
  const talkKey = useUiState(talkKeyOf);
  const mini = useUiState(({ windows }) => windows !== undefined);
  const keys = useUiState(windowKeysOf);
  const globalKey = useUiState(({ settings }) =>
    settings?.talking.everywhere === true ? settings.talking.globalKey : undefined,
  );
  const facts = { talkKey, keys, globalKey, mini, platform: navigator.platform };
  const close = (): void => {
    setShortcuts(false);
  };
  return (
    <Sheet wide name={t('shortcuts.name')} open={open} setOpen={setShortcuts}>
      <div className="sheet-page">
        <SheetHeader title={t('shortcuts.name')} close={close} />
        {/* It can be scrolled by keyboard: nothing in it takes the keyboard itself. */}
        <div className="sheet-body" role="region" aria-label={t('shortcuts.name')} tabIndex={0}>
          <div className="shortcuts">
            {shortcutList(t, facts).map((group) => (
              <Group key={group.name} group={group} />
            ))}
          </div>
        </div>
      </div>
    </Sheet>
  );
}

function Group({ group: { name, lines } }: { readonly group: ShortcutGroup }) {
  const { t } = useTranslation();
  return (
    <section className="shortcut-group">
      <h3>{name}</h3>
      <dl>
        {lines.map((line) => (
          <div key={line.name} className="shortcut">
            <dt>{line.name}</dt>
            <dd>
              {line.keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && <span className="shortcut-or">{t('shortcuts.or')}</span>}
                  <kbd dir="ltr">{key}</kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
