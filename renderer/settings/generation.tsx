import { useTranslation } from 'react-i18next';
import { defaultSettings } from '../../shared/settings/default-settings.ts';
import type { GenerationSettings } from '../../shared/settings/generation.ts';
import { Button } from '../design/button.tsx';
import { Switch } from '../design/switch.tsx';
import { useActions, useView } from '../store/use-desk.ts';
import { SliderSetting, SwitchSetting } from './bound-settings.tsx';
import { Setting } from './setting.tsx';
import { useGroup, useTyped } from './use-group.ts';

const usual = defaultSettings.assistant.generation;

type Numbered = {
  readonly [Name in keyof GenerationSettings]: GenerationSettings[Name] extends number
    ? Name
    : never;
}[keyof GenerationSettings];

/** The ends of each, narrower than what is allowed where more makes no sense. */
const ends: Readonly<Record<Numbered, readonly [least: number, most: number, step: number]>> = {
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
export function Generation() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const generation = useGroup('assistant').generation;
  const changed = (Object.keys(usual) as (keyof GenerationSettings)[]).some(
    (name) => generation[name] !== usual[name],
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
          void setup.choose('assistant.lengthPenalty', { assistant: { generation: usual } })
        }
      >
        {t('settings.resetAll')}
      </Button>
    </section>
  );
}

function NumberOption({ option }: { readonly option: Numbered }) {
  const { t } = useTranslation();
  const value = useGroup('assistant').generation[option];
  const [min, max, step] = ends[option];
  return (
    <SliderSetting
      at={`assistant.${option}`}
      value={value}
      min={min}
      max={max}
      step={step}
      usual={usual[option]}
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
  const { listenTopK } = useGroup('assistant').generation;
  const set = (listenTopK: number | 'server'): void => {
    void setup.choose(at, { assistant: { generation: { listenTopK } } });
  };
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
        <Button
          onClick={() => {
            set('server');
          }}
        >
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
            on
            setOn={() => {
              set(10);
            }}
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
  const word = useTyped(at, useGroup('assistant').generation[option]);
  const wrong = useView(({ room }) => room.fields[at]?.problem !== undefined);
  const write = (next: string): void => {
    if (!/^[a-z][a-z\d_]{0,29}$/.test(next)) setup.hold(at, next, t('settings.assistant.word'));
    else setup.type(at, next, { assistant: { generation: { [option]: next } } });
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
          onChange={({ target }) => {
            write(target.value);
          }}
          onBlur={() => {
            setup.leave(at);
          }}
        />
      )}
    </Setting>
  );
}
