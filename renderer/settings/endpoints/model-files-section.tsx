import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ModelFilesState,
  modelReserveBytes,
} from '../../../shared/model/local-model-state.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { Button, passFocusOn, TextInput } from '../../design/controls.tsx';
import { Picker } from '../../design/layers.tsx';
import { ProgressBar } from '../../design/progress-bar.tsx';
import { errorText, formatBytes, formatClock, joinSentences } from '../../i18n/format.ts';

interface Props {
  readonly files: ModelFilesState;
  /** Free bytes of the folder's disk; undefined if unknown. */
  readonly freeBytes: number | undefined;
}

/** The model's files: whether they are on this computer, their download, and the mirror it uses. */
export function ModelFilesSection({ files, freeBytes }: Props) {
  const { t } = useTranslation();
  const { model } = useActions();
  const hasChosenFolder = useUiState(({ settings }) => (settings?.model.folder ?? '') !== '');
  const working = files.kind === 'downloading' || files.kind === 'verifying';
  const mayDownload = files.kind === 'missing' || files.kind === 'failed';
  const shortage = files.kind === 'missing' ? findShortage(files, freeBytes) : undefined;
  const isShort = shortage !== undefined;
  const textId = useId();
  return (
    <section>
      <h2>{t('model.files')}</h2>
      <FilesText id={textId} files={files} freeBytes={freeBytes} shortage={shortage} />
      {(working || files.kind === 'paused') && (
        <ProgressBar label={t('model.files')} fraction={files.bytes / files.totalBytes} />
      )}
      <div className="local-model-buttons button-row">
        {working && (
          <Button ref={passFocusOn} onClick={() => void model.pause()}>
            {t('model.pause')}
          </Button>
        )}
        {files.kind === 'paused' && (
          <Button ref={passFocusOn} kind="strong" onClick={() => void model.download()}>
            {t('model.resume')}
          </Button>
        )}
        {mayDownload && (
          <Button
            ref={passFocusOn}
            kind="strong"
            aria-disabled={isShort}
            aria-describedby={textId}
            onClick={() => void (!isShort && model.download())}
          >
            {t(files.bytes === 0 ? 'model.download' : 'model.resume')}
          </Button>
        )}
        {isShort && (
          <Button ref={passFocusOn} onClick={() => void model.look()}>
            {t('model.lookAgain')}
          </Button>
        )}
        {files.kind === 'ready' && (
          <Button ref={passFocusOn} onClick={() => void model.verify()}>
            {t('model.verify')}
          </Button>
        )}
        {files.kind === 'ready' && !files.isForeign && <RemoveButton bytes={files.totalBytes} />}
        {(mayDownload || files.kind === 'ready') && (
          <PathChoice
            name={t('model.chooseFolder')}
            fieldName={t('model.folderPath')}
            onOpenDialog={model.chooseFolder}
            onPath={model.setFolder}
          />
        )}
        {hasChosenFolder && !working && (
          <Button ref={passFocusOn} onClick={() => void model.setFolder('')}>
            {t('model.ownFolder')}
          </Button>
        )}
      </div>
      {mayDownload && <MirrorChoice />}
    </section>
  );
}

/** The bytes that must be free for the download; undefined if enough are free. */
function findShortage(
  { bytes, totalBytes }: Extract<ModelFilesState, { kind: 'missing' }>,
  freeBytes: number | undefined,
): number | undefined {
  const needed = totalBytes - bytes + modelReserveBytes;
  return freeBytes === undefined || bytes === totalBytes || freeBytes >= needed
    ? undefined
    : needed;
}

interface TextProps extends Props {
  readonly id: string;
  readonly shortage: number | undefined;
}

