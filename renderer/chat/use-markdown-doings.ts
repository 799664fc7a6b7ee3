import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewDoings } from '../markdown/view-context.ts';
import { copyText } from '../parts/copy-text.ts';
import { useActions } from '../store/use-desk.ts';

/** What the elements of an answer do. */
export function useMarkdownDoings(): ViewDoings {
  const { t } = useTranslation();
  const { chat } = useActions();
  return useMemo(
    () => ({
      openLink: (address) => {
        // The window of the desktop opens none, and hands the address to the system instead.
        window.open(address, '_blank', 'noopener,noreferrer');
      },
      copyCode: (text) => {
        if (!copyText(text)) chat.note({ kind: 'notCopied' });
      },
      words: {
        copy: t('chat.doings.copyCode'),
        copied: t('chat.doings.copied'),
        picture: t('chat.media.linked'),
      },
    }),
    [t, chat],
  );
}
