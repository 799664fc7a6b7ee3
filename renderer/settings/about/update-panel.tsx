import { useTranslation } from 'react-i18next';
import type { UpdateStep, UpdateView } from '../../../shared/updates/update-view.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button } from '../../design/button.tsx';
import { errorText } from '../../i18n/error-text.ts';

/** How new versions come here, how far one is, and the way back; nothing where none are looked for. */
export function UpdatePanel() {
  const { t } = useTranslation();
  const view = useUiState(({ updates }) => updates);
  if (view.way === 'none') return null;
  return (
    <section aria-labelledby="updates" className="updates">
      <h2 id="updates">{t('settings.updates.heading')}</h2>
      {view.way === 'system' ? (
        <p className="settings-quiet">{t('settings.updates.bySystem')}</p>
      ) : (
        <>
          <StepLine view={view} />
          <Notes step={view.step} />
          <Ways view={view} />
        </>
      )}
    </section>
  );
}

function StepLine({ view: { step, way, problem } }: { readonly view: UpdateView }) {
  const { t } = useTranslation();
  return (
    <>
      <p role="status" className="settings-quiet">
        {step.kind === 'offered' && way === 'tells'
          ? t('settings.updates.byHand', { version: step.version })
          : wordsOf(step)}
      </p>
      {problem !== undefined && (
        <p role="alert" className="row-problem" dir="auto">
          {errorText(t, problem)}
        </p>
      )}
    </>
  );

  function wordsOf(now: UpdateStep): string {
    switch (now.kind) {
      case 'idle':
        return '';
      case 'checking':
      case 'newest':
        return t(`settings.updates.steps.${now.kind}`);
      case 'fetching':
        return t('settings.updates.steps.fetching', {
          version: now.version,
          percent: Math.floor(now.part * 100),
        });
      case 'later':
      case 'offered':
      case 'waiting':
      case 'preparing':
      case 'ready':
        return t(`settings.updates.steps.${now.kind}`, { version: now.version });
    }
  }
}

/** In the language of the page, or else in the first that they were written in. */
function Notes({ step }: { readonly step: UpdateStep }) {
  const { t, i18n } = useTranslation();
  const notes =
    'notes' in step ? (step.notes[i18n.language] ?? Object.values(step.notes)[0] ?? '') : '';
  if (!('notes' in step) || notes === '') return null;
  return (
    <section aria-labelledby="update-notes" className="update-news">
      <h3 id="update-notes">{t('settings.updates.whatIsNew', { version: step.version })}</h3>
      <p className="update-notes" dir="auto">
        {notes}
      </p>
    </section>
  );
}

function Ways({ view: { step, way, previous } }: { readonly view: UpdateView }) {
  const { t } = useTranslation();
  const { checkForUpdates, fetchUpdate, switchVersion } = useActions();
  const talks = useUiState(
    ({ talkState }) => talkState.value.phase !== 'idle' && talkState.value.phase !== 'ended',
  );
  const busy = ['checking', 'fetching', 'waiting', 'preparing'].includes(step.kind);
  const restarts = step.kind === 'ready' || previous !== undefined;
  return (
    <>
      <div className="update-ways">
        {step.kind === 'ready' && (
          <Button kind="strong" disabled={talks} onClick={() => void switchVersion('next')}>
            {t('settings.updates.restart')}
          </Button>
        )}
        {step.kind === 'offered' && way === 'replaces' && (
          <Button kind="strong" onClick={() => void fetchUpdate()}>
            {t('settings.updates.fetch')}
          </Button>
        )}
        <Button disabled={busy} onClick={() => void checkForUpdates()}>
          {t('settings.updates.check')}
        </Button>
        {previous !== undefined && (
          <Button disabled={talks} onClick={() => void switchVersion('previous')}>
            {t('settings.updates.goBack', { version: previous })}
          </Button>
        )}
      </div>
      {restarts && (
        <p className="row-hint">
          {t(talks ? 'settings.updates.afterTalk' : 'settings.updates.restarts')}
        </p>
      )}
    </>
  );
}
