import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundServer, FoundServerFile } from '../../../shared/tools/found-servers.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button } from '../../design/button.tsx';
import { errorText } from '../../i18n/error-text.ts';

/** The servers in the files of other programs, of which the user ticks some. */
export function FoundServerList() {
  const { t } = useTranslation();
  const { tools } = useActions();
  const files = useUiState(({ foundServers }) => foundServers);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  if (files === undefined) return null;
  if (files.length === 0)
    return (
      <p className="settings-quiet" role="status">
        {t('tools.list.found.none')}
      </p>
    );
  const tick = (id: string, isTicked: boolean): void => {
    const others = [...ticked].filter((other) => other !== id);
    setTicked(new Set(isTicked ? [...others, id] : others));
  };
  const listed = new Set(files.flatMap(({ servers }) => servers.map(({ id }) => id)));
  const chosen = [...ticked].filter((id) => listed.has(id));
  const add = async (): Promise<void> => {
    if (await tools.addFound(chosen)) setTicked(new Set());
  };
  return (
    <section className="found-servers" aria-label={t('tools.list.found.title')}>
      {files.map((file) => (
        <FoundFile key={file.path} file={file} ticked={ticked} tick={tick} />
      ))}
      <Button disabled={chosen.length === 0} onClick={() => void add()}>
        {t('tools.list.found.add')}
      </Button>
    </section>
  );
}

interface FileProps {
  readonly file: FoundServerFile;
  readonly ticked: ReadonlySet<string>;
  readonly tick: (id: string, isTicked: boolean) => void;
}

function FoundFile({ file: { program, path, servers, problem }, ticked, tick }: FileProps) {
  const { t } = useTranslation();
  return (
    <>
      <p className="row-hint" dir="auto">
        {t('tools.list.found.file', { program, path })}
      </p>
      {problem !== undefined && (
        <p className="row-problem" dir="auto">
          {errorText(t, problem)}
        </p>
      )}
      <ul className="tool-rows">
        {servers.map((server) => (
          <li key={server.id}>
            <FoundServerRow server={server} isTicked={ticked.has(server.id)} tick={tick} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface RowProps {
  readonly server: FoundServer;
  readonly isTicked: boolean;
  readonly tick: FileProps['tick'];
}

function FoundServerRow({ server, isTicked, tick }: RowProps) {
  const { t, i18n } = useTranslation();
  const { id, name, place, variables, problem, isKnown = false } = server;
  const names = new Intl.ListFormat(i18n.language, { type: 'unit' }).format(variables);
  return (
    <label className="found-server">
      <input
        type="checkbox"
        checked={isTicked}
        disabled={isKnown || problem !== undefined}
        onChange={({ target }) => tick(id, target.checked)}
      />
      <span className="tool-row-name">
        <span dir="auto">{name}</span>
        {place !== '' && (
          <code className="tool-server-place" dir="ltr">
            {place}
          </code>
        )}
        {variables.length > 0 && (
          <span className="row-hint" dir="auto">
            {t('tools.list.found.variables', { names })}
          </span>
        )}
        {problem !== undefined && (
          <span className="row-problem" dir="auto">
            {errorText(t, problem)}
          </span>
        )}
      </span>
      {isKnown && <span className="row-hint">{t('tools.list.found.known')}</span>}
    </label>
  );
}
