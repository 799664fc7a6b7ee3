import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { SoundChoice } from '../../shared/settings/groups.ts';
import type { ListedDevice } from '../../shared/sound/sound-device.ts';
import { Button } from '../design/button.tsx';
import { MicrophoneMeter } from '../parts/microphone-meter.tsx';
import { sayWhy } from '../parts/say-reason.ts';
import { useActions, useView } from '../store/use-desk.ts';
import { PickerSetting, SliderSetting, SwitchSetting } from './bound-settings.tsx';
import { Setting } from './setting.tsx';
import { nameOfChoice, valueOf, choiceOf } from './sound-choices.ts';
import { useFollowedDevices } from './use-followed-devices.ts';
import { useGroup } from './use-group.ts';
import { useProblem } from './use-problem.ts';

/** What is heard and how loud, and whether it works. */
export function AudioSection() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { chimes } = useGroup('audio');
  useFollowedDevices();
  useEffect(() => () => void setup.setMeter(false), [setup]);
  return (
    <>
      <h1>{t('settings.sections.audio')}</h1>
      <ListProblem />
      <DevicePicker way="microphone" />
      <Volume of="inputVolume" most={4} step={0.05} />
      <Meter />
      <DevicePicker way="speaker" />
      <Volume of="playbackVolume" most={1} step={0.01} />
      <SwitchSetting at="audio.chimes" value={chimes} patch={(chimes) => ({ audio: { chimes } })} />
      <SoundTest />
    </>
  );
}

/** Why no devices can be offered. */
function ListProblem() {
  const problem = useProblem('devices');
  return (
    <p className="row-problem" role="alert" dir="auto">
      {problem}
    </p>
  );
}

interface VolumeProps {
  readonly of: 'inputVolume' | 'playbackVolume';
  readonly most: number;
  readonly step: number;
}

function Volume({ of, most, step }: VolumeProps) {
  const { t } = useTranslation();
  return (
    <SliderSetting
      at={`audio.${of}`}
      value={useGroup('audio')[of]}
      min={0}
      max={most}
      step={step}
      usual={1}
      shown={(value) => t('settings.sound.percent', { value: Math.round(value * 100) })}
      patch={(value) => ({ audio: { [of]: value } })}
    />
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
          {on && <MicrophoneMeter label={t('settings.sound.level')} />}
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
            {result?.heard === false && sayWhy(t, result.why, result.reason)}
          </p>
        </>
      )}
    </Setting>
  );
}
