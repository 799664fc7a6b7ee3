import { Dialog } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { CloseButton } from '../design/close-button.tsx';
import { useRestoreFocus } from '../design/use-restore-focus.ts';

interface Props {
  readonly url: string;
  readonly setOpen: (open: boolean) => void;
}

/** All of a picture, over everything; a click, Escape or the button puts it away. */
export function PictureView({ url, setOpen }: Props) {
  const { t } = useTranslation();
  const restoreFocus = useRestoreFocus();
  const close = (): void => {
    setOpen(false);
  };
  return (
    <Dialog.Root open onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Content
          className="picture-view"
          aria-describedby={undefined}
          onClick={close}
          {...restoreFocus}
        >
          <Dialog.Title className="only-heard">{t('chat.media.viewing')}</Dialog.Title>
          <img src={url} alt={t('chat.media.picture')} />
          <CloseButton label={t('shell.close')} onClick={close} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
