import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './button.tsx';
import './note.css';

interface Props {
  readonly kind: 'plain' | 'warn' | 'bad';
  readonly children: ReactNode;
  readonly onDismiss?: () => void;
}

export function Note({ kind, children, onDismiss }: Props) {
  const { t } = useTranslation();
  return (
    <div className="note" data-kind={kind}>
      <p dir="auto">{children}</p>
      {onDismiss !== undefined && (
        <IconButton icon={X} label={t('shell.dismiss')} onClick={onDismiss} />
      )}
    </div>
  );
}
