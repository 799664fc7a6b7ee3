import { RotateCcw, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../shared/errors/app-error.ts';
import {
  conflictingOwners,
  isGlobalKey,
  isWindowOwner,
  type SettingKeyOwner,
} from '../../../shared/settings/key-owners.ts';
import { windowKeyNames } from '../../../shared/settings/app-settings.ts';
import { defaultSettings } from '../../../shared/settings/settings.ts';
import { formatChord, modifierOf } from '../../../shared/talk/global-key.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { Button, IconButton, passFocusOn } from '../../design/controls.tsx';
import { errorText } from '../../i18n/format.ts';
import {
  globalKeyFault,
  keyFault,
  useKeyConflictText,
  useTalkKeyName,
  isWindowKey,
  keyName,
  windowKeyLabels,
} from '../../keys/window-keys.ts';
import { Setting, type SettingId, useSettingsGroup, useSettingText } from '../controls/setting.tsx';

/** Configurable keys. Keys of text fields and lists are fixed. */
export function KeysSection() {
  const { t } = useTranslation();
  const { setup, removal } = useActions();
  const keys = useSettingsGroup('keys');
  const reset = async (): Promise<void> => {
    if (!(await setup.resetKeys())) return;
    removal.remove({
      keys: ['keys'],
      message: t('shell.undo.keys'),
      // The keys are reset already.
      remove: () => undefined,
      // Undo would also take back a key that is chosen after this.
      completeBefore: ['changeSettings'],
      restore: () => setup.choose('keys.reset', { keys }),
    });
  };
  const names = t('keys', { returnObjects: true });
  const hasChanged = windowKeyNames.some((name) => keys[name] !== defaultSettings.keys[name]);
  return (
    <>
      <h1>{t('settings.sections.keys')}</h1>
      <TalkKeyField />
      {windowKeyNames.map((name) => (
        <KeyRecorder
          key={name}
          at={`keys.${name}`}
          owner={name}
          value={keys[name]}
          defaultValue={defaultSettings.keys[name]}
          labels={windowKeyLabels(keys, name, names, navigator.platform)}
        />
      ))}
      {hasChanged && (
        <Button ref={passFocusOn} onClick={() => void reset()}>
          {t('settings.keys.resetAll')}
        </Button>
      )}
    </>
  );
}

interface KeyRecorderProps {
  readonly at: SettingId;
  readonly owner: SettingKeyOwner;
  readonly value: string;
  readonly defaultValue: string;
  /** Labels of the current keys; may be empty. */
  readonly labels: readonly string[];
  /** Why the key does not work. */
  readonly trouble?: AppError | undefined;
}

/** A button that records a new key. */
export function KeyRecorder({ at, owner, value, defaultValue, labels, trouble }: KeyRecorderProps) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { name } = useSettingText(at);
  const talking = useSettingsGroup('talking');
  const keys = useSettingsGroup('keys');
  const cursor = useSettingsGroup('cursor');
  const conflict = useUiState(({ settingsUi }) => settingsUi.keyConflict?.owner === owner);
  const takenText = useKeyConflictText();
  const troubleText = (error: AppError): string =>
    error.code === 'globalKeyTwice'
      ? takenText(value, conflictingOwners({ talking, keys, cursor }, owner, value))
      : errorText(t, error);
  /** The user asked for a new key elsewhere, for example in the palette. */
  const isRequested = useUiState(({ settingsUi }) => settingsUi.recordingKey === owner);
  useEffect(() => {
    if (!isRequested) return undefined;
    return () => setup.startKeyRecording(undefined);
  }, [isRequested, setup]);

  const record = (key: string, stroke: globalThis.KeyboardEvent): 'again' | undefined => {
    const fault = (isGlobalKey(owner) ? globalKeyFault : keyFault)(stroke);
    if (fault !== undefined) {
      const shownKey = keyName(key, t('keys', { returnObjects: true }));
      setup.setProblem(at, t(`settings.talking.faults.${fault}`, { key: shownKey }));
      return 'again';
    }
    const others = conflictingOwners({ talking, keys, cursor }, owner, key, (other) =>
      isWindowKey(keys, other, stroke),
    );
    if (others.length > 0) setup.showKeyConflict(owner, key, others);
    else void setup.setKey(owner, key);
    return undefined;
  };
  const reset = (): void => {
    const others = conflictingOwners({ talking, keys, cursor }, owner, defaultValue);
    if (others.length > 0) setup.showKeyConflict(owner, defaultValue, others);
    else void setup.setKey(owner, defaultValue);
  };
  return (
    <Setting at={at} wide={conflict || trouble !== undefined}>
      {(aria) => (
        <>
          {(labels.length === 0 ? [t('keys.none')] : labels).map((sign) => (
            <kbd key={sign} className="key" dir="ltr" data-none={labels.length === 0}>
              {sign}
            </kbd>
          ))}
          <RecordKeyButton
            aria-describedby={aria['aria-describedby']}
            isRequested={isRequested}
            onBegin={() => {
              setup.setProblem(at, undefined);
              setup.dismissKeyConflict();
            }}
            onRecord={record}
            onStop={() => {
              if (isRequested) setup.startKeyRecording(undefined);
            }}
          />
          {value !== 'none' && owner !== 'talk' && (
            <IconButton
              ref={passFocusOn}
              icon={X}
              label={t('settings.keys.remove', { name })}
              onClick={() => void setup.setKey(owner, 'none')}
            />
          )}
          {value !== defaultValue && (
            <IconButton
              ref={passFocusOn}
              icon={RotateCcw}
              label={t('settings.keys.reset', { name })}
              onClick={reset}
            />
          )}
          {trouble !== undefined && !conflict && (
            <p className="verdict" role="status" data-good={false} dir="auto">
              {troubleText(trouble)}
            </p>
          )}
          {conflict && <KeyConflict />}
        </>
      )}
    </Setting>
  );
}

