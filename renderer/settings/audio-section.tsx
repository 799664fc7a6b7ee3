import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { SoundChoice } from '../../shared/settings/groups.ts';
import type { ListedDevice } from '../../shared/sound/sound-device.ts';
import { Button } from '../design/button.tsx';
import { useActions, useView } from '../store/use-desk.ts';
import { PickerSetting, SliderSetting, SwitchSetting } from './bound-settings.tsx';
import { MeterBar } from './meter-bar.tsx';
import { Setting } from './setting.tsx';
import { nameOfChoice, valueOf, choiceOf } from './sound-choices.ts';
import { useGroup } from './use-group.ts';

/** What is heard and how loud, and whether it works. */
export function AudioSection() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { inputVolume, playbackVolume, chimes } = useGroup('audio');
  useEffect(() => {
    void setup.readDevices();
    return () => void setup.setMeter(false);
  }, [setup]);
  const percent = (value: number) =>
    t('settings.sound.percent', { value: Math.round(value * 100) });
  return (
    <>
      <h1>{t('settings.sections.audio')}</h1>
      <DevicePicker way="microphone" />
      <SliderSetting
        at="audio.inputVolume"
        value={inputVolume}
        min={0}
        max={4}
        step={0.05}
        usual={1}
        shown={percent}
        patch={(inputVolume) => ({ audio: { inputVolume } })}
      />
      <Meter />
      <DevicePicker way="speaker" />
      <SliderSetting
        at="audio.playbackVolume"
        value={playbackVolume}
        min={0}
        max={1}
        step={0.01}
        usual={1}
        shown={percent}
        patch={(playbackVolume) => ({ audio: { playbackVolume } })}
      />
      <SwitchSetting at="audio.chimes" value={chimes} patch={(chimes) => ({ audio: { chimes } })} />
      <SoundTest />
    </>
  );
}

const sides = {
  microphone: {
    has: ({ inputChannels }: ListedDevice) => inputChannels > 0,
    isDefault: ({ defaultInput }: ListedDevice) => defaultInput,
  },
  speaker: {
    has: ({ outputChannels }: ListedDevice) => outputChannels > 0,
    isDefault: ({ defaultOutput }: ListedDevice) => defaultOutput,
  },
} as const;

function DevicePicker({ way }: { readonly way: 'microphone' | 'speaker' }) {
  const { t } = useTranslation();
  const chosen: SoundChoice = useGroup('audio')[way];
  const devices = useView(({ room }) => room.devices) ?? [];
  const { has, isDefault } = sides[way];
  const usual = devices.find(isDefault)?.name;
  const fitting = devices.filter(has);
  const choices = {
    default:
      usual === undefined
        ? t('settings.sound.system')
        : t('settings.sound.systemIs', { name: usual }),
    ...Object.fromEntries(
      fitting.map((device) => [valueOf(device), nameOfChoice(device, fitting)]),
    ),
  };
  return (
    <PickerSetting
      at={`audio.${way}`}
      value={valueOf(chosen)}
      choices={choices}
      otherwise={t('settings.sound.missing', { name: nameOfChoice(chosen, fitting) })}
      patch={(value) => ({ audio: { [way]: choiceOf(value) } })}
    />
  );
}

function Meter() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const meter = useView(({ room }) => room.meter);
  const on = meter !== undefined;
  return (
    <Setting at="audio.meter" field="meter" wide>
      {(aria) => (
        <>
          <Button
            aria-describedby={aria['aria-describedby']}
            onClick={() => void setup.setMeter(!on)}
          >
            {t(on ? 'settings.sound.stop' : 'settings.sound.start')}
          </Button>
          {on && <MeterBar />}
          {meter?.device !== undefined && (
            <p className="row-hint">{t('settings.sound.hears', { device: meter.device })}</p>
          )}
        </>
      )}
    </Setting>
  );
}

function SoundTest() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const result = useView(({ room }) => room.soundTest);
  const running = useView(({ room }) => room.busy.includes('soundTest'));
  return (
    <Setting at="audio.test" field="soundTest" wide>
      {(aria) => (
        <>
          <Button
            aria-describedby={aria['aria-describedby']}
            aria-disabled={running}
            onClick={() => void setup.testSound()}
          >
            {t(running ? 'settings.sound.running' : 'settings.sound.run')}
          </Button>
          <p role="status" className="verdict" data-good={result?.heard} dir="auto">
            {result?.heard === true &&
              t('settings.sound.heard', { latency: Math.round(result.latencyMs) })}
            {result?.heard === false && result.reason}
          </p>
        </>
      )}
    </Setting>
  );
}
