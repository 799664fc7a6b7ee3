import { useTranslation } from 'react-i18next';
import { useActions } from '../store/use-desk.ts';
import { ConfirmSheet } from './confirm-sheet.tsx';

interface Props {
  readonly turn: string;
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
}

export function RemoveTurn({ turn, open, setOpen }: Props) {
  const { t } = useTranslation();
  const { chat } = useActions();
  if (!open) return null;
  return (
    <ConfirmSheet
      title={t('chat.removing.turn')}
      text={t('chat.removing.turnText')}
      setOpen={setOpen}
      remove={() => void chat.removeTurn(turn)}
    />
  );
}
