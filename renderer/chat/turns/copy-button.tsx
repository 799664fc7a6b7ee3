import { Check, Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../design/icon-button.tsx';
import { useCopy } from './use-copy.ts';

export function CopyButton({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy();
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={t(copied ? 'chat.actions.copied' : 'chat.actions.copy')}
      onClick={() => {
        copy(text);
      }}
    />
  );
}
