import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appError } from '../../../shared/errors/app-error.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import { modes } from '../../../shared/protocol/realtime-api.ts';
import {
  type AssistantSettings,
  isConfig,
  maxInstructionsLength,
} from '../../../shared/settings/assistant-settings.ts';
import {
  resolveInstructions,
  modesForPreset,
  type PresetId,
  presetIds,
} from '../../../shared/settings/preset.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button } from '../../design/button.tsx';
import { errorText } from '../../i18n/error-text.ts';
import { getMessages } from '../../i18n/page-language.ts';
import { FurtherFields, RadioChoice, Setting, SwitchSetting } from '../controls/setting.tsx';
import { useSettingsGroup, useTypedValue } from '../controls/use-settings.ts';
import { GenerationSection } from './generation-section.tsx';
import './assistant.css';

export function AssistantSection() {
  const { t } = useTranslation();
  return (
    <>
      <h1>{t('settings.sections.assistant')}</h1>
      <Presets />
      <Instructions />
      <MemoryOfRole />
      <PresetConfig />
      <GenerationSection />
    </>
  );
}

function Presets() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const assistant = useSettingsGroup('assistant');
  const presets = [
    ...presetIds.map((id) => ({
      id,
      title: t(`presets.${id}.title`),
      summary: t(`presets.${id}.summary`),
      suits: isForAll(id)
        ? undefined
        : t('settings.assistant.suits', {
            modes: modesForPreset(id)
              .map((mode) => t(`settings.assistant.modes.${mode}`))
              .join(t('settings.assistant.and')),
          }),
    })),
    {
      id: 'own' as const,
      title: t('settings.assistant.own'),
      summary: t('settings.assistant.ownHint'),
      suits: undefined,
    },
  ];
  return (
    <Setting at="assistant.preset" wide>
      {(aria) => (
        <div role="radiogroup" className="presets" {...aria}>
          {presets.map(({ id, title, summary, suits }) => (
            <RadioChoice
              key={id}
              group="preset"
              title={title}
              hints={suits === undefined ? [summary] : [summary, suits]}
              chosen={assistant.preset === id}
              onChoose={() => void setup.choose('assistant.preset', { assistant: { preset: id } })}
            />
          ))}
        </div>
      )}
    </Setting>
  );
}

const isForAll = (id: PresetId): boolean =>
  modes.every((mode) => modesForPreset(id).includes(mode));

/** Shows the text of the preset, as a starting point for the user's own. */
function Instructions() {
  const { t, i18n } = useTranslation();
  const { setup } = useActions();
  const at = 'assistant.instructions';
  const assistant = useSettingsGroup('assistant');
  const text = useTypedValue(at, assistant.instructions);
  const isInvalid = useUiState(({ settingsUi }) => settingsUi.fields[at]?.problem !== undefined);
  const write = (next: string): void => {
    const over = next.length - maxInstructionsLength;
    if (over > 0) setup.showInvalid(at, next, t('settings.assistant.tooLong', { over }));
    else setup.edit(at, next, { assistant: { instructions: next } });
  };
  const preset = resolveInstructions(assistant, getMessages(i18n).presets);
  return (
    <>
      {assistant.preset !== 'own' && (
        <details className="preset-text">
          <summary>{t('settings.assistant.reads')}</summary>
          <p dir="auto">{preset}</p>
          {text === '' && (
            <Button
              onClick={() =>
                void setup.choose('assistant.preset', {
                  assistant: { preset: 'own', instructions: preset },
                })
              }
            >
              {t('settings.assistant.take')}
            </Button>
          )}
        </details>
      )}
      <Setting at={at} wide>
        {(aria) => (
          <>
            <textarea
              {...aria}
              className="text-field"
              dir="auto"
              aria-invalid={isInvalid}
              value={text}
              onChange={({ target }) => write(target.value)}
              onBlur={() => setup.flush(at)}
            />
            <p className="row-hint characters" data-over={text.length > maxInstructionsLength}>
              {t('settings.assistant.characters', {
                count: text.length,
                most: maxInstructionsLength,
              })}
            </p>
          </>
        )}
      </Setting>
    </>
  );
}

/** Whether the chosen role gets the memory. */
function MemoryOfRole() {
  const { preset, withoutMemory: without } = useSettingsGroup('assistant');
  return (
    <SwitchSetting
      at="assistant.withoutMemory"
      value={!without.includes(preset)}
      patch={(on) => ({
        assistant: {
          withoutMemory: on ? without.filter((role) => role !== preset) : [...without, preset],
        },
      })}
    />
  );
}

function PresetConfig() {
  const { preset } = useSettingsGroup('assistant');
  return <PresetConfigField key={preset} preset={preset} />;
}

function PresetConfigField({ preset }: Pick<AssistantSettings, 'preset'>) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { configs } = useSettingsGroup('assistant');
  const field = `assistant.configs.${preset}`;
  const fieldState = useUiState(({ settingsUi }) => settingsUi.fields[field]);
  /** The typed text. The stored value is reformatted, which would move the caret. */
  const [draft, setDraft] = useState<string>();
  const storedConfig = configs[preset];
  const stored = storedConfig === undefined ? '' : JSON.stringify(storedConfig, undefined, 2);
  const typed = typeof fieldState?.typed === 'string' ? fieldState.typed : stored;
  const write = (text: string): void => {
    setDraft(text);
    const config = text.trim() === '' ? {} : parseJsonObject(text);
    if (config === undefined || !isConfig(config))
      setup.showInvalid(field, text, errorText(t, appError('configForm')));
    else setup.edit(field, text, { assistant: { configs: { ...configs, [preset]: config } } });
  };
  return (
    <Setting at="assistant.configs" field={field} wide>
      {(aria) => (
        <FurtherFields
          {...aria}
          aria-invalid={fieldState?.problem !== undefined}
          value={draft ?? typed}
          onWrite={write}
          onBlur={() => {
            setDraft(undefined);
            setup.flush(field);
          }}
        />
      )}
    </Setting>
  );
}
