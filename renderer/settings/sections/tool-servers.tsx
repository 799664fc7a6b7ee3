import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ToolServerView } from '../../../shared/tools/tool-server.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button } from '../../design/button.tsx';
import { Switch } from '../../design/fields.tsx';
import { errorText } from '../../i18n/error-text.ts';
import { FoundServerList } from './found-server-list.tsx';
import { Setting } from '../controls/setting.tsx';

/** The tool servers that the user added, each with its tools. */
export function ServerList() {
  const { t } = useTranslation();
  const servers = useUiState(({ toolsView }) => toolsView.servers);
  return (
    <Setting at="tools.servers" wide>
      {() =>
        servers.length === 0 ? (
          <p className="settings-quiet">{t('tools.list.noServers')}</p>
        ) : (
          <ul className="tool-rows">
            {servers.map((server) => (
              <ServerRow key={server.id} server={server} />
            ))}
          </ul>
        )
      }
    </Setting>
  );
}

function ServerRow({ server }: { readonly server: ToolServerView }) {
  const { t } = useTranslation();
  const { tools } = useActions();
  const { id, name, place, state, error } = server;
  return (
    <li className="tool-server">
      <div className="tool-server-head">
        <span className="tool-row-name" dir="auto">
          {name}
        </span>
        <span className="row-hint">{t(`tools.list.states.${state}`)}</span>
        <Button
          aria-label={t('tools.list.lookAt', { name })}
          disabled={state === 'starting'}
          onClick={() => void tools.lookAtServer(id)}
        >
          {t('tools.list.look')}
        </Button>
        <Button
          aria-label={t('tools.list.remove', { name })}
          onClick={() => void tools.removeServer(id)}
        >
          {t('tools.list.removeShort')}
        </Button>
      </div>
      <code className="tool-server-place" dir="ltr">
        {place}
      </code>
      {error !== undefined && (
        <p className="row-problem" dir="auto">
          {errorText(t, error)}
        </p>
      )}
      <ServerTools server={server} />
    </li>
  );
}

function ServerTools({ server: { id, name, tools: listed } }: { readonly server: ToolServerView }) {
  const { t } = useTranslation();
  const { tools } = useActions();
  if (listed.length === 0) return <p className="row-hint">{t('tools.list.noTools')}</p>;
  return (
    <ul className="tool-rows" aria-label={name}>
      {listed.map((tool) => (
        <li key={tool.name}>
          <span className="tool-row-name">
            <span dir="auto">{tool.name}</span>
            <span className="row-hint" dir="auto">
              {tool.description}
            </span>
          </span>
          {tool.isRisky && <span className="row-hint">{t('tools.list.risky')}</span>}
          <Switch
            aria-label={tool.name}
            on={tool.isOn}
            setOn={(isOn) => void tools.switchTool(id, tool.name, isOn)}
          />
        </li>
      ))}
    </ul>
  );
}

/** Adds servers as text, or from the file of another assistant. */
export function AddServers() {
  const { t } = useTranslation();
  const { tools } = useActions();
  const [text, setText] = useState('');
  const add = async (): Promise<void> => {
    if (await tools.addServers(text)) setText('');
  };
  return (
    <Setting at="tools.addServers" wide>
      {(aria) => (
        <>
          <textarea
            {...aria}
            className="text-field further-fields"
            dir="ltr"
            rows={5}
            maxLength={100_000}
            spellCheck={false}
            placeholder={
              '{ "mcpServers": { "notes": { "command": "npx", "args": ["notes-mcp"] } } }'
            }
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <div className="button-row">
            <Button disabled={text.trim() === ''} onClick={() => void add()}>
              {t('tools.list.add')}
            </Button>
            <Button onClick={() => void tools.importServers()}>{t('tools.list.import')}</Button>
            <Button onClick={() => void tools.findServers()}>{t('tools.list.find')}</Button>
          </div>
          <FoundServerList />
        </>
      )}
    </Setting>
  );
}
