import { useTranslation } from 'react-i18next';
import { CloseButton } from '../close-button.tsx';
import '../layers.css';

interface Props {
  readonly title: string;
  readonly close: () => void;
}

/** What a sheet is called, and the way out of it. */
export function SheetHeader({ title, close }: Props) {
  const { t } = useTranslation();
  return (
    <header className="sheet-head">
      <h2>{title}</h2>
      <CloseButton label={t('shell.close')} onClick={close} />
    </header>
  );
}
