import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appError } from '../../../shared/errors/app-error.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import { modes } from '../../../shared/protocol/realtime-api.ts';
import {
  type AssistantSettings,
  type GenerationSettings,
  isConfig,
  maxInstructionsLength,
  serverWordForm,
} from '../../../shared/settings/assistant-settings.ts';
import {
  modesForPreset,
  type PresetId,
  presetIds,
  resolveInstructions,
} from '../../../shared/settings/preset.ts';
import { defaultSettings } from '../../../shared/settings/settings.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { Button, passFocusOn, Switch, TextArea, TextInput } from '../../design/controls.tsx';
import { errorText } from '../../i18n/format.ts';
import { getMessages } from '../../i18n/page-language.ts';
import {
  FurtherFields,
  RadioChoice,
  Setting,
  SliderSetting,
  SwitchSetting,
  useSettingsGroup,
  useTypedValue,
} from '../controls/setting.tsx';
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
            <TextArea
              {...aria}
              aria-invalid={isInvalid}
              value={text}
              onWrite={write}
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

const defaults = defaultSettings.assistant.generation;

/** Generation options, each with a reset. */
function GenerationSection() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const generation = useSettingsGroup('assistant').generation;
  const hasChanged = (Object.keys(defaults) as (keyof GenerationSettings)[]).some(
    (name) => generation[name] !== defaults[name],
  );
  return (
    <section aria-labelledby="generation">
      <h2 id="generation">{t('settings.assistant.generation')}</h2>
      <p className="row-hint">{t('settings.assistant.generationHint')}</p>
      <SliderSetting at="assistant.lengthPenalty" step={0.05} valueText={String} />
      <SwitchSetting at="assistant.generateAudio" />
      <SliderSetting at="assistant.temperature" step={0.05} valueText={String} />
      <SliderSetting at="assistant.topK" step={1} valueText={String} />
      <SliderSetting at="assistant.topP" step={0.01} valueText={String} />
      <SliderSetting at="assistant.textRepetitionPenalty" step={0.01} valueText={String} />
      <SliderSetting at="assistant.listenProbScale" step={0.1} valueText={String} />
      <ListenTopK />
      <SliderSetting at="assistant.forceListenCount" step={1} valueText={String} />
      <SliderSetting at="assistant.maxNewSpeakTokensPerChunk" step={1} valueText={String} />
      <SliderSetting
        at="assistant.chunkMs"
        step={50}
        valueText={(value) => t('settings.talking.milliseconds', { value })}
      />
      <SliderSetting at="assistant.ttsTemperature" step={0.05} valueText={String} />
      <SliderSetting at="assistant.ttsRepetitionPenalty" step={0.01} valueText={String} />
      <WordOption option="lsMode" />
      <WordOption option="decodeMode" />
      <Button
        aria-disabled={!hasChanged}
        onClick={() =>
          hasChanged &&
          void setup.choose('assistant.lengthPenalty', { assistant: { generation: defaults } })
        }
      >
        {t('settings.resetAll')}
      </Button>
    </section>
  );
}

const listenTopKPatch = (listenTopK: number | 'server') => ({
  assistant: { generation: { listenTopK } },
});

/** A number, or the server's default. */
function ListenTopK() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const at = 'assistant.listenTopK';
  const { listenTopK } = useSettingsGroup('assistant').generation;
  if (listenTopK !== 'server') {
    return (
      <>
        <SliderSetting
          at={at}
          value={listenTopK}
          max={100}
          step={1}
          valueText={String}
          patch={listenTopKPatch}
        />
        <Button ref={passFocusOn} onClick={() => void setup.choose(at, listenTopKPatch('server'))}>
          {t('settings.assistant.byServer')}
        </Button>
      </>
    );
  }
  return (
    <Setting at={at}>
      {(aria) => (
        <>
          <span className="row-hint">{t('settings.assistant.byServer')}</span>
          <Switch
            {...aria}
            ref={passFocusOn}
            on
            onSwitch={() => void setup.choose(at, listenTopKPatch(10))}
          />
        </>
      )}
    </Setting>
  );
}

function WordOption({ option }: { readonly option: 'lsMode' | 'decodeMode' }) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const at = `assistant.${option}` as const;
  const word = useTypedValue(at, useSettingsGroup('assistant').generation[option]);
  const isInvalid = useUiState(({ settingsUi }) => settingsUi.fields[at]?.problem !== undefined);
  const write = (next: string): void => {
    if (!serverWordForm.test(next)) setup.showInvalid(at, next, t('settings.assistant.word'));
    else setup.edit(at, next, { assistant: { generation: { [option]: next } } });
  };
  return (
    <Setting at={at}>
      {(aria) => (
        <TextInput
          {...aria}
          autoCapitalize="off"
          aria-invalid={isInvalid}
          value={word}
          onWrite={write}
          onBlur={() => setup.flush(at)}
        />
      )}
    </Setting>
  );
}
