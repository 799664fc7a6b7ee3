import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Sheet } from '../design/sheet.tsx';
import { useActions, useAppContext, useUiState } from '../store/use-app-context.ts';
import { paletteCommands, findPaletteCommands } from './palette-commands.ts';
import type { PaletteCommand } from './palette-commands.ts';
import './command-palette.css';

/** Everything that can be done, one key away. */
export function CommandPalette() {
  const { t } = useTranslation();
  const { setPalette } = useActions();
  const open = useUiState(({ paletteOpen }) => paletteOpen);
  return (
    <Sheet name={t('shell.commands')} open={open} setOpen={setPalette}>
      <PaletteBody />
    </Sheet>
  );
}

function PaletteBody() {
  const { t } = useTranslation();
  const { store, actions } = useAppContext();
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  // As it was when the palette opened: a list that changes under the hand is clicked wrongly.
  const [commands] = useState(() => paletteCommands(store.getState(), actions, t));
  const found = findPaletteCommands(commands, typed);
  const at = Math.min(marked, Math.max(0, found.length - 1));

  const run = (command: PaletteCommand | undefined): void => {
    if (command === undefined) return;
    actions.setPalette(false);
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setMarked((at + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[at]);
    }
  };
  return (
    <div className="palette">
      <input
        type="text"
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `command-${at}` : undefined}
        aria-label={t('shell.find')}
        placeholder={t('shell.find')}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label={t('shell.commands')}>
        {found.map((command, index) => (
          <div
            key={command.name}
            id={`command-${index}`}
            role="option"
            aria-selected={index === at}
            ref={(element) => {
              if (index === at) element?.scrollIntoView({ block: 'nearest' });
            }}
            onPointerMove={() => {
              setMarked(index);
            }}
            onClick={() => {
              run(command);
            }}
          >
            <span>{command.name}</span>
            {command.keys !== undefined && <kbd>{command.keys}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="palette-nothing">{t('shell.nothingFound')}</p>}
    </div>
  );
}
