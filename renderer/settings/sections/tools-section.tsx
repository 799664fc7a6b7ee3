import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundServer, FoundServerFile } from '../../../shared/tools/tools-view.ts';
import type { ToolServerView } from '../../../shared/tools/stored-tools.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { useToolName } from '../../chat/turns/tool-call.tsx';
import { Button, passFocusOn, Switch, TextArea } from '../../design/controls.tsx';
import { errorText } from '../../i18n/format.ts';
import { Setting, SwitchSetting, useSettingsGroup } from '../controls/setting.tsx';

/** Tools that answers in Chat, Quick ask and talks may use. */
export function ToolsSection() {
  const { t } = useTranslation();
  const { tools } = useActions();
  const { reminders, files, talks } = useSettingsGroup('tools');
  useEffect(() => void tools.read(), [tools]);
  return (
    <>
      <h1>{t('settings.sections.tools')}</h1>
      <SwitchSetting at="tools.clock" />
      <SwitchSetting at="tools.reminders" />
      {reminders && <ReminderList />}
      <SwitchSetting at="tools.files" />
      {files && <SharedPaths />}
      <SwitchSetting at="tools.history" />
      <SwitchSetting at="tools.talks" />
      {talks && <TalksHint />}
      <ServerList />
      <AddServers />
      <AlwaysAllowed />
    </>
  );
}

/** Without a transcript of the user's speech, Parley does not know what the user asks for. */
function TalksHint() {
  const { t } = useTranslation();
  const { ownWords } = useSettingsGroup('privacy');
  return (
    <p className="settings-quiet">
      {t(ownWords === 'whileTalking' ? 'tools.talks.limits' : 'tools.talks.needsWords')}
    </p>
  );
}

function ReminderList() {
  const { t, i18n } = useTranslation();
  const { tools } = useActions();
  const reminders = useUiState(({ toolsView }) => toolsView.reminders);
  const time = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Setting at="tools.reminderList" wide>
      {() => (
        <ToolRows
          empty={t('tools.list.noReminders')}
          rows={reminders.map(({ id, at, text }) => ({
            key: String(id),
            name: text,
            more: time.format(at),
            action: t('buttons.cancel'),
            label: t('tools.list.cancel', { text }),
            onClick: () => void tools.cancelReminder(id),
          }))}
        />
      )}
    </Setting>
  );
}

function SharedPaths() {
  const { t } = useTranslation();
  const { tools } = useActions();
  const paths = useUiState(({ toolsView }) => toolsView.sharedPaths);
  return (
    <Setting at="tools.places" wide>
      {() => (
        <>
          <ToolRows
            empty={t('tools.list.noPlaces')}
            rows={paths.map((path) => ({
              key: path,
              name: path,
              more: '',
              action: t('tools.list.unshareShort'),
              label: t('tools.list.unshare', { path }),
              onClick: () => void tools.unshare(path),
            }))}
          />
          <div className="button-row">
            <Button onClick={() => void tools.shareFile()}>{t('tools.list.shareFile')}</Button>
            <Button onClick={() => void tools.shareFolder()}>{t('tools.list.shareFolder')}</Button>
          </div>
        </>
      )}
    </Setting>
  );
}

function AlwaysAllowed() {
  const { t } = useTranslation();
  const { tools } = useActions();
  const nameOf = useToolName();
  const always = useUiState(({ toolsView }) => toolsView.always);
  return (
    <Setting at="tools.always" wide>
      {() => (
        <ToolRows
          empty={t('tools.list.noAlways')}
          rows={always.map((ref) => ({
            key: JSON.stringify(ref),
            name: nameOf(ref),
            more: ref.server,
            action: t('tools.list.askAgainShort'),
            label: t('tools.list.askAgain', { tool: nameOf(ref) }),
            onClick: () => void tools.askAgain(ref),
          }))}
        />
      )}
    </Setting>
  );
}

interface ToolRow {
  readonly key: string;
  readonly name: string;
  readonly more: string;
  readonly action: string;
  readonly label: string;
  readonly onClick: () => void;
}

interface ToolRowsProps {
  readonly rows: readonly ToolRow[];
  readonly empty: string;
}

function ToolRows({ rows, empty }: ToolRowsProps) {
  if (rows.length === 0) return <p className="settings-quiet">{empty}</p>;
  return (
    <ul className="tool-rows">
      {rows.map(({ key, name, more, action, label, onClick }) => (
        <li key={key} ref={passFocusOn}>
          <span className="tool-row-name" dir="auto">
            {name}
          </span>
          <span className="row-hint">{more}</span>
          <Button aria-label={label} onClick={onClick}>
            {action}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The tool servers that the user added, each with its tools. */
function ServerList() {
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
    <li ref={passFocusOn} className="tool-server">
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
      <code className="tool-server-address" dir="ltr">
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
            onSwitch={(isOn) => void tools.switchTool(id, tool.name, isOn)}
          />
        </li>
      ))}
    </ul>
  );
}

/** Adds servers as text, or from the file of another assistant. */
function AddServers() {
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
          <TextArea
            {...aria}
            className="further-fields"
            dir="ltr"
            rows={5}
            maxLength={100_000}
            spellCheck={false}
            placeholder={
              '{ "mcpServers": { "notes": { "command": "npx", "args": ["notes-mcp"] } } }'
            }
            value={text}
            onWrite={setText}
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

/** The servers that were found in the files of other programs. The user ticks some of them. */
function FoundServerList() {
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
        <FoundFile key={file.path} file={file} ticked={ticked} onTick={tick} />
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
  readonly onTick: (id: string, isTicked: boolean) => void;
}

function FoundFile({ file: { program, path, servers, problem }, ticked, onTick }: FileProps) {
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
            <FoundServerRow server={server} isTicked={ticked.has(server.id)} onTick={onTick} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface RowProps {
  readonly server: FoundServer;
  readonly isTicked: boolean;
  readonly onTick: FileProps['onTick'];
}

function FoundServerRow({ server, isTicked, onTick }: RowProps) {
  const { t, i18n } = useTranslation();
  const { id, name, place, variables, problem, isKnown = false } = server;
  const names = new Intl.ListFormat(i18n.language, { style: 'narrow' }).format(variables);
  return (
    <label className="found-server">
      <input
        type="checkbox"
        checked={isTicked}
        disabled={isKnown || problem !== undefined}
        onChange={({ target }) => onTick(id, target.checked)}
      />
      <span className="tool-row-name">
        <span dir="auto">{name}</span>
        {place !== '' && (
          <code className="tool-server-address" dir="ltr">
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
