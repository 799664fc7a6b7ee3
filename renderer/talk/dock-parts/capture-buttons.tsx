import { Camera, MonitorUp } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { Panel } from '../../design/panel.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';

/** What Parley sees: the camera, or what is shared; never both. A talk that began without pictures has none. */
export function CaptureButtons() {
  const usable = useUiState(({ facts }) => facts?.mode === 'video');
  return usable ? (
    <>
      <CameraButton />
      <ShareButton />
    </>
  ) : (
    <>
      <CameraFromNowOn />
      <ShareFromNowOn />
    </>
  );
}

function CameraButton() {
  const { t } = useTranslation();
  const { setCapture, showCamera } = useActions();
  const isSource = useUiState(({ visionUi }) => visionUi.source.kind === 'camera');
  const on = useUiState(({ capture }) => capture.state !== 'off') && isSource;
  const camera = useUiState(({ settings }) => settings?.vision.camera ?? '');
  return (
    <IconButton
      labelled
      icon={Camera}
      label={t('talk.camera')}
      pressed={on}
      onClick={() => void (isSource ? setCapture(!on) : showCamera(camera))}
    />
  );
}

function ShareButton() {
  const { t } = useTranslation();
  const { setCapture, pick } = useActions();
  const on = useUiState(
    ({ capture, visionUi }) => capture.state !== 'off' && visionUi.source.kind !== 'camera',
  );
  return (
    <IconButton
      labelled
      icon={MonitorUp}
      label={t('talk.share')}
      pressed={on}
      onClick={() => void (on ? setCapture(false) : pick('screen'))}
    />
  );
}

function CameraFromNowOn() {
  const { t } = useTranslation();
  const { startWithCamera } = useActions();
  return (
    <AnewWith
      name={t('talk.camera')}
      icon={Camera}
      start={t('talk.startSeeing')}
      run={() => void startWithCamera()}
    />
  );
}

function ShareFromNowOn() {
  const { t } = useTranslation();
  const { pick } = useActions();
  return (
    <AnewWith
      name={t('talk.share')}
      icon={MonitorUp}
      start={t('talk.startSharing')}
      run={() => void pick('screen', true)}
    />
  );
}

interface AnewProps {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly start: string;
  readonly run: () => void;
}

/** Says why it is not just switched on, and the way to it. */
function AnewWith({ name, icon: Icon, start, run }: AnewProps) {
  const { t } = useTranslation();
  return (
    <Panel
      name={name}
      side="top"
      trigger={
        <button type="button" className="icon-button">
          <Icon strokeWidth={1.75} aria-hidden />
          <span className="label">{name}</span>
        </button>
      }
    >
      <div className="dock-anew">
        <p>{t('talk.cameraNeedsStart')}</p>
        <Popover.Close asChild>
          <Button kind="strong" onClick={run}>
            {start}
          </Button>
        </Popover.Close>
      </div>
    </Panel>
  );
}
