import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { soundChoiceName, type SoundChoice } from '../../../shared/settings/audio-settings.ts';
import {
  classifyRoom,
  ownSoundVersions,
  type LoopbackResult,
  type OwnSoundVersion,
} from '../../../shared/audio/sound-tests.ts';
import { isTalkOver } from '../../../shared/talk/talk-view.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { Button } from '../../design/controls.tsx';
import { errorText, joinSentences, microphoneName } from '../../i18n/format.ts';
import { MicrophoneLevelBar } from '../../talk/microphone-level-bar.tsx';
import {
  ChoiceSetting,
  PickerSetting,
  Setting,
  SliderSetting,
  SwitchSetting,
  useFieldProblem,
  useIsBusy,
  useSettingsGroup,
} from '../controls/setting.tsx';
import { ownSoundField } from '../settings-ui-state.ts';
import { RoomTestSetting } from './room-test-setting.tsx';
import {
  deviceChoices,
  parseSoundChoice,
  soundChoiceValue,
  useSoundDeviceUpdates,
} from './sound-device-choices.ts';

export function AudioSection() {
  const { t } = useTranslation();
  const { setup } = useActions();
  useSoundDeviceUpdates();
  useEffect(() => () => void setup.setMeter(false), [setup]);
  const percent = (volume: number): string =>
    t('settings.sound.percent', { value: Math.round(volume * 100) });
  return (
    <>
      <h1>{t('settings.sections.audio')}</h1>
      <DeviceListProblem />
      <DevicePicker direction="microphone" />
      <ChoiceSetting at="audio.whileUnplugged" wide />
      <SliderSetting at="audio.inputVolume" step={0.05} valueText={percent} />
      <Meter />
      <DevicePicker direction="speaker" />
      <SliderSetting at="audio.playbackVolume" step={0.05} valueText={percent} />
      <SliderSetting at="audio.computerVolume" step={0.05} valueText={percent} />
      <EchoChoice />
      <RoomTestSetting />
      <ChoiceSetting at="audio.noise" wide />
      <ChoiceSetting at="audio.level" wide />
      <SwitchSetting at="audio.chimes" />
      <SoundTest />
      <OwnSoundTest />
    </>
  );
}

/** The echo setting, and what it does in the current talk. */
function EchoChoice() {
  const { t } = useTranslation();
  const { phase } = useUiState(({ talkState }) => talkState.value);
  const now = useUiState(({ echo }) => echo);
  return (
    <ChoiceSetting at="audio.echo" wide>
      <p className="row-hint" role="status" dir="auto">
        {!isTalkOver(phase) && now !== undefined && t(`settings.sound.echoNow.${now}`)}
      </p>
    </ChoiceSetting>
  );
}

function DeviceListProblem() {
  const problem = useFieldProblem('devices');
  return (
    <p className="row-problem" role="alert" dir="auto">
      {problem}
    </p>
  );
}

function DevicePicker({ direction }: { readonly direction: 'microphone' | 'speaker' }) {
  const { t } = useTranslation();
  const chosen: SoundChoice = useSettingsGroup('audio')[direction];
  const devices = useUiState(({ settingsUi }) => settingsUi.devices) ?? [];
  const { usableDevices, choices } = deviceChoices(t, direction, devices);
  return (
    <PickerSetting
      at={`audio.${direction}`}
      value={soundChoiceValue(chosen)}
      choices={choices}
      fallback={t('settings.sound.missing', { name: soundChoiceName(chosen, usableDevices) })}
      patch={(value) => ({ audio: { [direction]: parseSoundChoice(value) } })}
    />
  );
}

function Meter() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const meter = useUiState(({ settingsUi }) => settingsUi.meter);
  const isOn = meter !== undefined;
  return (
    <Setting at="audio.meter" field="meter" wide>
      {(aria) => (
        <>
          <Button
            aria-describedby={aria['aria-describedby']}
            onClick={() => void setup.setMeter(!isOn)}
          >
            {t(isOn ? 'buttons.stop' : 'settings.sound.start')}
          </Button>
          {isOn && <MicrophoneLevelBar label={t('settings.sound.level')} />}
          {meter?.device !== undefined && (
            <p className="row-hint">
              {t('settings.sound.hears', { device: microphoneName(t, meter.device) })}
            </p>
          )}
        </>
      )}
    </Setting>
  );
}