/** Asks whether to take a key from another function. */
function KeyConflict() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const takenText = useKeyConflictText();
  const conflict = useUiState(({ settingsUi }) => settingsUi.keyConflict);
  const keys = useSettingsGroup('keys');
  if (conflict === undefined) return null;
  const { owner, key, others } = conflict;
  const names = t('keys', { returnObjects: true });
  const label =
    key === 'default' && isWindowOwner(owner)
      ? windowKeyLabels({ ...keys, [owner]: key }, owner, names, navigator.platform)[0]
      : undefined;
  return (
    <div ref={passFocusOn} className="key-conflict" role="alert">
      <p>{takenText(key, others, label)}</p>
      <Button kind="strong" onClick={() => void setup.resolveKeyConflict()}>
        {t('settings.keys.take')}
      </Button>
      <Button onClick={() => setup.dismissKeyConflict()}>{t('settings.keys.leave')}</Button>
    </div>
  );
}

/** The talk key. */
export function TalkKeyField() {
  const { key } = useSettingsGroup('talking');
  const name = useTalkKeyName();
  return (
    <KeyRecorder
      at="talking.key"
      owner="talk"
      value={key}
      defaultValue={defaultSettings.talking.key}
      labels={[name]}
    />
  );
}

interface RecordKeyProps {
  readonly 'aria-describedby'?: string | undefined;
  /** Records without a click, because the user asked for a new key elsewhere. */
  readonly isRequested?: boolean;
  readonly onBegin?: () => void;
  /** Returns `again` if the key cannot be used, so that the button records the next one. */
  readonly onRecord: (chord: string, stroke: globalThis.KeyboardEvent) => 'again' | undefined;
  readonly onStop?: () => void;
}

/** Takes the next key that is pressed. */
export function RecordKeyButton({
  isRequested = false,
  onBegin,
  onRecord,
  onStop,
  ...rest
}: RecordKeyProps) {
  const { t } = useTranslation();
  const [pressed, setPressed] = useState(false);
  const endsChord = useRef(false);
  const isRecording = pressed || isRequested;
  const end = (): void => {
    setPressed(false);
    onStop?.();
  };
  const handleKey = (event: KeyboardEvent): void => {
    const { code } = event.nativeEvent;
    // Tab moves the focus and cancels.
    if (!isRecording || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    const isDown = event.type === 'keydown';
    const isModifier = modifierOf(code) !== undefined;
    // A modifier can start a chord. So it is recorded on its release, and only if no other key was pressed with it.
    const isComplete = isDown !== isModifier && !(isModifier && endsChord.current);
    if (isDown) endsChord.current = !isModifier;
    if (!isComplete || event.repeat) return;
    const { nativeEvent } = event;
    if (code === 'Escape' || onRecord(formatChord(nativeEvent), nativeEvent) === undefined) end();
  };
  return (
    <Button
      {...rest}
      aria-pressed={isRecording}
      onClick={() => {
        onBegin?.();
        setPressed(true);
      }}
      onKeyDown={handleKey}
      onKeyUp={handleKey}
      onBlur={end}
    >
      {t(isRecording ? 'settings.talking.press' : 'settings.talking.change')}
    </Button>
  );
}
