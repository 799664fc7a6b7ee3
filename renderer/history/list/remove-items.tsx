import { FileX2, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MenuItem } from '../../design/menu.tsx';

interface Props {
  /** It has a recording, and more than that. */
  readonly taped: boolean;
  readonly remove: (recordings: 'too' | 'stay') => void;
}

/** Deletes all of it, or what can be read of it. */
export function RemoveItems({ taped, remove }: Props) {
  const { t } = useTranslation();
  return (
    <>
      {taped && (
        <MenuItem
          icon={FileX2}
          run={() => {
            remove('stay');
          }}
        >
          {t('history.actions.removeText')}
        </MenuItem>
      )}
      <MenuItem
        icon={Trash2}
        run={() => {
          remove('too');
        }}
      >
        {t('history.actions.remove')}
      </MenuItem>
    </>
  );
}
