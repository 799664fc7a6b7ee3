import { useTranslation } from 'react-i18next';
import { Confirm } from '../../design/sheets/confirm.tsx';
import { useActions } from '../../store/use-app-context.ts';

interface Props {
  readonly turn: string;
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
}

export function ConfirmRemoveTurn({ turn, open, setOpen }: Props) {
  const { t } = useTranslation();
  const { chat } = useActions();
  if (!open) return null;
  return (
    <Confirm
      open
      question={t('chat.removing.turn')}
      more={t('chat.removing.turnText')}
      yes={t('chat.removing.yes')}
      no={t('chat.removing.no')}
      close={() => {
        setOpen(false);
      }}
      run={() => void chat.removeTurn(turn)}
    />
  );
}
