import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  ModelFilesState,
  ModelHardware,
  ModelServerState,
} from '../../../shared/model/local-model.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button } from '../../design/button.tsx';
import { copyText, useCopied } from '../../design/copy-text.ts';
import { Picker, TextInput } from '../../design/fields.tsx';
import { ProgressBar } from '../../design/progress-bar.tsx';
import { errorText, formatBytes } from '../../i18n/error-text.ts';
import { modelLoadingText } from '../../i18n/model-text.ts';
import { formatClock, formatDuration } from '../../i18n/time-text.ts';
import './computer-panel.css';
import './endpoints.css';

/** The model on this computer: whether it fits, and everything that is needed to run it. */
export function ComputerPanel() {
  const { t } = useTranslation();
  const { model } = useActions();
  const state = useUiState(({ localModel }) => localModel);
  useEffect(() => {
    void model.look();
  }, [model]);
  return (
    <div className="computer">
      <p className="row-hint">{t('model.privacy')}</p>
      {state?.hardware === undefined ? (
        <p role="status">{t('model.looking')}</p>
      ) : (
        <Hardware hardware={state.hardware} />
      )}
      {state !== undefined && (
        <>
          <Program path={state.program} />
          <Files files={state.files} />
          {state.files.kind === 'ready' && state.program !== undefined && (
            <Server server={state.server} />
          )}
        </>
      )}
    </div>
  );
}

/** One duplex session with a context of 4096 tokens. */
const neededBytes = 9_300_000_000;

function Hardware({
  hardware: { card, memoryBytes, verdict },
}: {
  readonly hardware: ModelHardware;
}) {
  const { t } = useTranslation();
  const { memoryBytes: total, freeBytes: free } = card ?? {};
  const lacks =
    total !== undefined && free !== undefined && total > neededBytes && free < neededBytes;
  return (
    <section>
      <p className="row-hint" dir="auto">
        {card === undefined
          ? t('model.memory', { memory: formatMemory(memoryBytes) })
          : total === undefined
            ? card.name
            : t('model.card', { name: card.name, memory: formatMemory(total) })}
      </p>
      <p className="computer-verdict" data-verdict={verdict}>
        {t(`model.verdicts.${verdict}`)}
      </p>
      {lacks && (
        <p>
          {t('model.taken', {
            used: formatBytes(total - free),
            free: formatBytes(free),
            needed: formatBytes(neededBytes),
          })}
        </p>
      )}
    </section>
  );
}

