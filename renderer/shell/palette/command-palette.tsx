import { useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Sheet } from '../../design/sheets/sheet.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { findPaletteCommands } from './find-palette-commands.ts';
import type { PaletteCommand } from './palette-command.ts';
import { usePaletteCommands } from './use-palette-commands.ts';
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
  const { setPalette, tell } = useActions();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const groups = findPaletteCommands(usePaletteCommands(typed), typed);
  const found = groups.flatMap(({ commands }) => commands);
  const at = Math.min(marked, Math.max(0, found.length - 1));

  const run = (command: PaletteCommand | undefined): void => {
    if (command === undefined) return;
    setPalette(false);
    command.run();
    if (command.tells === true) tell(command.name);
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
        {groups.map(({ group, commands }) => (
          <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
            <div id={`${id}-${group}`} className="palette-group" role="presentation">
              {t(`palette.groups.${group}`)}
            </div>
            {commands.map((command) => {
              const index = found.indexOf(command);
              return (
                <Option
                  key={command.name}
                  command={command}
                  index={index}
                  marked={index === at}
                  mark={setMarked}
                  run={run}
                />
              );
            })}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="palette-nothing">{t('shell.nothingFound')}</p>}
    </div>
  );
}

interface OptionProps {
  readonly command: PaletteCommand;
  readonly index: number;
  readonly marked: boolean;
  readonly mark: (index: number) => void;
  readonly run: (command: PaletteCommand) => void;
}

function Option({ command, index, marked, mark, run }: OptionProps) {
  const { icon: Icon, name, keys } = command;
  return (
    <div
      id={`command-${index}`}
      role="option"
      aria-selected={marked}
      ref={(element) => {
        if (marked) element?.scrollIntoView({ block: 'nearest' });
      }}
      onPointerMove={() => {
        mark(index);
      }}
      onClick={() => {
        run(command);
      }}
    >
      <Icon strokeWidth={1.75} aria-hidden />
      <span className="palette-name" dir="auto">
        {name}
      </span>
      {keys !== undefined && <kbd>{keys}</kbd>}
    </div>
  );
}
