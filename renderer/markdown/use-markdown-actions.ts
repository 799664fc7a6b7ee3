import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions } from '../app/use-app-context.ts';
import { copyText } from '../design/copy-text.ts';
import type { MarkdownActions } from './inline-views.tsx';

export function useMarkdownActions(): MarkdownActions {
  const { t } = useTranslation();
  const { chat } = useActions();
  return useMemo(
    () => ({
      openLink: (address) => {
        // The desktop window blocks navigation and hands the address to the system.
        window.open(address, '_blank', 'noopener,noreferrer');
      },
      copyCode: (text) => {
        if (!copyText(text)) chat.note({ kind: 'notCopied' });
      },
      labels: {
        copy: t('buttons.copy'),
        copied: t('chat.actions.copied'),
        picture: t('chat.media.linked'),
      },
    }),
    [t, chat],
  );
}
