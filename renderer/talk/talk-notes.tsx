import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../shared/errors/app-error.ts';
import { sessionErrors } from '../../shared/errors/session-error-codes.ts';
import type { RecentHold } from '../../shared/recordings/talk-keeping.ts';
import type { DeviceRole, DeviceState, TalkDeviceStates } from '../../shared/talk/talk-state.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { Button } from '../design/button.tsx';
import { Note } from '../design/note.tsx';
import { errorText } from '../i18n/error-text.ts';
import { useSomethingSaid } from './captions/said-rows.ts';

/** What a person should know at the moment, each in a line of its own; most of the time nothing. */
export function TalkNotes() {
  const { t } = useTranslation();
  const actions = useActions();
  const live = useUiState(({ talkState }) => talkState.value.phase === 'live');
  const { muted, paused } = useUiState(({ controls }) => controls);
  const devices = useUiState(({ devices }) => devices);
  const warning = useUiState(({ warning }) => warning);
  const troubles = useUiState(({ troubles }) => troubles);
  const problem = useUiState(({ problem }) => problem);
  const recent = useUiState(({ keeping }) => keeping.recent);
  const seconds = warning?.secondsLeft ?? 0;
  // Before that the stage says in large letters whether one is heard.
  const said = useSomethingSaid();
  return (
    <div className="notes" role="status">
      {problem !== undefined && (
        <Note kind="bad" dismiss={actions.dismissProblem}>
          {errorText(t, problem)}
        </Note>
      )}
      {troubles.map((trouble) => (
        <TroubleNote key={JSON.stringify(trouble)} trouble={trouble} />
      ))}
      {live && <DeviceNotes {...devices} />}
      {live && warning !== undefined && (
        <Note kind="warn" dismiss={actions.dismissWarning}>
          {t(`talk.warnings.${warning.limit}`, { seconds })}
        </Note>
      )}
      {live && <OnlyListeningNote />}
      <OwnWordsNote />
      {live && recent?.kind === 'kept' && <RecentNote recent={recent} />}
      {live && said && paused && <Note kind="plain">{t('talk.pausedText')}</Note>}
      {live && said && muted && !paused && <Note kind="plain">{t('talk.muted')}</Note>}
    </div>
  );
}

/** The server never answers: what may help, as far as this server has such settings. */
function OnlyListeningNote() {
  const { t, i18n } = useTranslation();
  const { dismissOnlyListening } = useActions();
  const note = useUiState(({ onlyListening }) => onlyListening);
  if (note === undefined) return null;
  const ways = [
    t('talk.onlyListens.ways.level'),
    ...note.settings.map((setting) =>
      t(`talk.onlyListens.ways.${setting}`, { name: t(`settings.rows.assistant.${setting}.name`) }),
    ),
    t('talk.onlyListens.ways.server'),
  ];
  const list = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(ways);
  return (
    <Note kind="plain" dismiss={dismissOnlyListening}>
      {t('talk.onlyListens.text', { ways: list })}
    </Note>
  );
}

/** Each by its name; what both are lost for is said once. */
function DeviceNotes({ microphone, speaker }: TalkDeviceStates) {
  const same =
    microphone.kind === 'lost' &&
    speaker.kind === 'lost' &&
    JSON.stringify(microphone.error) === JSON.stringify(speaker.error);
  if (same) return <DeviceNote state={microphone} role="both" />;
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

/** How the writing down of the person's words goes on, where there is something to know of it. */
function OwnWordsNote() {
  const { t } = useTranslation();
  const { writeOwnWordsAgain } = useActions();
  const { status, phrases } = useUiState(({ ownWords }) => ownWords);
  const waits = phrases.some(({ state }) => state === 'waiting' || state === 'writing');
  const unknown = phrases.some(({ state, text }) => state === 'written' && text === '');
  if (status.kind === 'failed')
    return (
      <Note kind="warn">
        {status.error === undefined
          ? t('talk.own.notes.failed')
          : t('talk.own.notes.failedFor', { reason: errorText(t, status.error) })}{' '}
        <Button onClick={() => void writeOwnWordsAgain()}>{t('buttons.again')}</Button>
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

/** Long enough to be read twice. */
const passingMs = 30_000;

/**
 * What went wrong in a talk. What the session got over is news for a while; what is lost of a person's own stays until
 * they put it away.
 */
function TroubleNote({ trouble }: { readonly trouble: AppError }) {
  const { t } = useTranslation();
  const { dismissTrouble } = useActions();
  const passes = Object.hasOwn(sessionErrors, trouble.code);
  useEffect(() => {
    if (!passes) return undefined;
    const timer = setTimeout(() => dismissTrouble(trouble), passingMs);
    return () => clearTimeout(timer);
  }, [passes, trouble, dismissTrouble]);
  return (
    <Note kind="bad" dismiss={() => dismissTrouble(trouble)}>
      {errorText(t, trouble)}
    </Note>
  );
}

/** Where the last two minutes are; the tape is in History after that. */
function RecentNote({ recent }: { readonly recent: Extract<RecentHold, { kind: 'kept' }> }) {
  const { t } = useTranslation();
  const [over, setOver] = useState<string>();
  const { path, seconds } = recent;
  useEffect(() => {
    const timer = setTimeout(() => setOver(path), passingMs);
    return () => clearTimeout(timer);
  }, [path]);
  if (over === path) return null;
  return (
    <Note kind="plain" dismiss={() => setOver(path)}>
      {t('talk.recentKept', { seconds })}
    </Note>
  );
}
