import { PhoneOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useWindowKeySign } from '../../keys/use-window-key-sign.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { useActions } from '../../store/use-app-context.ts';

/** Ends the talk: the one control in its colour. */
export function EndButton() {
  const { t } = useTranslation();
  const { end } = useActions();
  const endKey = useWindowKeySign('end');
  return (
    <IconButton
      labelled
      icon={PhoneOff}
      label={t('talk.end')}
      hint={endKey}
      data-end
      onClick={() => void end()}
    />
  );
}