function FilesText({ id, files, freeBytes, shortage }: TextProps) {
  const { t } = useTranslation();
  switch (files.kind) {
    case 'unknown':
      return <p role="status">{t('model.looking')}</p>;
    case 'missing': {
      const facts = { bytes: formatBytes(files.bytes), size: formatBytes(files.totalBytes) };
      const first = t(files.bytes === 0 ? 'model.filesMissing' : 'model.filesStarted', facts);
      if (freeBytes === undefined) return <p id={id}>{first}</p>;
      const free = formatBytes(freeBytes);
      const second =
        shortage === undefined
          ? t('model.free', { free })
          : t('model.noRoom', { free, needed: formatBytes(shortage) });
      return <p id={id}>{joinSentences(t, first, second)}</p>;
    }
    case 'downloading': {
      const { bytes, totalBytes, bytesPerSecond, secondsLeft, file, files: count, mirror } = files;
      const facts = { bytes: formatBytes(bytes), size: formatBytes(totalBytes) };
      const speed = formatBytes(bytesPerSecond);
      const line = [
        t('model.progress', facts),
        ...(bytesPerSecond === 0 ? [] : [t('model.speed', { speed })]),
        ...(secondsLeft === undefined
          ? []
          : [t('model.secondsLeft', { time: formatClock(secondsLeft) })]),
        t('model.file', { file, files: count }),
        mirror,
      ];
      return (
        <>
          <p>{line.join(' · ')}</p>
          {files.trouble !== undefined && <p role="status">{errorText(t, files.trouble)}</p>}
        </>
      );
    }
    case 'paused':
    case 'verifying': {
      const facts = { bytes: formatBytes(files.bytes), size: formatBytes(files.totalBytes) };
      return <p role="status">{t(`model.${files.kind}`, facts)}</p>;
    }
    case 'ready':
      return (
        <>
          <p dir="auto">
            {t('model.ready', { size: formatBytes(files.totalBytes), folder: files.folder })}
          </p>
          {files.isForeign && <p className="row-hint">{t('model.foreign')}</p>}
        </>
      );
    case 'failed':
      return (
        <p id={id} role="alert">
          {errorText(t, files.error)}
        </p>
      );
  }
}

const mirrorHosts = { huggingface: 'huggingface.co', 'hf-mirror': 'hf-mirror.com' };

function MirrorChoice() {
  const { t } = useTranslation();
  const { model } = useActions();
  const mirror = useUiState(({ settings }) => settings?.model.mirror ?? 'huggingface');
  return (
    <div className="local-model-field">
      <span>{t('model.mirror')}</span>
      <Picker
        label={t('model.mirror')}
        value={mirror}
        choices={mirrorHosts}
        onChoose={(chosen) => void model.setMirror(chosen === 'hf-mirror' ? chosen : 'huggingface')}
      />
    </div>
  );
}

/** Asks before it deletes the files, because downloading them again takes long. */
function RemoveButton({ bytes }: { readonly bytes: number }) {
  const { t } = useTranslation();
  const { model } = useActions();
  const [asking, setAsking] = useState(false);
  if (!asking)
    return (
      <Button kind="danger" onClick={() => setAsking(true)}>
        {t('model.remove')}
      </Button>
    );
  return (
    <>
      <p role="alert">{t('model.removeAsk', { size: formatBytes(bytes) })}</p>
      <Button ref={passFocusOn} kind="danger" onClick={() => void model.remove()}>
        {t('model.remove')}
      </Button>
      {/* A second Enter must not delete. */}
      <Button ref={passFocusOn} autoFocus onClick={() => setAsking(false)}>
        {t('model.keep')}
      </Button>
    </>
  );
}

interface PathChoiceProps {
  /** The label of the button that opens the system's dialog. */
  readonly name: string;
  /** In a browser, which has no such dialog, the user types the path. */
  readonly fieldName: string;
  readonly onOpenDialog: () => Promise<unknown>;
  readonly onPath: (path: string) => Promise<unknown>;
}

/** A button that asks for a path: in the system's dialog, or in a browser with a field. */
export function PathChoice({ name, fieldName, onOpenDialog, onPath }: PathChoiceProps) {
  const inBrowser = useUiState(({ about }) => about?.host === 'browser');
  const [typing, setTyping] = useState(false);
  return (
    <>
      <Button
        aria-expanded={inBrowser ? typing : undefined}
        onClick={() => (inBrowser ? setTyping(!typing) : void onOpenDialog())}
      >
        {name}
      </Button>
      {typing && <PathField label={fieldName} onPath={onPath} />}
    </>
  );
}

function PathField({
  label,
  onPath,
}: {
  readonly label: string;
  readonly onPath: PathChoiceProps['onPath'];
}) {
  const { t } = useTranslation();
  const [path, setPath] = useState('');
  const send = (): void => {
    if (path.trim() !== '') void onPath(path.trim());
  };
  return (
    <div className="local-model-field">
      <TextInput
        aria-label={label}
        placeholder={label}
        dir="ltr"
        value={path}
        onWrite={setPath}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          // The first steps are a form; Enter would submit it and begin a talk.
          event.preventDefault();
          send();
        }}
      />
      <Button aria-disabled={path.trim() === ''} onClick={send}>
        {t('model.usePath')}
      </Button>
    </div>
  );
}
