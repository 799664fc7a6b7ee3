import type { TFunction } from 'i18next';
import { Mic, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readWavHeader } from '../../../shared/audio/decode-wav.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { readBrowserFile } from '../../chat/draft-actions.ts';
import { Button } from '../../design/button.tsx';
import { MicrophoneLevelBar } from '../../talk/microphone-level-bar.tsx';
import { Setting } from '../controls/setting.tsx';

/** A new voice, from the microphone or from a file. */
export function AddVoice() {
  const take = useUiState(({ settingsUi }) => settingsUi.take);
  return (
    <Setting at="voices.take" field="take" wide>
      {() => (take === undefined ? <Begin /> : <Take />)}
    </Setting>
  );
}

function Begin() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const busy = useUiState(({ settingsUi }) => settingsUi.busy.includes('take'));
  const [name, setName] = useState('');
  const file = useRef<HTMLInputElement>(null);

  const bring = async (given: File): Promise<void> => {
    const refused = await checkVoiceFile(given);
    if (refused !== undefined) {
      setup.setVoiceProblem(refusalText(refused, t));
      return;
    }
    const plain = name.trim() === '' ? given.name.replace(/\.wave?$/i, '') : name;
    const read = () => readBrowserFile(given);
    const unreadable = refusalText({ kind: 'notRead' }, t);
    if (await setup.importVoice({ name: plain, read, unreadable })) setName('');
  };
  return (
    <>
      <input
        type="text"
        className="text-field"
        dir="auto"
        aria-label={t('settings.voices.newName')}
        placeholder={t('settings.voices.newName')}
        maxLength={200}
        value={name}
        onChange={({ target }) => {
          setName(target.value);
        }}
      />
      <Button
        icon={<Mic aria-hidden />}
        aria-disabled={busy}
        onClick={() =>
          void setup.recordVoice(name.trim() === '' ? t('settings.voices.mine') : name)
        }
      >
        {t('settings.voices.record')}
      </Button>
      <Button
        icon={<Upload aria-hidden />}
        aria-disabled={busy}
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
          const [given] = target.files ?? [];
          if (given !== undefined) void bring(given);
          // The same file can be chosen once more.
          target.value = '';
        }}
      />
    </>
  );
}

function refusalText(refused: VoiceFileProblem, t: TFunction): string {
  switch (refused.kind) {
    case 'tooLong':
      return t('settings.voices.tooLong', { minutes: refused.minutes });
    case 'tooLarge':
      return t('settings.voices.tooLarge', { megabytes: refused.megabytes });
    case 'notRead':
      return t('settings.voices.notRead');
  }
}

function Take() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const take = useUiState(({ settingsUi }) => settingsUi.take);
  if (take === undefined) return null;
  const { state, seconds } = take;
  return (
    <>
      <MicrophoneLevelBar label={t('settings.sound.level')} />
      <p role="status" className="row-hint">
        {t(`settings.voices.${state}`, { seconds })}
      </p>
      <Button
        kind="strong"
        aria-disabled={state === 'keeping'}
        onClick={() => void setup.saveVoice()}
      >
        {t('settings.voices.keep')}
      </Button>
      <Button onClick={setup.cancelVoice}>{t('settings.cancel')}</Button>
    </>
  );
}

/** Where the samples of all but strange files begin. */
const headBytes = 65_536;
/** As the core takes them. */
const maxBytes = 100_000_000;
const maxSeconds = 120;

type VoiceFileProblem =
  | { readonly kind: 'tooLong'; readonly minutes: number }
  | { readonly kind: 'tooLarge'; readonly megabytes: number }
  | { readonly kind: 'notRead' };

/** What the head of a file says already: an hour of sound is not read, sent and decoded to be refused. */
export async function checkVoiceFile(file: Blob): Promise<VoiceFileProblem | undefined> {
  let start: Uint8Array;
  try {
    start = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  } catch {
    return { kind: 'notRead' };
  }
  const head = readWavHeader(start, file.size);
  if (head.ok) {
    const { format, dataLength } = head.value;
    const seconds = dataLength / (format.bytesPerSample * format.channels * format.rate);
    if (seconds > maxSeconds) return { kind: 'tooLong', minutes: Math.round(seconds / 6) / 10 };
  }
  return file.size > maxBytes
    ? { kind: 'tooLarge', megabytes: Math.ceil(file.size / 1_000_000) }
    : undefined;
}
