import { RotateCcw, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatChord, modifierOf } from '../../../shared/keys/key-chord.ts';
import { Button } from '../../design/button.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { globalKeyFault, keyFault } from '../../keys/key-fault.ts';
import { keyName } from '../../keys/key-name.ts';
import { otherOwners } from '../../keys/key-owners.ts';
import type { KeyOwner } from '../../keys/key-owners.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { Setting } from '../controls/setting.tsx';
import { useSettingText } from '../controls/setting-text.ts';
import type { SettingId } from '../controls/setting-text.ts';
import { useSettingsGroup } from '../controls/use-settings-group.ts';
import { KeyConflict } from './key-conflict.tsx';

interface Props {
  readonly at: SettingId;
  readonly owner: KeyOwner;
  /** As it is set, and as it is at first. */
  readonly value: string;
  readonly defaultValue: string;
  /** What is pressed for it; empty where nothing is. */
  readonly signs: readonly string[];
}

/** A key: a button that waits for another one when it is pressed. */
export function KeyRecorder({ at, owner, value, defaultValue, signs }: Props) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { name } = useSettingText(at);
  const talking = useSettingsGroup('talking');
  const keys = useSettingsGroup('keys');
  const conflict = useUiState(({ settingsUi }) => settingsUi.keyConflict?.owner === owner);
  const [pressed, setPressed] = useState(false);
  /** It was looked for, and its button has the keyboard by that. */
  const wanted = useUiState(({ settingsUi }) => settingsUi.wantedKey === owner);
  const waiting = pressed || wanted;
  const stop = (): void => {
    setPressed(false);
    if (wanted) setup.wantKey(undefined);
  };
  useEffect(() => {
    if (!wanted) return undefined;
    return () => {
      setup.wantKey(undefined);
    };
  }, [wanted, setup]);

  const record = ({ nativeEvent }: KeyboardEvent): void => {
    const key = formatChord(nativeEvent);
    const fault = (owner === 'global' ? globalKeyFault : keyFault)(nativeEvent);
    if (fault !== undefined) {
      const named = keyName(key, t('keys', { returnObjects: true }));
      setup.setProblem(at, t(`settings.talking.faults.${fault}`, { key: named }));
      return;
    }
    const others = otherOwners({ talking, keys }, owner, nativeEvent);
    if (others.length > 0) setup.askForKey(owner, key, others);
    else void setup.setKey(owner, key);
    stop();
  };
  const take = (event: KeyboardEvent): void => {
    const { code } = event.nativeEvent;
    // Whoever moves on has not chosen a key.
    if (!waiting || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    const down = event.type === 'keydown';
    // A modifier may be the beginning of two keys at once; alone it counts when it comes up.
    if (down === (modifierOf(code) !== undefined) || event.repeat) return;
    if (code === 'Escape') stop();
    else record(event);
  };
  return (
    <Setting at={at} wide={conflict}>
      {(aria) => (
        <>
          {(signs.length === 0 ? [t('keys.none')] : signs).map((sign) => (
            <kbd key={sign} className="key" dir="ltr" data-none={signs.length === 0}>
              {sign}
            </kbd>
          ))}
          <Button
            aria-describedby={aria['aria-describedby']}
            aria-pressed={waiting}
            onClick={() => {
              setup.setProblem(at, undefined);
              setup.leaveKey();
              setPressed(true);
            }}
            onKeyDown={take}
            onKeyUp={take}
            onBlur={stop}
          >
            {t(waiting ? 'settings.talking.press' : 'settings.talking.change')}
          </Button>
          {value !== 'none' && owner !== 'talk' && (
            <IconButton
              icon={X}
              label={t('settings.keys.remove', { name })}
              onClick={() => void setup.setKey(owner, 'none')}
            />
          )}
          {value !== defaultValue && (
            <IconButton
              icon={RotateCcw}
              label={t('settings.keys.reset', { name })}
              onClick={() => void setup.setKey(owner, defaultValue)}
            />
          )}
          {conflict && <KeyConflict />}
        </>
      )}
    </Setting>
  );
}
