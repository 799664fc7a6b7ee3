import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryRef } from '../../../shared/history/history-item.ts';
import { Button } from '../../design/button.tsx';
import { Sheet } from '../../design/sheets/sheet.tsx';
import { Switch } from '../../design/switch.tsx';
import '../../design/sheets/confirm.css';
import { historyKey } from '../../store/history/history-ui-state.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { entryTitle, isTapeOnly } from './entry-title.ts';

interface Props {
  readonly list: readonly HistoryRef[];
  readonly close: () => void;
}

/** Asks once: what is deleted is gone. Of talks with a tape, whether that goes as well. */
export function RemoveSheet({ list, close }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const { history } = useActions();
  const entries = useUiState(({ history }) => history.listed?.entries);
  const opened = useUiState(({ history }) => history.opened?.talk);
  const [tapes, setTapes] = useState(true);
  const keys = new Set(list.map(historyKey));
  const items = entries?.flatMap(({ item }) => (keys.has(historyKey(item)) ? [item] : [])) ?? [];
  const [one] = items;
  const tapeOnly = items.length > 0 && items.every(isTapeOnly);
  const taped =
    items.some((item) => item.kind === 'talk' && item.tape) ||
    (opened?.tape === true && keys.has(`talk ${opened.id}`));
  const title = one === undefined ? (opened?.record.title ?? '') : entryTitle(one, t);
  const question =
    list.length === 1
      ? t('history.removing.one', { title })
      : t('history.removing.several', { count: list.length });
  return (
    <Sheet
      name={question}
      open
      setOpen={(next) => {
        if (!next) close();
      }}
    >
      <div className="confirm-sheet">
        <p className="confirm-question">{question}</p>
        <p>{t('history.removing.text')}</p>
        {taped && !tapeOnly && (
          <div className="kept-tapes">
            <label htmlFor={id}>{t('history.removing.tapes')}</label>
            <Switch id={id} on={tapes} setOn={setTapes} />
          </div>
        )}
        <div className="confirm-buttons">
          <Button onClick={close}>{t('history.removing.no')}</Button>
          <Button
            kind="danger"
            onClick={() => {
              close();
              void history.remove(list, taped && (tapes || tapeOnly));
            }}
          >
            {t('history.removing.yes')}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}
