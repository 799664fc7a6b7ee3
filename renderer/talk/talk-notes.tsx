import { useTranslation } from 'react-i18next';
import type { DeviceState } from '../../shared/talk/talk-device-states.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { errorText } from '../parts/error-text.ts';
import { Note } from './note.tsx';
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
  return (
    <div className="notes" role="status">
      {problem !== undefined && (
        <Note kind="bad" dismiss={actions.dismissProblem}>
          {errorText(t, problem)}
        </Note>
      )}
      {troubles.map((trouble) => (
        <Note
          key={JSON.stringify(trouble)}
          kind="bad"
          dismiss={() => {
            actions.dismissTrouble(trouble);
          }}
        >
          {errorText(t, trouble)}
        </Note>
      ))}
      {live && <DeviceNote state={devices.microphone} />}
      {live && <DeviceNote state={devices.speaker} />}
      {live && warning !== undefined && (
        <Note kind="warn" dismiss={actions.dismissWarning}>
          {t(`talk.warnings.${warning.limit}`, { seconds })}
        </Note>
      )}
      <OwnWordsNote />
      {live && recent?.kind === 'kept' && (
        <Note kind="plain">
          {t('talk.recentKept', { seconds: recent.seconds, path: recent.path })}
        </Note>
      )}
      {live && paused && <Note kind="plain">{t('talk.pausedText')}</Note>}
      {live && muted && !paused && <Note kind="plain">{t('talk.muted')}</Note>}
    </div>
  );
}

function DeviceNote({ state }: { readonly state: DeviceState }) {
  const { t } = useTranslation();
  if (state.kind === 'lost') {
    return <Note kind="bad">{errorText(t, state.error)}</Note>;
  }
  if (state.kind !== 'standsIn') return null;
  const { device, missing } = state;
  return <Note kind="plain">{t('talk.devices.standsIn', { device, missing })}</Note>;
}
