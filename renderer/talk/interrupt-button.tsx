import { Hand } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { useWindowKeySign } from '../keys/use-window-key-sign.ts';
import { useActions } from '../store/use-app-context.ts';
import type { TalkActions } from './talk-actions.ts';

/** In the dock where there is room; behind More it is always. */
export function InterruptButton() {
  const { t } = useTranslation();
  const actions: TalkActions = useActions();
  const interruptKey = useWindowKeySign('interrupt');
  return (
    <IconButton
      labelled
      icon={Hand}
      label={t('talk.interrupt')}
      hint={interruptKey}
      data-roomy
      onClick={() => void actions.interrupt()}
    />
  );
}