/** Memory is sold in powers of two: a card of 12 GB has 12 × 2³⁰ bytes. */
function formatMemory(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 3)} GB`;
}

const buildLines = [
  'git clone https://github.com/tc-mb/llama.cpp-omni && cd llama.cpp-omni',
  'cmake -B build -DGGML_CUDA=ON',
  'cmake --build build --target llama-omni-server',
].join('\n');

function Program({ path }: { readonly path: string | undefined }) {
  const { t } = useTranslation();
  const { model } = useActions();
  const { copied, setCopied } = useCopied();
  return (
    <section>
      <h3>{t('model.program')}</h3>
      {path === undefined ? (
        <>
          <p>{t('model.programMissing')}</p>
          <pre className="computer-lines" dir="ltr" tabIndex={0}>
            {buildLines}
          </pre>
          <Button
            onClick={() => {
              if (copyText(buildLines)) setCopied();
            }}
          >
            {t(copied ? 'model.copied' : 'buttons.copy')}
          </Button>
          <PathField label={t('model.programPath')} use={model.setProgram} />
        </>
      ) : (
        <p className="computer-path" dir="auto">
          {t('model.programFound', { path })}
        </p>
      )}
    </section>
  );
}

function PathField({
  label,
  use,
}: {
  readonly label: string;
  readonly use: (path: string) => Promise<unknown>;
}) {
  const { t } = useTranslation();
  const [path, setPath] = useState('');
  return (
    <div className="computer-field">
      <TextInput aria-label={label} placeholder={label} dir="ltr" value={path} write={setPath} />
      <Button aria-disabled={path === ''} onClick={() => void (path !== '' && use(path.trim()))}>
        {t('model.usePath')}
      </Button>
    </div>
  );
}

function Files({ files }: { readonly files: ModelFilesState }) {
  const { t } = useTranslation();
  const { model } = useActions();
  const working = files.kind === 'downloading' || files.kind === 'verifying';
  const mayDownload = files.kind === 'missing' || files.kind === 'failed';
  return (
    <section>
      <h3>{t('model.files')}</h3>
      <FilesText files={files} />
      {(working || files.kind === 'paused') && (
        <ProgressBar label={t('model.files')} fraction={files.bytes / files.totalBytes} />
      )}
      <div className="server-buttons">
        {working && <Button onClick={() => void model.pause()}>{t('model.pause')}</Button>}
        {files.kind === 'paused' && (
          <Button kind="strong" onClick={() => void model.download()}>
            {t('model.resume')}
          </Button>
        )}
        {mayDownload && (
          <Button kind="strong" onClick={() => void model.download()}>
            {t('model.download')}
          </Button>
        )}
        {files.kind === 'ready' && (
          <Button onClick={() => void model.verify()}>{t('model.verify')}</Button>
        )}
        {files.kind === 'ready' && !files.isForeign && <RemoveButton bytes={files.totalBytes} />}
      </div>
      {mayDownload && (
        <>
          <MirrorChoice />
          <PathField label={t('model.folderPath')} use={model.setFolder} />
        </>
      )}
    </section>
  );
}

function FilesText({ files }: { readonly files: ModelFilesState }) {
  const { t } = useTranslation();
  switch (files.kind) {
    case 'unknown':
      return <p role="status">{t('model.looking')}</p>;
    case 'missing': {
      const facts = { bytes: formatBytes(files.bytes), size: formatBytes(files.totalBytes) };
      return <p>{t(files.bytes === 0 ? 'model.filesMissing' : 'model.filesStarted', facts)}</p>;
    }
    case 'downloading': {
      const { bytes, totalBytes, bytesPerSecond, secondsLeft, file, files: count, mirror } = files;
      const line = t('model.downloading', {
        bytes: formatBytes(bytes),
        size: formatBytes(totalBytes),
        speed: formatBytes(bytesPerSecond),
        file,
        files: count,
        mirror,
      });
      const left =
        secondsLeft === undefined
          ? []
          : [t('model.secondsLeft', { time: formatClock(secondsLeft) })];
      return <p>{[line, ...left].join(' · ')}</p>;
    }
    case 'paused':
    case 'verifying': {
      const facts = { bytes: formatBytes(files.bytes), size: formatBytes(files.totalBytes) };
      return <p role="status">{t(`model.${files.kind}`, facts)}</p>;
    }
    case 'ready':
      return (
        <>
          <p className="computer-path" dir="auto">
            {t('model.ready', { size: formatBytes(files.totalBytes), folder: files.folder })}
          </p>
          {files.isForeign && <p className="row-hint">{t('model.foreign')}</p>}
        </>
      );
    case 'failed':
      return <p role="alert">{errorText(t, files.error)}</p>;
  }
}

const mirrorHosts = { huggingface: 'huggingface.co', 'hf-mirror': 'hf-mirror.com' };

function MirrorChoice() {
  const { t } = useTranslation();
  const { model } = useActions();
  const mirror = useUiState(({ settings }) => settings?.model.mirror ?? 'huggingface');
  return (
    <div className="computer-field">
      <span>{t('model.mirror')}</span>
      <Picker
        label={t('model.mirror')}
        value={mirror}
        choices={mirrorHosts}
        choose={(chosen) => void model.setMirror(chosen === 'hf-mirror' ? chosen : 'huggingface')}
      />
    </div>
  );
}

/** Asks first, because the download takes long. */
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
      <Button kind="danger" onClick={() => void model.remove()}>
        {t('model.remove')}
      </Button>
      <Button onClick={() => setAsking(false)}>{t('model.keep')}</Button>
    </>
  );
}

function Server({ server }: { readonly server: ModelServerState }) {
  const { t } = useTranslation();
  const { model } = useActions();
  const isIdle = server.kind === 'stopped' || server.kind === 'failed';
  return (
    <section>
      <h3>{t('model.server')}</h3>
      <ServerText server={server} />
      <div className="server-buttons">
        <Button onClick={() => void (isIdle ? model.load() : model.unload())}>
          {t(isIdle ? 'model.load' : 'model.unload')}
        </Button>
      </div>
      <IdleChoice />
    </section>
  );
}

const idleMinutes = [0, 5, 15, 60];

/** How long the model keeps the card's memory without a talk or chat. */
function IdleChoice() {
  const { t, i18n } = useTranslation();
  const { model } = useActions();
  const chosen = useUiState(({ settings }) => settings?.model.idleMinutes ?? 0);
  const minutes = idleMinutes.includes(chosen) ? idleMinutes : [...idleMinutes, chosen];
  const name = (count: number): string =>
    count === 0 ? t('model.never') : formatDuration(count * 60, i18n.language);
  return (
    <div className="computer-field">
      <span>{t('model.idle')}</span>
      <Picker
        label={t('model.idle')}
        value={`${chosen}`}
        choices={Object.fromEntries(minutes.map((count) => [`${count}`, name(count)]))}
        choose={(count) => void model.setIdleMinutes(Number(count))}
      />
    </div>
  );
}

function ServerText({ server }: { readonly server: ModelServerState }) {
  const { t } = useTranslation();
  switch (server.kind) {
    case 'stopped':
      return <p>{t('model.stopped')}</p>;
    case 'loading':
      return <ModelLoading state={server} />;
    case 'ready': {
      const { pace } = server;
      return (
        <p>
          {t('model.running')}
          {pace !== undefined && (
            <>
              {' '}
              {t(`model.paces.${pace.verdict}`)}{' '}
              {t('model.pace', { median: pace.medianMs, p90: pace.p90Ms })}
            </>
          )}
        </p>
      );
    }
    case 'restarting':
      return (
        <p role="alert">
          {errorText(t, server.error)} {t('model.restarting', { seconds: server.seconds })}
        </p>
      );
    case 'failed':
      return <p role="alert">{errorText(t, server.error)}</p>;
  }
}

type Loading = Extract<ModelServerState, { kind: 'loading' }>;

export function ModelLoading({ state }: { readonly state: Loading }) {
  const { t } = useTranslation();
  return (
    <>
      <p role="status">{modelLoadingText(t, state)}</p>
      <ProgressBar label={t('model.loading')} fraction={state.progress} />
    </>
  );
}
