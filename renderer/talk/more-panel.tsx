import {
  CassetteTape,
  ChevronDown,
  Copy,
  Ellipsis,
  Hand,
  Keyboard,
  Pause,
  Play,
  Volume2,
  Wind,
  Wrench,
} from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { soundChoiceName } from '../../shared/settings/audio-settings.ts';
import { useActions, useAppContext, useUiState } from '../app/app-context.ts';
import { PlainIconButton } from '../design/controls.tsx';
import { copyText } from '../design/copy-text.ts';
import { ClosingPanelButton, Panel, PanelButton, useKeepFocus } from '../design/layers.tsx';
import { serverName } from '../i18n/format.ts';
import { HeldButton, useTalkKeyName, useWindowKeyLabel } from '../keys/window-keys.ts';
import {
  deviceChoices,
  parseSoundChoice,
  soundChoiceValue,
  useSoundDeviceUpdates,
} from '../settings/audio/sound-device-choices.ts';
import { formatTranscript } from './captions/caption-text.tsx';

/** The panel behind the dock's More button: further commands, the ways to talk, the devices and the server. */
export function MorePanel() {
  const { t } = useTranslation();
  const focus = useKeepFocus();
  return (
    <Panel
      name={t('talk.more')}
      side="top"
      trigger={<PlainIconButton labelled icon={Ellipsis} label={t('talk.more')} />}
      onCloseAutoFocus={focus.onCloseAutoFocus}
    >
      <div className="more">
        <TalkCommands onType={focus.keep} />
        <div className="more-choices">
          <TalkingModes />
          <DeviceChoices />
        </div>
      </div>
    </Panel>
  );
}

const modes = ['open', 'hold', 'tap', 'holdOrTap'] as const;

function TalkCommands({ onType }: { readonly onType: () => void }) {
  const { t } = useTranslation();
  const { interrupt, setPaused, typing } = useActions();
  const paused = useUiState(({ controls }) => controls.paused);
  const interruptKey = useWindowKeyLabel('interrupt');
  const pauseKey = useWindowKeyLabel('pause');
  return (
    <div className="more-commands">
      <ClosingPanelButton
        icon={Hand}
        label={t('settings.rows.keys.interrupt.name')}
        keys={interruptKey}
        onClick={() => void interrupt()}
      />
      <ClosingPanelButton
        icon={paused ? Play : Pause}
        label={t(paused ? 'talk.resume' : 'talk.pause')}
        keys={pauseKey}
        onClick={() => void setPaused(!paused)}
      />
      <CoughButton />
      <ComputerSoundButton />
      <ClosingPanelButton
        icon={Keyboard}
        label={t('talk.typing.name')}
        onClick={() => {
          onType();
          typing.setOpen(true);
          // The field may be open already.
          document.querySelector<HTMLElement>('.typing .text-field')?.focus();
        }}
      />
      <RequestButton />
      <CopyButton />
      <KeepRecentButton />
    </div>
  );
}

/** Hidden where the system cannot capture what it plays. */
function ComputerSoundButton() {
  const { t } = useTranslation();
  const { hearComputer } = useActions();
  const kind = useUiState(({ computerSound }) => computerSound.kind);
  if (kind === 'unsupported') return null;
  const isOn = kind !== 'off';
  return (
    <ClosingPanelButton
      icon={Volume2}
      label={t(isOn ? 'talk.computerSound.stop' : 'talk.computerSound.start')}
      title={t('talk.computerSound.hint')}
      onClick={() => void hearComputer(!isOn)}
    />
  );
}

/** Hands the user's last words to the tools, if tools are on in talks. */
function RequestButton() {
  const { t } = useTranslation();
  const { doRequest } = useActions();
  const isOn = useUiState(({ settings }) => settings?.tools.talks === true);
  const key = useWindowKeyLabel('doRequest');
  if (!isOn) return null;
  return (
    <ClosingPanelButton
      icon={Wrench}
      label={t('settings.rows.keys.doRequest.name')}
      keys={key}
      title={t('talk.tasks.doHint')}
      onClick={() => void doRequest()}
    />
  );
}

/** Copies what was heard of the answers, and the transcript of the user. */
function CopyButton() {
  const { t } = useTranslation();
  const { store } = useAppContext();
  const isEmpty = useUiState(({ captions }) => captions.length === 0);
  if (isEmpty) return null;
  return (
    <ClosingPanelButton
      icon={Copy}
      label={t('talk.copy.name')}
      onClick={() => {
        const { captions, userTranscript } = store.getState();
        const names = t('talk.copy.who', { returnObjects: true });
        copyText(formatTranscript({ captions, phrases: userTranscript.phrases }, names));
      }}
    />
  );
}

