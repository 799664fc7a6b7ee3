import { Check, Undo2, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isTalkOver } from '../../shared/talk/talk-view.ts';
import { Button, IconButton, passFocusOn } from '../design/controls.tsx';
import { joinSentences } from '../i18n/format.ts';
import { useActions, useUiState } from './app-context.ts';
import './shell-notices.css';

/**
 * Says why the page was reloaded: it crashed or hung, or Parley crashed or started in safe mode. It stays until
 * dismissed.
 */
export function RecoveryNotice() {
  const { t } = useTranslation();
  const { dismissRecovery } = useActions();
  const recovery = useUiState(({ recovery }) => recovery);
  const isLive = useUiState(({ talkState }) => talkState.value.phase === 'live');
  if (recovery === undefined) return null;
  const talkGoesOn = isLive && recovery !== 'restarted';
  return (
    <div ref={passFocusOn} className="shell-notice" role="status">
      <p>
        {joinSentences(
          t,
          t(`shell.recovery.${recovery}`),
          talkGoesOn ? t('shell.recovery.talkGoesOn') : undefined,
        )}
      </p>
      <IconButton icon={X} label={t('shell.dismiss')} onClick={dismissRecovery} />
    </div>
  );
}

/** Announces a version that the user has not seen yet, except during a talk. */
export function UpdateNotice() {
  const { t } = useTranslation();
  const { readUpdates, updateSeen, openSettings } = useActions();
  const isConnected = useUiState(({ connection }) => connection === 'connected');
  const { unseenVersion, step } = useUiState(({ updates }) => updates);
  const hasNoTalk = useUiState(({ talkState }) => isTalkOver(talkState.value.phase));
  useEffect(() => {
    if (isConnected) void readUpdates();
  }, [isConnected, readUpdates]);
  if (
    unseenVersion === undefined ||
    !hasNoTalk ||
    (step.kind !== 'ready' && step.kind !== 'offered')
  )
    return null;
  const show = (): void => {
    void updateSeen();
    openSettings('about');
  };
  return (
    <div ref={passFocusOn} className="shell-notice" role="status">
      <p>{t(`settings.updates.steps.${step.kind}`, { version: unseenVersion })}</p>
      <div className="shell-notice-buttons">
        <Button onClick={show}>{t('settings.updates.show')}</Button>
        <IconButton icon={X} label={t('shell.dismiss')} onClick={() => void updateSeen()} />
      </div>
    </div>
  );
}

/** No more reminders fit on a screen. Earlier ones appear after the user has dismissed later ones. */
const maxShownReminders = 5;

/** Reminders whose time has come, each until it is dismissed. */
export function DueReminders() {
  const { t } = useTranslation();
  const { tools } = useActions();
  const isConnected = useUiState(({ connection }) => connection === 'connected');
  const due = useUiState(({ toolsView }) => toolsView.due);
  useEffect(() => {
    if (isConnected) void tools.read();
  }, [isConnected, tools]);
  return due.slice(-maxShownReminders).map(({ id, text }) => (
    <div key={id} ref={passFocusOn} className="shell-notice" role="alert">
      <p dir="auto">{t('tools.reminder', { text })}</p>
      <IconButton
        icon={X}
        label={t('shell.dismiss')}
        onClick={() => void tools.dismissReminder(id)}
      />
    </div>
  ));
}

/** Offers to remember what the user said about themselves in a talk or chat. Hidden during a talk. */
export function SuggestionNotice() {
  const { t } = useTranslation();
  const { setup, openSettings } = useActions();
  const isConnected = useUiState(({ connection }) => connection === 'connected');
  const suggestions = useUiState(({ memory }) => memory?.suggestions) ?? [];
  const hasNoTalk = useUiState(({ talkState }) => isTalkOver(talkState.value.phase));
  const isElsewhere = useUiState(
    ({ screen, settingsUi }) => screen !== 'settings' || settingsUi.section !== 'memory',
  );
  const [dismissed, setDismissed] = useState<string>();
  useEffect(() => {
    if (isConnected) void setup.readMemory();
  }, [isConnected, setup]);
  const first = suggestions[0];
  if (first === undefined || first.id === dismissed || !hasNoTalk || !isElsewhere) return null;
  const { id, text } = first;
  return (
    <div ref={passFocusOn} className="shell-notice suggestion-notice" role="status">
      <p dir="auto">{joinSentences(t, t('memory.suggestions.title'), text)}</p>
      <div className="shell-notice-buttons">
        <Button onClick={() => void setup.answerSuggestion(id, true)}>
          {t('memory.suggestions.accept')}
        </Button>
        <Button onClick={() => openSettings('memory')}>
          {suggestions.length === 1
            ? t('memory.suggestions.look')
            : t('memory.suggestions.more', { count: suggestions.length })}
        </Button>
      </div>
      <IconButton icon={X} label={t('shell.dismiss')} onClick={() => setDismissed(id)} />
    </div>
  );
}

/** Offers to undo the last deletion for ten seconds, and for as long as it has the focus or the pointer. */
export function UndoBar() {
  const { t } = useTranslation();
  const { removal } = useActions();
  const message = useUiState(({ removed }) => removed?.message);
  useEffect(() => {
    const finishRemoval = (): void => void removal.finish();
    window.addEventListener('pagehide', finishRemoval);
    return () => window.removeEventListener('pagehide', finishRemoval);
  }, [removal]);
  return (
    <div className="undo" role="status">
      {message !== undefined && (
        <div
          ref={passFocusOn}
          className="undo-bar"
          onPointerEnter={removal.hold}
          onFocus={removal.hold}
          onPointerLeave={({ currentTarget }) => {
            if (!currentTarget.contains(document.activeElement)) removal.resume();
          }}
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.matches(':hover') && !currentTarget.contains(relatedTarget))
              removal.resume();
          }}
        >
          <p dir="auto">{message}</p>
          <Button kind="quiet" icon={<Undo2 aria-hidden />} onClick={removal.undo}>
            {t('shell.undo.undo')}
          </Button>
          <IconButton icon={X} label={t('shell.dismiss')} onClick={() => void removal.finish()} />
        </div>
      )}
    </div>
  );
}

/** Confirms a command whose effect is not visible. */
export function Toast() {
  const toast = useUiState(({ toast }) => toast);
  return (
    <div className="toast" role="status">
      {toast !== undefined && (
        <p dir="auto">
          <Check aria-hidden />
          {toast}
        </p>
      )}
    </div>
  );
}
