import { useTranslation } from 'react-i18next';
import { TitleField } from '../../parts/title-field.tsx';
import { useActions } from '../../store/use-app-context.ts';

interface Props {
  readonly id: string;
  readonly title: string;
  readonly end: () => void;
}

/** A conversation of the side list that is being renamed in its place. */
export function HistoryRename({ id, title, end }: Props) {
  const { t } = useTranslation();
  const { chat } = useActions();
  return (
    <li className="history-row">
      <TitleField
        label={t('chat.list.newName')}
        title={title}
        rename={(name) => void chat.rename(id, name)}
        end={end}
      />
    </li>
  );
}
