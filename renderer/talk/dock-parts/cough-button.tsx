import { Wind } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PanelButton } from '../../design/panel-button.tsx';
import { useWindowKeySign } from '../../keys/use-window-key-sign.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';

/** Down is silent, up is heard again, by pointer and by key. */
export function CoughButton() {
  const { t } = useTranslation();
  const { setCoughMuted } = useActions();
  const held = useUiState(({ controls }) => controls.coughMuted);
  const key = useWindowKeySign('cough');
  const set = (muted: boolean) => (): void => {
    if (held !== muted) void setCoughMuted(muted);
  };
  return (
    <PanelButton
      icon={Wind}
      label={t('talk.cough')}
      keys={key}
      title={t('talk.coughHint')}
      data-held={held}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        void setCoughMuted(true);
      }}
      onLostPointerCapture={() => void setCoughMuted(false)}
      onKeyDown={({ key, repeat }) => {
        if (!repeat && (key === 'Enter' || key === ' ')) void setCoughMuted(true);
      }}
      onKeyUp={set(false)}
      onBlur={set(false)}
    />
  );
}
