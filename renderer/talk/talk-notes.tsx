import { useTranslation } from 'react-i18next';
import type {
  DeviceRole,
  DeviceState,
  TalkDeviceStates,
} from '../../shared/talk/talk-device-states.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { errorText } from '../parts/error-text.ts';
import { Note } from './note.tsx';
import { RecentNote, TroubleNote } from './passing-notes.tsx';
import { useSomethingSaid } from './use-something-said.ts';
import { OwnWordsNote } from './own-words/own-words-note.tsx';

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
  if (state.kind === 'lost') {
    return (
      <Note kind="bad">
        <strong>{t(`aroundTalk.lostDevices.${role}`)}</strong> {errorText(t, state.error)}
      </Note>
    );
  }
  if (state.kind !== 'standsIn') return null;
  const { device, missing } = state;
  return <Note kind="plain">{t('talk.devices.standsIn', { device, missing })}</Note>;
}
