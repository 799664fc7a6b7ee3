import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  nativeLibraryNames,
  type UpdateStep,
  type UpdateView,
} from '../../../shared/app/program.ts';
import type { AppError } from '../../../shared/errors/app-error.ts';
import { isTalkOver } from '../../../shared/talk/talk-view.ts';
import { useActions, useAppContext, useUiState } from '../../app/app-context.ts';
import type { NativeLibraryView } from '../../app/ui-state.ts';
import { Button } from '../../design/controls.tsx';
import { copyText } from '../../design/copy-text.ts';
import { Fact } from '../../design/row.tsx';
import { errorText } from '../../i18n/format.ts';
import { useSettingText } from '../controls/setting.tsx';
import { diagnosticsText } from './diagnostics-text.ts';
import { licences } from './licences.ts';
import './about.css';

export function AboutSection() {
  const { t } = useTranslation();
  const { openGuide } = useActions();
  const about = useUiState(({ about }) => about);
  return (
    <>
      <header className="about-head">
        <h1>
          {about?.name ?? 'Parley'} <span className="version">{about?.version}</span>
        </h1>
        <p className="settings-quiet">{t('tagline')}</p>
        <Button onClick={() => openGuide()}>{t('guide.title')}</Button>
      </header>
      <UpdatePanel />
      <DiagnosticsPanel />
      <LogPanel />
      <section aria-labelledby="licences">
        <h2 id="licences">{t('settings.rows.about.licences.name')}</h2>
        <dl className="licences">
          {licences.map(({ name, licence }) => (
            <Fact key={name} name={name} value={licence} />
          ))}
        </dl>
      </section>
      <TechnicalDetails />
    </>
  );
}

/** Shows the copied text, so that users see what they share. */
function DiagnosticsPanel() {
  const { t } = useTranslation();
  const { store } = useAppContext();
  const { name, hint } = useSettingText('about.diagnostics');
  const [copied, setCopied] = useState<{ readonly text: string; readonly ok: boolean }>();
  const copy = (): void => {
    const text = diagnosticsText(store.getState());
    setCopied({ text, ok: copyText(text) });
  };
  return (
    <section aria-labelledby="diagnostics">
      <h2 id="diagnostics">{name}</h2>
      <p className="row-hint">{hint}</p>
      <Button onClick={copy}>{t('buttons.copy')}</Button>
      {copied !== undefined && (
        <>
          <p role="alert" className="row-hint">
            {t(copied.ok ? 'settings.about.copied' : 'settings.about.copyFailed')}
          </p>
          <pre
            className="diagnostics file-text"
            tabIndex={0}
            aria-label={t('settings.about.shown')}
          >
            {copied.text}
          </pre>
        </>
      )}
    </section>
  );
}

type LogFolderResult = { readonly path: string } | { readonly error: AppError };

/** Opens the log folder if the host can, and shows its path. */
function LogPanel() {
  const { t } = useTranslation();
  const { request } = useAppContext();
  const { reporting } = useActions();
  const { name, hint } = useSettingText('about.log');
  const [shown, setShown] = useState<LogFolderResult>();
  const show = async (): Promise<void> => {
    const reply = await request('showLogs', undefined);
    setShown(reply.ok ? { path: reply.value.path } : { error: reply.error });
  };
  return (
    <section aria-labelledby="log">
      <h2 id="log">{name}</h2>
      <p className="row-hint">{hint}</p>
      <div className="button-row">
        <Button onClick={() => void show()}>{t('settings.about.showLogs')}</Button>
        <Button onClick={() => reporting.open({ kind: 'last' })}>{t('report.action')}</Button>
      </div>
      {shown !== undefined && (
        <p role="alert" className="row-hint" dir="auto">
          {'path' in shown ? t('export.folderAt', { path: shown.path }) : errorText(t, shown.error)}
        </p>
      )}
    </section>
  );
}

/** Runtime versions and native libraries. Collapsed unless a library fails. */
function TechnicalDetails() {
  const { t } = useTranslation();
  const { checkLibraries } = useActions();
  const about = useUiState(({ about }) => about);
  const libraries = useUiState(({ libraries }) => libraries);
  const fails = nativeLibraryNames.some((library) => libraries[library].state === 'fails');
  const isConnected = useUiState(({ connection }) => connection === 'connected');
  const isUnchecked =
    isConnected && nativeLibraryNames.some((library) => libraries[library].state === 'unasked');
  useEffect(() => {
    // Only on this page, because the check starts the picture thread, which then stays for a minute.
    if (isUnchecked) void checkLibraries();
  }, [isUnchecked, checkLibraries]);
  return (
    <details className="technical" open={fails || undefined}>
      <summary>{t('about.technical')}</summary>
      <section aria-labelledby="runtime">
        <h2 id="runtime">{t('about.runtimeHeading')}</h2>
        <dl>
          <Fact
            name={t('about.host')}
            value={about === undefined ? '' : t(`about.hosts.${about.host}`)}
          />
          {about?.runtime.map(({ name, version }) => (
            <Fact key={name} name={name} value={version} />
          ))}
        </dl>
      </section>
      <section aria-labelledby="libraries">
        <h2 id="libraries">{t('settings.rows.about.libraries.name')}</h2>
        <ul>
          {nativeLibraryNames.map((library) => (
            <LibraryRow
              key={library}
              title={t(`about.libraries.${library}`)}
              view={libraries[library]}
            />
          ))}
        </ul>
        <Button onClick={() => void checkLibraries()}>{t('about.checkAgain')}</Button>
      </section>
    </details>
  );
}