/** Shown only while the last minutes are buffered, which is off by default. */
function KeepRecentButton() {
  const { t } = useTranslation();
  const { history } = useActions();
  const isBuffered = useUiState(({ storage }) => storage.recent !== undefined);
  const key = useWindowKeyLabel('keepRecent');
  if (!isBuffered) return null;
  return (
    <ClosingPanelButton
      icon={CassetteTape}
      label={t('talk.keepRecent')}
      keys={key}
      title={t('talk.keepRecentHint')}
      onClick={() => void history.keepRecent()}
    />
  );
}

function TalkingModes() {
  const { t } = useTranslation();
  const { setTalking } = useActions();
  const talking = useUiState(({ controls }) => controls.talking);
  const key = useTalkKeyName();
  return (
    <FoldedChoice
      name={t('settings.rows.talking.mode.name')}
      value={talking}
      choices={modes.map((mode) => [mode, t(`talk.talkings.${mode}`, { key })] as const)}
      onChoose={(mode) => void setTalking(mode)}
    />
  );
}

function CoughButton() {
  const { t } = useTranslation();
  const { setCoughMuted } = useActions();
  const isMuted = useUiState(({ controls }) => controls.coughMuted);
  const key = useWindowKeyLabel('cough');
  const [button] = useState(
    () => new HeldButton(window, (event) => void setCoughMuted(event === 'press')),
  );
  return (
    <PanelButton
      icon={Wind}
      label={t('settings.rows.keys.cough.name')}
      keys={key}
      title={t('talk.coughHint')}
      data-held={isMuted}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        button.press(event.pointerId);
      }}
      onKeyDown={({ key, repeat }) => {
        if (!repeat && (key === 'Enter' || key === ' ')) button.press();
      }}
      onBlur={() => button.end('lost')}
    />
  );
}

/** A new microphone or speaker applies at once; a new server applies to the next talk. */
function DeviceChoices() {
  useSoundDeviceUpdates();
  return (
    <>
      <SoundDeviceChoice role="microphone" />
      <SoundDeviceChoice role="speaker" />
      <ServerChoice />
    </>
  );
}

function SoundDeviceChoice({ role }: { readonly role: 'microphone' | 'speaker' }) {
  const { t } = useTranslation();
  const { changeSettings } = useActions();
  const chosen = useUiState(({ settings }) => settings?.audio[role]);
  const devices = useUiState(({ settingsUi }) => settingsUi.devices);
  if (chosen === undefined || devices === undefined) return null;
  const { usableDevices, choices } = deviceChoices(t, role, devices);
  const value = soundChoiceValue(chosen);
  // A chosen device that is unplugged stays in the list.
  const missing =
    value in choices
      ? {}
      : { [value]: t('settings.sound.missing', { name: soundChoiceName(chosen, usableDevices) }) };
  return (
    <FoldedChoice
      name={t(`settings.rows.audio.${role}.name`)}
      value={value}
      choices={Object.entries({ ...choices, default: t('settings.sound.system'), ...missing })}
      onChoose={(device) => void changeSettings({ audio: { [role]: parseSoundChoice(device) } })}
    />
  );
}

function ServerChoice() {
  const { t } = useTranslation();
  const { changeSettings } = useActions();
  const endpoints = useUiState(({ settings }) => settings?.endpoints);
  if (endpoints === undefined || endpoints.list.length < 2) return null;
  return (
    <FoldedChoice
      name={t('talk.server')}
      hint={t('talk.serverHint')}
      value={endpoints.chosen}
      choices={endpoints.list.map(({ id, name }) => [id, serverName(t, name)] as const)}
      onChoose={(chosen) => void changeSettings({ endpoints: { chosen } })}
    />
  );
}

interface Props<Value extends string> {
  readonly name: string;
  readonly hint?: string;
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, name: string])[];
  readonly onChoose: (value: Value) => void;
}

function FoldedChoice<Value extends string>(props: Props<Value>) {
  const { name, hint, value, choices, onChoose } = props;
  const group = useId();
  const current = choices.find(([option]) => option === value)?.[1] ?? '';
  return (
    <details className="folded-choice">
      <summary>
        <span>{name}</span>
        <span className="folded-value one-line hint" dir="auto">
          {current}
        </span>
        <ChevronDown aria-hidden />
      </summary>
      <div role="radiogroup" aria-label={name}>
        {choices.map(([option, optionName]) => (
          <label key={option} className="more-mode">
            <input
              type="radio"
              name={group}
              checked={option === value}
              onChange={() => onChoose(option)}
            />
            <span dir="auto">{optionName}</span>
          </label>
        ))}
      </div>
      {hint !== undefined && <p className="folded-hint hint">{hint}</p>}
    </details>
  );
}
