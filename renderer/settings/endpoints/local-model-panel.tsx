import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  LocalModelState,
  ModelHardware,
  ModelServerState,
} from '../../../shared/model/local-model-state.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { Button, passFocusOn } from '../../design/controls.tsx';
import { copyText, useCopied } from '../../design/copy-text.ts';
import { Picker } from '../../design/layers.tsx';
import { ProgressBar } from '../../design/progress-bar.tsx';
import {
  errorText,
  formatBytes,
  formatDuration,
  joinSentences,
  chatPlaceText,
  modelLoadingText,
} from '../../i18n/format.ts';
import { ModelFilesSection, PathChoice } from './model-files-section.tsx';
import './local-model-panel.css';
import './endpoints.css';

/** The model on this computer: whether it fits, and everything that is needed to run it. */
export function LocalModelPanel() {
  const { t } = useTranslation();
  const { model } = useActions();
  const state = useUiState(({ localModel }) => localModel);
  useEffect(() => void model.look(), [model]);
  const isFound = state?.program !== undefined;
  return (
    <div className="local-model">
      <p className="row-hint">{t('model.privacy')}</p>
      {state?.hardware === undefined ? (
        <p role="status">{t('model.looking')}</p>
      ) : (
        <Hardware hardware={state.hardware} />
      )}
      {state !== undefined && (
        <>
          {state.hardware !== undefined && !isFound && <Program path={undefined} />}
          <ModelFilesSection files={state.files} freeBytes={state.hardware?.freeDiskBytes} />
          {isFound && state.files.kind === 'ready' && <Server state={state} />}
          {isFound && <Program path={state.program} />}
        </>
      )}
    </div>
  );
}

/** Memory that one duplex session with a context of 4096 tokens needs on the card. */
const neededBytes = 9_300_000_000;

function Hardware({
  hardware: { card, memoryBytes, verdict },
}: {
  readonly hardware: ModelHardware;
}) {
  const { t } = useTranslation();
  const { memoryBytes: totalBytes, freeBytes } = card ?? {};
  const isMemoryTaken =
    totalBytes !== undefined &&
    freeBytes !== undefined &&
    totalBytes > neededBytes &&
    freeBytes < neededBytes;
  return (
    <section>
      <p className="row-hint" dir="auto">
        {card === undefined
          ? t('model.memory', { memory: formatMemory(memoryBytes) })
          : totalBytes === undefined
            ? card.name
            : t('model.card', { name: card.name, memory: formatMemory(totalBytes) })}
      </p>
      <p className="local-model-verdict" data-verdict={verdict}>
        {t(`model.verdicts.${verdict}`)}
      </p>
      {isMemoryTaken && (
        <p>
          {t('model.taken', {
            used: formatBytes(totalBytes - freeBytes),
            free: formatBytes(freeBytes),
            needed: formatBytes(neededBytes),
          })}
        </p>
      )}
    </section>
  );
}

/** Cards are sold in binary gigabytes: one of 12 GB has 12 × 2³⁰ bytes. */
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
  const hasChosenProgram = useUiState(({ settings }) => (settings?.model.program ?? '') !== '');
  return (
    <section>
      <h2>{t('model.program')}</h2>
      {path === undefined ? (
        <>
          <p>{t('model.programMissing')}</p>
          <pre className="local-model-lines" dir="ltr" tabIndex={0}>
            {buildLines}
          </pre>
        </>
      ) : (
        <p dir="auto">{t('model.programFound', { path })}</p>
      )}
      <div className="local-model-buttons button-row">
        {path === undefined && (
          <Button
            onClick={() => {
              if (copyText(buildLines)) setCopied();
            }}
          >
            {t(copied ? 'model.copied' : 'buttons.copy')}
          </Button>
        )}
        <PathChoice
          name={t('model.chooseProgram')}
          fieldName={t('model.programPath')}
          onOpenDialog={model.chooseProgram}
          onPath={model.setProgram}
        />
        {hasChosenProgram && (
          <Button ref={passFocusOn} onClick={() => void model.setProgram('')}>
            {t('model.findProgram')}
          </Button>
        )}
      </div>
    </section>
  );
}

function Server({ state: { server, chat, hardware } }: { readonly state: LocalModelState }) {
  const { t } = useTranslation();
  const { model } = useActions();
  const chatText = chatPlaceText(t, chat);
  const isIdle = isStopped(server) && (chat?.kind !== 'own' || isStopped(chat.server));
  return (
    <section>
      <h2>{t('model.server')}</h2>
      <ServerText server={server} />
      {chatText !== undefined && <p role="status">{chatText}</p>}
      <div className="local-model-buttons button-row">
        <Button onClick={() => void (isIdle ? model.load() : model.unload())}>
          {t(isIdle ? 'model.load' : 'model.unload')}
        </Button>
      </div>
      <IdleChoice />
      {hardware?.hasRoomForTwo === true && <ChatChoice />}
    </section>
  );
}

function isStopped({ kind }: ModelServerState): boolean {
  return kind === 'stopped' || kind === 'failed';
}

/** Whether a second copy of the model answers chats, on a card that has room for it. */
function ChatChoice() {
  const { t } = useTranslation();
  const { model } = useActions();
  const id = useId();
  const chosen = useUiState(({ settings }) => settings?.model.chatWhileTalking ?? 'whenRoom');
  return (
    <div className="local-model-field">
      <span id={id}>{t('model.chatWhileTalking')}</span>
      <Picker
        label={t('model.chatWhileTalking')}
        labelledBy={id}
        value={chosen}
        choices={{
          whenRoom: t('model.chatChoices.whenRoom'),
          never: t('model.chatChoices.never'),
        }}
        onChoose={(choice) => void model.setChatWhileTalking(choice)}
      />
    </div>
  );
}

const idleMinutes = [0, 5, 15, 60];

/** How long the model keeps the card's memory without a talk or chat. */
function IdleChoice() {
  const { t, i18n } = useTranslation();
  const { model } = useActions();
  const id = useId();
  const chosen = useUiState(({ settings }) => settings?.model.idleMinutes ?? 0);
  const minutes = idleMinutes.includes(chosen) ? idleMinutes : [...idleMinutes, chosen];
  const name = (count: number): string =>
    count === 0 ? t('model.never') : formatDuration(count * 60, i18n.language);
  return (
    <div className="local-model-field">
      <span id={id}>{t('model.idle')}</span>
      <Picker
        label={t('model.idle')}
        labelledBy={id}
        value={`${chosen}`}
        choices={Object.fromEntries(minutes.map((count) => [`${count}`, name(count)]))}
        onChoose={(count) => void model.setIdleMinutes(Number(count))}
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
      if (pace === undefined) return <p>{t('model.running')}</p>;
      const verdict = t(`model.paces.${pace.verdict}`);
      const stats = t('model.pace', { median: pace.medianMs, p90: pace.p90Ms });
      return (
        <>
          <p>{joinSentences(t, t('model.running'), verdict)}</p>
          <p className="row-hint">{stats}</p>
        </>
      );
    }
    case 'restarting':
      return (
        <p role="alert">
          {joinSentences(
            t,
            errorText(t, server.error),
            t('model.restarting', { seconds: server.seconds }),
          )}
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
