import { useTranslation } from 'react-i18next';
import type { GenerationSettings } from '../../../shared/settings/assistant-settings.ts';
import { defaultSettings } from '../../../shared/settings/settings.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button } from '../../design/button.tsx';
import { Switch } from '../../design/fields.tsx';
import { Setting, SliderSetting, SwitchSetting } from '../controls/setting.tsx';
import { useSettingsGroup, useTypedValue } from '../controls/use-settings.ts';

const defaults = defaultSettings.assistant.generation;

type Numbered = {
  readonly [Name in keyof GenerationSettings]: GenerationSettings[Name] extends number
    ? Name
    : never;
}[keyof GenerationSettings];

/** The ends of each, narrower than what is allowed where more makes no sense. */
const ranges: Readonly<Record<Numbered, readonly [least: number, most: number, step: number]>> = {
  lengthPenalty: [0.1, 5, 0.05],
  temperature: [0, 2, 0.05],
  topK: [1, 1000, 1],
  topP: [0.01, 1, 0.01],
  textRepetitionPenalty: [0.5, 2, 0.01],
  listenProbScale: [0, 10, 0.1],
  maxNewSpeakTokensPerChunk: [1, 200, 1],
  forceListenCount: [0, 100, 1],
  ttsTemperature: [0, 2, 0.05],
  ttsRepetitionPenalty: [0.5, 2, 0.01],
  chunkMs: [250, 4000, 50],
};

/** Every option of the model, in plain words, each with the way back. */
export function GenerationSection() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const generation = useSettingsGroup('assistant').generation;
  const changed = (Object.keys(defaults) as (keyof GenerationSettings)[]).some(
    (name) => generation[name] !== defaults[name],
  );
  return (
    <section aria-labelledby="generation">
      <h2 id="generation">{t('settings.assistant.generation')}</h2>
      <p className="row-hint">{t('settings.assistant.generationHint')}</p>
      <NumberOption option="lengthPenalty" />
      <SwitchSetting
        at="assistant.generateAudio"
        value={generation.generateAudio}
        patch={(generateAudio) => ({ assistant: { generation: { generateAudio } } })}
      />
      <NumberOption option="temperature" />
      <NumberOption option="topK" />
      <NumberOption option="topP" />
      <NumberOption option="textRepetitionPenalty" />
      <NumberOption option="listenProbScale" />
      <ListenTopK />
      <NumberOption option="forceListenCount" />
      <NumberOption option="maxNewSpeakTokensPerChunk" />
      <NumberOption option="chunkMs" />
      <NumberOption option="ttsTemperature" />
      <NumberOption option="ttsRepetitionPenalty" />
      <WordOption option="lsMode" />
      <WordOption option="decodeMode" />
      <Button
        disabled={!changed}
        onClick={() =>
          void setup.choose('assistant.lengthPenalty', { assistant: { generation: defaults } })
        }
      >
        {t('settings.resetAll')}
      </Button>
    </section>
  );
}

function NumberOption({ option }: { readonly option: Numbered }) {
  const { t } = useTranslation();
  const value = useSettingsGroup('assistant').generation[option];
  const [min, max, step] = ranges[option];
  return (
    <SliderSetting
      at={`assistant.${option}`}
      value={value}
      min={min}
      max={max}
      step={step}
      defaultValue={defaults[option]}
      shown={(value) =>
        option === 'chunkMs' ? t('settings.talking.milliseconds', { value }) : String(value)
      }
      patch={(value) => ({ assistant: { generation: { [option]: value } } })}
    />
  );
}

/** A number, or what the server thinks best. */
function ListenTopK() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const at = 'assistant.listenTopK';
  const { listenTopK } = useSettingsGroup('assistant').generation;
  const set = (listenTopK: number | 'server'): void =>
    void setup.choose(at, { assistant: { generation: { listenTopK } } });
  if (listenTopK !== 'server') {
    return (
      <>
        <SliderSetting
          at={at}
          value={listenTopK}
          min={1}
          max={100}
          step={1}
          shown={String}
          patch={(value) => ({ assistant: { generation: { listenTopK: value } } })}
        />
        <Button onClick={() => set('server')}>{t('settings.assistant.byServer')}</Button>
      </>
    );
  }
  return (
    <Setting at={at}>
      {(aria) => (
        <>
          <span className="row-hint">{t('settings.assistant.byServer')}</span>
          <Switch {...aria} on setOn={() => set(10)} />
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
  const wrong = useUiState(({ settingsUi }) => settingsUi.fields[at]?.problem !== undefined);
  const write = (next: string): void => {
    if (!/^[a-z][a-z\d_]{0,29}$/.test(next))
      setup.holdInvalid(at, next, t('settings.assistant.word'));
    else setup.edit(at, next, { assistant: { generation: { [option]: next } } });
  };
  return (
    <Setting at={at}>
      {(aria) => (
        <input
          {...aria}
          type="text"
          className="text-field"
          spellCheck={false}
          autoCapitalize="off"
          aria-invalid={wrong}
          value={word}
          onChange={({ target }) => write(target.value)}
          onBlur={() => setup.flush(at)}
        />
      )}
    </Setting>
  );
}
