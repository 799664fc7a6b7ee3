import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError, ErrorCode } from '../../shared/errors/app-error.ts';
import { sessionErrors } from '../../shared/errors/server-error-codes.ts';
import {
  isTalkOver,
  type RecentBufferState,
  type DeviceRole,
  type DeviceState,
  type TalkDeviceStates,
} from '../../shared/talk/talk-view.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { Button, Note } from '../design/controls.tsx';
import { errorText, joinSentences } from '../i18n/format.ts';
import { PassagesOfTalk } from '../memory/past-passages.tsx';
import { useHasTranscript } from './captions/caption-rows.ts';

/** The messages on the Talk screen: errors, warnings, lost devices, and that the talk is paused or muted. */
export function TalkNotes() {
  const { t } = useTranslation();
  const actions = useActions();
  const isLive = useUiState(({ talkState }) => talkState.value.phase === 'live');
  const { muted, paused } = useUiState(({ controls }) => controls);
  const devices = useUiState(({ devices }) => devices);
  const warning = useUiState(({ warning }) => warning);
  const talkErrors = useUiState(({ talkErrors }) => talkErrors);
  const problem = useUiState(({ problem }) => problem);
  const recent = useUiState(({ storage }) => storage.recent);
  const seconds = warning?.secondsLeft ?? 0;
  // Before the first words, the stage itself shows whether the user is muted.
  const hasTranscript = useHasTranscript();
  return (
    <div className="notes" role="status">
      {problem !== undefined && (
        <Note kind="bad" onDismiss={actions.dismissProblem}>
          {errorText(t, problem)}
        </Note>
      )}
      {talkErrors.map((trouble) => (
        <TroubleNote key={JSON.stringify(trouble)} trouble={trouble} />
      ))}
      {isLive && <DeviceNotes {...devices} />}
      {isLive && warning !== undefined && (
        <Note kind="warn" onDismiss={actions.dismissWarning}>
          {t(`talk.warnings.${warning.limit}`, { seconds })}
        </Note>
      )}
      {isLive && <OnlyListeningNote />}
      <TranscriptionNote />
      {isLive && <PassagesOfTalk />}
      {isLive && recent?.kind === 'stored' && <RecentNote recent={recent} />}
      {isLive && hasTranscript && paused && <Note kind="plain">{t('talk.pausedText')}</Note>}
      {isLive && hasTranscript && muted && !paused && <Note kind="plain">{t('talk.muted')}</Note>}
    </div>
  );
}

/** Shown while the server does not answer: suggests settings that may help, if the server supports them. */
function OnlyListeningNote() {
  const { t, i18n } = useTranslation();
  const { dismissOnlyListening } = useActions();
  const note = useUiState(({ onlyListening }) => onlyListening);
  if (note === undefined) return null;
  const suggestions = [
    t('talk.onlyListens.ways.level'),
    ...note.settings.map((setting) =>
      t(`talk.onlyListens.ways.${setting}`, {
        name: t(`settings.rows.assistant.${setting}.name`),
      }),
    ),
    t('talk.onlyListens.ways.server'),
  ];
  const list = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(suggestions);
  return (
    <Note kind="plain" onDismiss={dismissOnlyListening}>
      {t('talk.onlyListens.text', { ways: list })}
    </Note>
  );
}

/** One note per device, or a shared note if both were lost for the same reason. */
function DeviceNotes({ microphone, speaker }: TalkDeviceStates) {
  const isSameError =
    microphone.kind === 'lost' &&
    speaker.kind === 'lost' &&
    JSON.stringify(microphone.error) === JSON.stringify(speaker.error);
  if (isSameError) return <DeviceNote state={microphone} role="both" />;
  return (
    <>
      <DeviceNote state={microphone} role="microphone" />
      <DeviceNote state={speaker} role="speaker" />
    </>
  );
}

interface DeviceNoteProps {
  readonly state: DeviceState;
  readonly role: DeviceRole | 'both';
}

function DeviceNote({ state, role }: DeviceNoteProps) {
  const { t } = useTranslation();
  if (state.kind === 'lost')
    return (
      <Note kind="bad">
        <strong>{t(`aroundTalk.lostDevices.${role}`)}</strong> {errorText(t, state.error)}
      </Note>
    );
  if (state.kind !== 'standsIn') return null;
  const { device, missing } = state;
  return <Note kind="plain">{t('talk.devices.standsIn', { device, missing })}</Note>;
}

function TranscriptionNote() {
  const { t } = useTranslation();
  const { retryTranscription } = useActions();
  const { status, phrases } = useUiState(({ userTranscript }) => userTranscript);
  const waits = phrases.some(({ state }) => state === 'waiting' || state === 'writing');
  const unknown = phrases.some(({ state, text }) => state === 'written' && text === '');
  if (status.kind === 'failed')
    return (
      <Note kind="warn">
        {status.error === undefined
          ? t('talk.own.notes.failed')
          : t('talk.own.notes.failedFor', { reason: errorText(t, status.error) })}{' '}
        <Button onClick={() => void retryTranscription()}>{t('buttons.again')}</Button>
      </Note>
    );
  if (status.kind === 'afterTalk') return <Note kind="plain">{t('talk.own.notes.afterTalk')}</Note>;
  if (status.kind === 'busy' && waits) return <Note kind="plain">{t('talk.own.notes.busy')}</Note>;
  if (status.kind === 'queued')
    return (
      <Note kind="plain">
        {status.position === undefined
          ? t('talk.own.notes.queued')
          : t('talk.own.notes.queuedAt', { position: status.position })}
      </Note>
    );
  if (status.demonstration && unknown)
    return <Note kind="plain">{t('talk.own.notes.demonstration')}</Note>;
  return null;
}

/** Long enough to read twice. */
const noteMs = 30_000;

/** After one of these errors, the user may think that the talk has failed, too. */
const keepingErrors: ReadonlySet<string> = new Set([
  'tapeGap',
  'tapeFailed',
  'tapeLost',
  'talkTextNotStored',
] satisfies ErrorCode[]);

/** Errors that the session recovered from disappear. Other errors, such as lost data, stay until dismissed. */
function TroubleNote({ trouble }: { readonly trouble: AppError }) {
  const { t } = useTranslation();
  const { dismissTrouble } = useActions();
  const isOver = useUiState(({ talkState }) => isTalkOver(talkState.value.phase));
  const goesOn = !isOver && keepingErrors.has(trouble.code) ? t('talk.goesOn') : undefined;
  const isRecovered = Object.hasOwn(sessionErrors, trouble.code);
  useEffect(() => {
    if (!isRecovered) return undefined;
    const timer = setTimeout(() => dismissTrouble(trouble), noteMs);
    return () => clearTimeout(timer);
  }, [isRecovered, trouble, dismissTrouble]);
  return (
    <Note kind="bad" onDismiss={() => dismissTrouble(trouble)}>
      {joinSentences(t, errorText(t, trouble), goesOn)}
    </Note>
  );
}

function RecentNote({
  recent,
}: {
  readonly recent: Extract<RecentBufferState, { kind: 'stored' }>;
}) {
  const { t } = useTranslation();
  const [dismissedPath, setDismissedPath] = useState<string>();
  const { path, seconds } = recent;
  useEffect(() => {
    const timer = setTimeout(() => setDismissedPath(path), noteMs);
    return () => clearTimeout(timer);
  }, [path]);
  if (dismissedPath === path) return null;
  return (
    <Note kind="plain" onDismiss={() => setDismissedPath(path)}>
      {t('talk.recentKept', { seconds })}
    </Note>
  );
}