function SoundTest() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const result = useUiState(({ settingsUi }) => settingsUi.soundTest);
  const isRunning = useIsBusy('soundTest');
  return (
    <Setting at="audio.test" field="soundTest" wide>
      {(aria) => (
        <>
          <Button
            aria-describedby={aria['aria-describedby']}
            aria-disabled={isRunning}
            onClick={() => void setup.testSound()}
          >
            {t(isRunning ? 'settings.sound.running' : 'settings.sound.run')}
          </Button>
          <p role="status" className="verdict" data-good={result?.heard} dir="auto">
            {result?.heard === true &&
              t('settings.sound.heard', { latency: Math.round(result.latencyMs) })}
            {result?.heard === false && errorText(t, result.error)}
          </p>
          {result?.heard === true && <RoomFindings result={result} />}
        </>
      )}
    </Setting>
  );
}

/** Records a few seconds and plays them as captured and as sent. */
function OwnSoundTest() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const verdict = useUiState(({ settingsUi }) => settingsUi.ownSound);
  const isRecording = useIsBusy('ownSound');
  useEffect(() => () => void setup.forgetOwnSound(), [setup]);
  return (
    <Setting at="audio.ownSound" field="ownSound" wide>
      {(aria) => (
        <>
          <Button
            aria-describedby={aria['aria-describedby']}
            aria-disabled={isRecording}
            onClick={() => void setup.recordOwnSound()}
          >
            {t(isRecording ? 'settings.sound.own.recording' : 'settings.sound.own.record')}
          </Button>
          {isRecording && <MicrophoneLevelBar label={t('settings.sound.level')} />}
          <p role="status" className="verdict" data-good={verdict === 'good'} dir="auto">
            {isRecording && t('settings.sound.own.recording')}
            {verdict !== undefined && t(`settings.sound.own.verdict.${verdict}`)}
          </p>
          {verdict !== undefined && verdict !== 'unheard' && <PlaybackChoices />}
        </>
      )}
    </Setting>
  );
}

function PlaybackChoices() {
  const { t } = useTranslation();
  const { noise, level, inputVolume } = useSettingsGroup('audio');
  const isUnprocessed = noise === 'off' && level === 'off' && inputVolume === 1;
  return (
    <>
      {ownSoundVersions.map((version) => (
        <PlayButton key={version} version={version} />
      ))}
      {isUnprocessed && (
        <p className="row-hint" dir="auto">
          {t('settings.sound.own.alike')}
        </p>
      )}
    </>
  );
}

function PlayButton({ version }: { readonly version: OwnSoundVersion }) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const isPlaying = useIsBusy(ownSoundField(version));
  const problem = useFieldProblem(ownSoundField(version));
  return (
    <>
      <Button aria-disabled={isPlaying} onClick={() => void setup.playOwnSound(version)}>
        {t(`settings.sound.own.ways.${version}`)}
      </Button>
      <p role="status" className="row-hint" dir="auto">
        {isPlaying && t('settings.sound.own.playing')}
      </p>
      <p className="row-problem" role="alert" dir="auto">
        {problem}
      </p>
    </>
  );
}

interface RoomFindingsProps {
  readonly result: Extract<LoopbackResult, { heard: true }>;
}

/** Describes the room and how the current settings handle it. */
function RoomFindings({ result }: RoomFindingsProps) {
  const { t } = useTranslation();
  const { echo, noise } = useSettingsGroup('audio');
  const room = classifyRoom(result);
  const [echoText, noiseText] = [
    t(`settings.sound.room.echo.${room.echo}`),
    t(`settings.sound.room.noise.${room.noise}`),
  ];
  const echoDone = t(`settings.sound.room.${echo === 'off' ? 'echoLeft' : 'echoTaken'}`);
  const noiseDone = t(`settings.sound.room.${noise === 'off' ? 'noiseLeft' : 'noiseTaken'}`);
  return (
    <ul className="row-hint" dir="auto">
      <li>{room.echo === 'hardly' ? echoText : joinSentences(t, echoText, echoDone)}</li>
      <li>{room.noise === 'quiet' ? noiseText : joinSentences(t, noiseText, noiseDone)}</li>
    </ul>
  );
}
