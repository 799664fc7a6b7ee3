import { Camera, CameraOff, MonitorUp, MonitorX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../design/icon-button.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';

/** What Parley sees: the camera, or what is shared; never both. */
export function CaptureButtons() {
  return (
    <>
      <CameraButton />
      <ShareButton />
    </>
  );
}

function CameraButton() {
  const { t } = useTranslation();
  const { setCapture, showCamera } = useActions();
  const usable = useCapturable();
  const isSource = useUiState(({ visionUi }) => visionUi.source.kind === 'camera');
  const on = useUiState(({ capture }) => capture.state !== 'off') && isSource;
  const camera = useUiState(({ settings }) => settings?.vision.camera ?? '');
  return (
    <IconButton
      labelled
      icon={on ? Camera : CameraOff}
      label={t('talk.camera')}
      hint={usable ? undefined : t('talk.cameraNeedsStart')}
      aria-disabled={!usable}
      pressed={on}
      onClick={() => {
        if (usable) void (isSource ? setCapture(!on) : showCamera(camera));
      }}
    />
  );
}

function ShareButton() {
  const { t } = useTranslation();
  const { setCapture, pick } = useActions();
  const usable = useCapturable();
  const on = useUiState(
    ({ capture, visionUi }) => capture.state !== 'off' && visionUi.source.kind !== 'camera',
  );
  return (
    <IconButton
      labelled
      icon={on ? MonitorX : MonitorUp}
      label={t('talk.share')}
      hint={usable ? undefined : t('talk.cameraNeedsStart')}
      aria-disabled={!usable}
      pressed={on}
      onClick={() => {
        if (usable) void (on ? setCapture(false) : pick('screen'));
      }}
    />
  );
}

/** A talk that began without pictures has none. */
function useCapturable(): boolean {
  return useUiState(({ facts }) => facts?.mode === 'video');
}
