import { Hand, Mic, MicOff, PhoneOff, Play } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useUiState } from '../app/app-context.ts';
import { Button, IconButton } from '../design/controls.tsx';
import { HeldButton, useTalkKeyName, useWindowKeyLabel } from '../keys/window-keys.ts';

interface Props {
  readonly inDock?: boolean;
}

export function MuteButton({ inDock = false }: Props) {
  const { t } = useTranslation();
  const { setMuted } = useActions();
  const muted = useUiState(({ controls }) => controls.muted);
  const muteKey = useWindowKeyLabel('mute');
  return (
    <IconButton
      labelled={inDock}
      icon={muted ? MicOff : Mic}
      label={t(muted ? 'talk.unmute' : 'settings.rows.keys.mute.name')}
      hint={inDock ? muteKey : undefined}
      data-held={muted}
      onClick={() => void setMuted(!muted)}
    />
  );
}

/** The dock shows the button if there is room; the More panel always has it. */
export function InterruptButton({ inDock = false }: Props) {
  const { t } = useTranslation();
  const { interrupt } = useActions();
  const interruptKey = useWindowKeyLabel('interrupt');
  return (
    <IconButton
      labelled={inDock}
      icon={Hand}
      label={t('settings.rows.keys.interrupt.name')}
      hint={interruptKey}
      data-roomy={inDock || undefined}
      onClick={() => void interrupt()}
    />
  );
}

export function EndButton({ inDock = false }: Props) {
  const { t } = useTranslation();
  const { end } = useActions();
  const endKey = useWindowKeyLabel('end');
  return (
    <IconButton
      labelled={inDock}
      icon={PhoneOff}
      label={t('talk.end')}
      hint={inDock ? endKey : undefined}
      data-end
      onClick={() => void end()}
    />
  );
}

export function ResumeButton({ kind }: { readonly kind: 'strong' | 'plain' }) {
  const { t } = useTranslation();
  const { setPaused } = useActions();
  return (
    <Button kind={kind} icon={<Play aria-hidden />} onClick={() => void setPaused(false)}>
      {t('talk.resume')}
    </Button>
  );
}

export function CancelStartButton({ queued }: { readonly queued: boolean }) {
  const { t } = useTranslation();
  const { end } = useActions();
  return (
    <Button onClick={() => void end()}>{t(queued ? 'talk.leaveQueue' : 'buttons.cancel')}</Button>
  );
}

/** The talk key as a button, for pointers; shown only in push-to-talk modes. */
export function PushToTalkButton() {
  const { t } = useTranslation();
  const actions = useActions();
  const talking = useUiState(({ controls }) => controls.talking);
  const isTransmitting = useUiState(({ controls }) => controls.passing);
  const key = useTalkKeyName();
  const [button] = useState(() => new HeldButton(window, (event) => void actions.talkKey(event)));
  if (talking === 'open') return null;
  return (
    <button
      type="button"
      className="talk-button"
      data-on={isTransmitting}
      title={key}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        button.press(event.pointerId);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        button.press();
      }}
      onBlur={() => button.end('lost')}
    >
      <Mic aria-hidden />
      {isTransmitting
        ? t('talk.talkKey.heard')
        : t(talking === 'tap' ? 'talk.talkKey.tap' : 'talk.talkKey.hold')}
    </button>
  );
}
