import type { TFunction } from 'i18next';
import { Mic, Pencil, Play, Square, Trash2, Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readWavHeader } from '../../../shared/audio/wav.ts';
import type { StoredVoice } from '../../../shared/settings/audio-settings.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { readBrowserFile } from '../../chat/chat-actions.ts';
import {
  Button,
  IconButton,
  handleSubmit,
  isComposing,
  passFocusOn,
  TextInput,
} from '../../design/controls.tsx';
import { MicrophoneLevelBar } from '../../talk/microphone-level-bar.tsx';
import {
  PickerSetting,
  Setting,
  useFieldProblem,
  useIsBusy,
  useSettingsGroup,
} from '../controls/setting.tsx';
import './voices.css';

export function VoicesSection() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { model } = useSettingsGroup('voices');
  const all = useUiState(({ settingsUi }) => settingsUi.voices);
  const removed = useUiState(({ removed }) => removed?.keys);
  const voices = all?.filter(({ id }) => removed?.has(`voice ${id}`) !== true);
  useEffect(() => {
    void setup.readVoices();
    return setup.stopVoices;
  }, [setup]);
  const names = Object.fromEntries((voices ?? []).map(({ id, name }) => [id, name]));
  const none = t('settings.voices.none');
  const fallback = voices === undefined ? '…' : t('settings.voices.gone');
  return (
    <>
      <h1>{t('settings.sections.voices')}</h1>
      <PickerSetting at="voices.model" choices={{ none, ...names }} fallback={fallback} />
      <PickerSetting
        at="voices.speech"
        choices={{ none: model === 'none' ? none : t('settings.voices.asAbove'), ...names }}
        fallback={fallback}
      />
      <Setting at="voices.list" field="voices" wide>
        {() =>
          voices?.length === 0 ? (
            <p className="settings-quiet">{t('settings.voices.empty')}</p>
          ) : (
            <ul className="voices">
              {voices?.map((voice) => (
                <VoiceRow key={voice.id} voice={voice} />
              ))}
            </ul>
          )
        }
      </Setting>
      <AddVoice />
    </>
  );
}

function VoiceRow({ voice }: { readonly voice: StoredVoice }) {
  const { t } = useTranslation();
  const { setup, removal } = useActions();
  const { id, name, seconds, notes } = voice;
  const isPlaying = useUiState(({ settingsUi }) => settingsUi.previewed === id);
  const problem = useFieldProblem(`voice.${id}`);
  const [renaming, setRenaming] = useState(false);
  const facts = [
    t('settings.voices.seconds', { seconds }),
    ...notes.map((note) => t(`settings.voices.notes.${note}`)),
  ].join(' · ');
  return (
    <li ref={passFocusOn} className="voice">
      {renaming ? (
        <Rename voice={voice} onDone={() => setRenaming(false)} />
      ) : (
        <div className="voice-words">
          <span className="row-name" dir="auto">
            {name}
          </span>
          <span className="row-hint">{facts}</span>
        </div>
      )}
      <div className="voice-tools">
        <IconButton
          icon={isPlaying ? Square : Play}
          label={isPlaying ? t('buttons.stop') : t('settings.voices.play', { name })}
          onClick={() => void (isPlaying ? setup.stopVoice(id) : setup.playVoice(id))}
        />
        <IconButton
          icon={Pencil}
          label={t('settings.voices.rename', { name })}
          onClick={() => setRenaming(!renaming)}
        />
        <IconButton
          icon={Trash2}
          label={t('settings.servers.removeField', { name })}
          onClick={() =>
            removal.remove({
              keys: [`voice ${id}`],
              message: t('shell.undo.deleted', { title: name }),
              remove: () => setup.removeVoice(id),
            })
          }
        />
      </div>
      <p className="row-problem" role="alert" dir="auto">
        {problem}
      </p>
    </li>
  );
}

interface RenameProps {
  readonly voice: StoredVoice;
  readonly onDone: () => void;
}

/** Escape cancels; a rejected name stays editable. */
function Rename({ voice: { id, name }, onDone }: RenameProps) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const [typed, setTyped] = useState(name);
  const save = async (): Promise<void> => {
    if (await setup.renameVoice(id, typed)) onDone();
  };
  return (
    <form className="voice-rename" onSubmit={handleSubmit(save)}>
      <TextInput
        dir="auto"
        autoFocus
        aria-label={t('settings.voices.newName')}
        maxLength={200}
        spellCheck
        value={typed}
        onWrite={setTyped}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
          event.preventDefault();
          onDone();
        }}
      />
      <Button type="submit">{t('buttons.save')}</Button>
    </form>
  );
}

