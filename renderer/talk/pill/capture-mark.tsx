import { Camera, MonitorUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useUiState } from '../../store/use-app-context.ts';

/** That the model sees something at the moment, and what; wherever a talk is shown and whichever window it is opened in. */
export function CaptureMark() {
  const { t } = useTranslation();
  const capture = useUiState(({ talkCapture }) => talkCapture);
  const frozen = useUiState(({ frozen }) => frozen);
  if (capture === 'nothing') return null;
  const Icon = capture === 'camera' ? Camera : MonitorUp;
  return (
    <span className="capture-mark" data-frozen={frozen}>
      <Icon strokeWidth={1.75} aria-hidden />
      <span>{t(`aroundTalk.capture.${capture}`)}</span>
    </span>
  );
}
