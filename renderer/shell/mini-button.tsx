import { PictureInPicture2 } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { useActions, useUiState } from '../store/use-app-context.ts';

/** Opens the mini window, where the host has one. */
export function MiniButton() {
  const { t } = useTranslation();
  const { readWindows, showMini } = useActions();
  const windows = useUiState(({ windows }) => windows);
  useEffect(() => {
    void readWindows();
  }, [readWindows]);
  if (windows === undefined) return null;
  return (
    <span className="mini-open">
      <IconButton
        icon={PictureInPicture2}
        label={t('mini.open')}
        onClick={() => {
          void showMini();
        }}
      />
    </span>
  );
}
