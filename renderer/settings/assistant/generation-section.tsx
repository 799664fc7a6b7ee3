import { useTranslation } from 'react-i18next';
import {
  type GenerationSettings,
  serverWordForm,
} from '../../../shared/settings/assistant-settings.ts';
import { defaultSettings } from '../../../shared/settings/settings.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button } from '../../design/button.tsx';
import { Switch, TextInput } from '../../design/fields.tsx';
import { Setting, SliderSetting, SwitchSetting } from '../controls/setting.tsx';
import { useSettingsGroup, useTypedValue } from '../controls/use-settings.ts';

const defaults = defaultSettings.assistant.generation;

/** Generation options, each with a reset. */
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
        <Button onClick={() => void setup.choose(at, listenTopKPatch('server'))}>
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
          <Switch {...aria} on onSwitch={() => void setup.choose(at, listenTopKPatch(10))} />
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