interface Props {
  readonly title: string;
  readonly view: NativeLibraryView;
}

function LibraryRow({ title, view }: Props) {
  const { t } = useTranslation();
  // The page starts the check at once, so `unasked` is shown as `checking`.
  const state = view.state === 'unasked' ? 'checking' : view.state;
  return (
    <li className="fact library" data-state={state}>
      <span>{title}</span>
      <span className="library-state" role="status">
        {t(`about.states.${state}`)}
      </span>
      <span className="library-detail">{libraryDetail(view)}</span>
    </li>
  );
}

function libraryDetail(view: NativeLibraryView): string {
  switch (view.state) {
    case 'unasked':
    case 'checking':
    case 'unknown':
      return '';
    case 'loads':
      return view.detail;
    case 'fails':
      return view.reason;
  }
}

/** Update state and actions; hidden if updates are disabled. */
function UpdatePanel() {
  const { t } = useTranslation();
  const view = useUiState(({ updates }) => updates);
  if (view.mode === 'none') return null;
  return (
    <section aria-labelledby="updates" className="updates">
      <h2 id="updates">{t('settings.rows.desktop.updates.name')}</h2>
      {view.mode === 'system' ? (
        <p className="settings-quiet">{t('settings.updates.bySystem')}</p>
      ) : (
        <>
          <StepLine view={view} />
          <Notes step={view.step} />
          <UpdateButtons view={view} />
        </>
      )}
    </section>
  );
}

function StepLine({ view: { step, mode, problem } }: { readonly view: UpdateView }) {
  const { t } = useTranslation();
  return (
    <>
      <p role="status" className="settings-quiet">
        {step.kind === 'offered' && mode === 'announces'
          ? t('settings.updates.byHand', { version: step.version })
          : stepText(step)}
      </p>
      {problem !== undefined && (
        <p role="alert" className="row-problem" dir="auto">
          {errorText(t, problem)}
        </p>
      )}
    </>
  );

  function stepText(now: UpdateStep): string {
    switch (now.kind) {
      case 'idle':
        return '';
      case 'checking':
      case 'newest':
        return t(`settings.updates.steps.${now.kind}`);
      case 'fetching':
        return t('settings.updates.steps.fetching', {
          version: now.version,
          percent: Math.floor(now.fraction * 100),
        });
      case 'later':
      case 'offered':
      case 'waiting':
      case 'ready':
        return t(`settings.updates.steps.${now.kind}`, { version: now.version });
    }
  }
}

/** The release notes, in the page's language if they exist in it, else in the first language that they have. */
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

function UpdateButtons({ view: { step, mode, previous } }: { readonly view: UpdateView }) {
  const { t } = useTranslation();
  const { checkForUpdates, fetchUpdate, switchVersion } = useActions();
  const isTalking = useUiState(({ talkState }) => !isTalkOver(talkState.value.phase));
  const isBusy = ['checking', 'fetching', 'waiting'].includes(step.kind);
  const restarts = step.kind === 'ready' || previous !== undefined;
  return (
    <>
      <div className="update-buttons button-row">
        {step.kind === 'ready' && (
          <Button kind="strong" disabled={isTalking} onClick={() => void switchVersion('next')}>
            {t('settings.updates.restart')}
          </Button>
        )}
        {step.kind === 'offered' && (
          <Button
            kind="strong"
            onClick={() => {
              if (mode === 'installs') void fetchUpdate();
              else window.open(step.address, '_blank', 'noopener,noreferrer');
            }}
          >
            {t('settings.updates.fetch')}
          </Button>
        )}
        <Button disabled={isBusy} onClick={() => void checkForUpdates()}>
          {t('settings.updates.check')}
        </Button>
        {previous !== undefined && (
          <Button disabled={isTalking} onClick={() => void switchVersion('previous')}>
            {t('settings.updates.goBack', { version: previous })}
          </Button>
        )}
      </div>
      {restarts && (
        <p className="row-hint">
          {t(isTalking ? 'settings.updates.afterTalk' : 'settings.updates.restarts')}
        </p>
      )}
    </>
  );
}
