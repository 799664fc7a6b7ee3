import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { useToolName } from '../../chat/turns/tool-call.tsx';
import { Button } from '../../design/button.tsx';
import { ServerList, AddServers } from './tool-servers.tsx';
import { Setting, SwitchSetting } from '../controls/setting.tsx';
import { useSettingsGroup } from '../controls/use-settings.ts';

/** Tools that answers in Chat and Quick ask may use. */
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
      {files && <SharedPlaces />}
      <SwitchSetting at="tools.history" />
      <SwitchSetting at="tools.talks" />
      {talks && <TalksHint />}
      <ServerList />
      <AddServers />
      <AlwaysAllowed />
    </>
  );
}

/** Without the user's own words, Parley does not know what they ask for. */
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

function SharedPlaces() {
  const { t } = useTranslation();
  const { tools } = useActions();
  const places = useUiState(({ toolsView }) => toolsView.places);
  return (
    <Setting at="tools.places" wide>
      {() => (
        <>
          <ToolRows
            empty={t('tools.list.noPlaces')}
            rows={places.map((path) => ({
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
        <li key={key}>
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
