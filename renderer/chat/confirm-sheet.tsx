import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Sheet } from '../design/sheet.tsx';

interface Props {
  readonly title: string;
  readonly text: string;
  readonly setOpen: (open: boolean) => void;
  readonly remove: () => void;
}

/** Asks once before something is gone for good. The way back has the keyboard first. */
export function ConfirmSheet({ title, text, setOpen, remove }: Props) {
  const { t } = useTranslation();
  const close = (): void => {
    setOpen(false);
  };
  return (
    <Sheet name={title} open setOpen={setOpen}>
      <div className="confirm">
        <p className="confirm-title" dir="auto">
          {title}
        </p>
        <p>{text}</p>
        <div className="confirm-doings">
          <Button onClick={close}>{t('chat.removing.no')}</Button>
          <Button
            kind="strong"
            onClick={() => {
              close();
              remove();
            }}
          >
            {t('chat.removing.yes')}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}
