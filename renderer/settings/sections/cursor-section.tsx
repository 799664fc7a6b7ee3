import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CursorKeyOwner, cursorKeys } from '../../../shared/settings/key-owners.ts';
import { defaultSettings, type SettingsPatch } from '../../../shared/settings/settings.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { useActionName } from '../../cursor/action-icons.ts';
import { Button, TextArea, TextInput } from '../../design/controls.tsx';
import { keyName } from '../../keys/window-keys.ts';
import {
  PickerSetting,
  Setting,
  SwitchSetting,
  useSettingsGroup,
  useTypedValue,
} from '../controls/setting.tsx';
import { KeyRecorder } from '../keys/keys-section.tsx';
import { ActionsField } from './actions-field.tsx';

/** Settings of the small window over other programs, which only the desktop app has. */
export function CursorSection() {
  const { t } = useTranslation();
  const { readWindows, setup } = useActions();
  const hasWindows = useUiState(({ windows }) => windows !== undefined);
  const { enabled } = useSettingsGroup('cursor');
  useEffect(() => void readWindows(), [readWindows]);
  useEffect(() => void setup.readGlobalKey(), [setup]);
  return (
    <>
      <h1>{t('settings.sections.cursor')}</h1>
      {!hasWindows && <p className="settings-quiet">{t('settings.desktop.only')}</p>}
      <SwitchSetting at="cursor.enabled" />
      {enabled && cursorKeys.map((owner) => <CursorKeyField key={owner} owner={owner} />)}
      <AlwaysField />
      <SwitchSetting at="cursor.speakAnswers" />
      <ModeField />
      <LanguageOfDictation />
      <WordsField />
      <LanguageField which="firstLanguage" />
      <LanguageField which="secondLanguage" />
      <ActionsField />
    </>
  );
}

const keyIds = {
  askKey: 'ask',
  dictateKey: 'dictate',
  lookKey: 'look',
  regionKey: 'region',
} as const;

function CursorKeyField({ owner }: { readonly owner: CursorKeyOwner }) {
  const { t } = useTranslation();
  const key = useSettingsGroup('cursor')[owner];
  const names = t('keys', { returnObjects: true });
  const state = useUiState(({ globalKey }) => globalKey?.cursor?.[keyIds[owner]]);
  return (
    <KeyRecorder
      at={`cursor.${owner}`}
      owner={owner}
      value={key}
      defaultValue={defaultSettings.cursor[owner]}
      labels={key === 'none' ? [] : [keyName(key, names)]}
      trouble={state?.kind === 'unavailable' ? state.error : undefined}
    />
  );
}

function AlwaysField() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { always } = useSettingsGroup('cursor');
  return (
    <Setting at="cursor.always" wide>
      {(aria) => (
        <div role="group" className="button-row" {...aria}>
          {(['selection', 'clipboard', 'window'] as const).map((kind) => (
            <Button
              key={kind}
              aria-pressed={always[kind]}
              onClick={() =>
                void setup.choose('cursor.always', {
                  cursor: { always: { [kind]: !always[kind] } },
                })
              }
            >
              {t(`cursor.offer.${kind}`)}
            </Button>
          ))}
        </div>
      )}
    </Setting>
  );
}

function ModeField() {
  const { t } = useTranslation();
  const nameOf = useActionName();
  const { actions, dictation } = useSettingsGroup('cursor');
  const actionChoices = actions.map((action) => [action.id, nameOf(action)] as const);
  return (
    <PickerSetting
      at="cursor.dictation"
      value={dictation.mode}
      patch={(mode) => ({ cursor: { dictation: { mode } } })}
      choices={{
        ...t('cursor.dictation.modes', { returnObjects: true }),
        ...Object.fromEntries(actionChoices),
      }}
      fallback={t('cursor.dictation.modes.clean')}
    />
  );
}

function LanguageOfDictation() {
  const { language } = useSettingsGroup('cursor').dictation;
  return (
    <LanguageRow
      at="cursor.language"
      value={language}
      patch={(typed) => ({ cursor: { dictation: { language: typed } } })}
    />
  );
}

interface LanguageFieldProps {
  readonly which: 'firstLanguage' | 'secondLanguage';
}

function LanguageField({ which }: LanguageFieldProps) {
  const value = useSettingsGroup('cursor')[which];
  const patch = (typed: string) => ({ cursor: { [which]: typed } });
  return <LanguageRow at={`cursor.${which}`} value={value} patch={patch} />;
}

interface LanguageRowProps {
  readonly at: 'cursor.language' | `cursor.${LanguageFieldProps['which']}`;
  readonly value: string;
  readonly patch: (typed: string) => Pick<SettingsPatch, 'cursor'>;
}

function LanguageRow({ at, value, patch }: LanguageRowProps) {
  const { setup } = useActions();
  const typed = useTypedValue(at, value);
  return (
    <Setting at={at}>
      {(aria) => (
        <TextInput
          {...aria}
          dir="auto"
          maxLength={40}
          value={typed}
          onWrite={(text) => setup.edit(at, text, patch(text))}
          onBlur={() => setup.flush(at)}
        />
      )}
    </Setting>
  );
}

function WordsField() {
  const { setup } = useActions();
  const { dictation } = useSettingsGroup('cursor');
  const at = 'cursor.words';
  const typed = useTypedValue(at, dictation.words.join('\n'));
  /**
   * The text as typed. Stored words drop empty lines, so without this a press of Enter would disappear and the next word
   * would join the last one.
   */
  const [draft, setDraft] = useState<string>();
  return (
    <Setting at={at} wide>
      {(aria) => (
        <TextArea
          {...aria}
          rows={3}
          spellCheck={false}
          value={draft ?? typed}
          onWrite={(text) => {
            setDraft(text);
            const words = text.split('\n').map((word) => word.trim());
            setup.edit(at, text, {
              cursor: { dictation: { words: words.filter((word) => word !== '') } },
            });
          }}
          onBlur={() => {
            setDraft(undefined);
            setup.flush(at);
          }}
        />
      )}
    </Setting>
  );
}
