import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions } from '../../store/use-app-context.ts';
import { isSendKey } from '../composer/send-key.ts';

interface Props {
  readonly id: string;
  readonly title: string;
  readonly end: () => void;
}

/** A new name; Enter or going elsewhere takes it, Escape leaves the old one. */
export function HistoryRename({ id, title, end }: Props) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const [name, setName] = useState(title);
  const over = useRef(false);
  const finish = (take: boolean): void => {
    if (over.current) return;
    over.current = true;
    if (take && name.trim() !== '' && name !== title) void chat.rename(id, name);
    end();
  };
  return (
    <li className="history-row">
      <input
        ref={focusAll}
        className="history-name"
        type="text"
        aria-label={t('chat.list.newName')}
        dir="auto"
        maxLength={200}
        value={name}
        onChange={({ target }) => {
          setName(target.value);
        }}
        onBlur={() => {
          finish(true);
        }}
        onKeyDown={(event) => {
          if (isSendKey(event)) finish(true);
          if (event.key !== 'Escape') return;
          // The drawer around it stays.
          event.stopPropagation();
          finish(false);
        }}
      />
    </li>
  );
}

function focusAll(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
