import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { errorText } from '../parts/error-text.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';

/** What could not be done, and where a folder is that cannot be shown here; most of the time nothing. */
export function HistoryNotes() {
  const { t } = useTranslation();
  const { history } = useActions();
  const problem = useUiState(({ history }) => history.problem);
  const folder = useUiState(({ history }) => history.folder);
  const said = problem === undefined ? undefined : errorText(t, problem);
  const note = said ?? (folder === undefined ? undefined : t('history.folderAt', { path: folder }));
  return (
    <div className="kept-notes" role="status">
      {note !== undefined && (
        <div className="kept-note" data-kind={problem === undefined ? 'plain' : 'bad'}>
          <p dir="auto">{note}</p>
          <IconButton icon={X} label={t('shell.dismiss')} onClick={history.dismiss} />
        </div>
      )}
    </div>
  );
}