function AddVoice() {
  const recording = useUiState(({ settingsUi }) => settingsUi.voiceRecording);
  return (
    <Setting at="voices.take" field="take" wide>
      {() => (recording === undefined ? <NewVoiceForm /> : <RecordingControls />)}
    </Setting>
  );
}

function NewVoiceForm() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const isBusy = useIsBusy('take');
  const [name, setName] = useState('');
  const file = useRef<HTMLInputElement>(null);

  const importFile = async (chosen: File): Promise<void> => {
    const problem = await checkVoiceFile(chosen);
    if (problem !== undefined) {
      setup.setVoiceProblem(problemText(problem, t));
      return;
    }
    const voiceName = name.trim() === '' ? chosen.name.replace(/\.wave?$/i, '') : name;
    const read = () => readBrowserFile(chosen);
    const unreadable = problemText({ kind: 'notRead' }, t);
    if (await setup.importVoice({ name: voiceName, read, unreadable })) setName('');
  };
  return (
    <>
      <TextInput
        dir="auto"
        aria-label={t('settings.voices.newName')}
        placeholder={t('settings.voices.newName')}
        maxLength={200}
        spellCheck
        value={name}
        onWrite={setName}
      />
      <Button
        ref={passFocusOn}
        icon={<Mic aria-hidden />}
        aria-disabled={isBusy}
        onClick={() =>
          void setup.recordVoice(name.trim() === '' ? t('settings.voices.mine') : name)
        }
      >
        {t('settings.voices.record')}
      </Button>
      <Button
        icon={<Upload aria-hidden />}
        aria-disabled={isBusy}
        onClick={() => file.current?.click()}
      >
        {t('settings.voices.import')}
      </Button>
      <input
        ref={file}
        type="file"
        hidden
        aria-label={t('settings.voices.import')}
        accept=".wav,.wave,audio/wav"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen !== undefined) void importFile(chosen);
          // Allows choosing the same file again.
          target.value = '';
        }}
      />
    </>
  );
}

function problemText(problem: VoiceFileProblem, t: TFunction): string {
  switch (problem.kind) {
    case 'tooLong':
      return t('settings.voices.tooLong', { minutes: problem.minutes });
    case 'tooLarge':
      return t('settings.voices.tooLarge', { megabytes: problem.megabytes });
    case 'notRead':
      return t('settings.voices.notRead');
  }
}

function RecordingControls() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const recording = useUiState(({ settingsUi }) => settingsUi.voiceRecording);
  if (recording === undefined) return null;
  const { state, seconds } = recording;
  return (
    <>
      <MicrophoneLevelBar label={t('settings.sound.level')} />
      <p role="status" className="row-hint">
        {t(`settings.voices.${state}`, { seconds })}
      </p>
      <Button
        ref={passFocusOn}
        kind="strong"
        aria-disabled={state === 'keeping'}
        onClick={() => void setup.saveVoice()}
      >
        {t('settings.voices.keep')}
      </Button>
      <Button ref={passFocusOn} onClick={setup.cancelVoice}>
        {t('buttons.cancel')}
      </Button>
    </>
  );
}

/** How much of a file is read first. Nearly all headers fit into it. */
const headBytes = 65_536;
/** The core's limits for a reference voice. */
const maxBytes = 100_000_000;
const maxSeconds = 120;

type VoiceFileProblem =
  | { readonly kind: 'tooLong'; readonly minutes: number }
  | { readonly kind: 'tooLarge'; readonly megabytes: number }
  | { readonly kind: 'notRead' };

/** Checks the header, so that a file that is too long is not read and sent. */
export async function checkVoiceFile(file: Blob): Promise<VoiceFileProblem | undefined> {
  let headBytesRead: Uint8Array;
  try {
    headBytesRead = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  } catch {
    return { kind: 'notRead' };
  }
  const head = readWavHeader(headBytesRead, file.size);
  if (head.ok) {
    const { format, dataLength } = head.value;
    const seconds = dataLength / (format.bytesPerSample * format.channels * format.rate);
    if (seconds > maxSeconds) return { kind: 'tooLong', minutes: Math.round(seconds / 6) / 10 };
  }
  return file.size > maxBytes
    ? { kind: 'tooLarge', megabytes: Math.ceil(file.size / 1_000_000) }
    : undefined;
}
