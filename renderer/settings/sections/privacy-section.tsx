import { Fragment, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { StoredData, StoredDataKind } from '../../../shared/app/program.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/sheet.tsx';
import { formatBytes } from '../../i18n/error-text.ts';
import { ChoiceSetting, PickerSetting, Setting, SwitchSetting } from '../controls/setting.tsx';
import { useSettingsGroup } from '../controls/use-settings.ts';

export function PrivacySection() {
  const { t } = useTranslation();
  const { keepTalks } = useSettingsGroup('privacy');
  return (
    <>
      <h1>{t('settings.sections.privacy')}</h1>
      <ChoiceSetting at="privacy.keepTalks" />
      {keepTalks !== 'no' && <DaysSetting of="talkDays" />}
      <PickerSetting at="privacy.ownWords" />
      <SwitchSetting at="privacy.keepTapes" />
      <SwitchSetting at="privacy.holdRecent" />
      <DaysSetting of="tapeDays" />
      <SwitchSetting at="privacy.keepChats" />
      <DaysSetting of="days" />
      <StoredDataList />
    </>
  );
}

function DaysSetting({ of }: { readonly of: 'days' | 'talkDays' | 'tapeDays' }) {
  const { t } = useTranslation();
  const days = useSettingsGroup('privacy')[of];
  return (
    <PickerSetting
      at={`privacy.${of}`}
      value={String(days)}
      choices={t('settings.privacy.days', { returnObjects: true })}
      fallback={t('settings.privacy.otherDays', { days })}
      patch={(value) => ({ privacy: { [of]: value === 'forever' ? value : Number(value) } })}
    />
  );
}

function StoredDataList() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const stored = useUiState(({ settingsUi }) => settingsUi.storedData);
  const busy = useUiState(({ settingsUi }) => settingsUi.busy.includes('storedData'));
  const asked = useUiState(({ settingsUi }) => settingsUi.deletionToConfirm);
  const setAsked = setup.askForDeletion;
  useEffect(() => void setup.readStoredData(), [setup]);
  const nothing = stored?.every(({ count }) => count === 0) ?? true;
  return (
    <Setting at="privacy.kept" field="storedData" wide>
      {() => (
        <>
          <ul className="stored-data">
            {stored?.map((each) => (
              <StoredDataRow key={each.kind} stored={each} busy={busy} remove={setAsked} />
            ))}
          </ul>
          <Button kind="danger" disabled={nothing || busy} onClick={() => setAsked('all')}>
            {t('settings.privacy.deleteAll')}
          </Button>
          <Confirm
            open={asked !== undefined}
            question={
              asked === undefined || asked === 'all'
                ? t('settings.privacy.askAll')
                : t('settings.privacy.ask', { kind: t(`settings.privacy.kinds.${asked}`) })
            }
            more={t(asked === 'all' ? 'settings.privacy.askAllText' : 'settings.privacy.askText')}
            yes={t('settings.privacy.yes')}
            no={t('buttons.cancel')}
            close={() => setAsked(undefined)}
            run={() => {
              if (asked !== undefined) void setup.deleteStoredData(asked);
            }}
          />
        </>
      )}
    </Setting>
  );
}

interface StoredDataRowProps {
  readonly stored: StoredData;
  readonly busy: boolean;
  readonly remove: (kind: StoredDataKind) => void;
}

function StoredDataRow({
  stored: { kind, place, count, bytes },
  busy,
  remove,
}: StoredDataRowProps) {
  const { t } = useTranslation();
  const called = t(`settings.privacy.kinds.${kind}`);
  return (
    <li className="stored-data-row">
      <span className="row-name">{called}</span>
      <span className="stored-data-amount">
        {count === 0
          ? t('settings.privacy.nothing')
          : t('settings.privacy.amount', { count, size: formatBytes(bytes) })}
      </span>
      <code className="stored-data-place" dir="ltr">
        {/* Line breaks only after a path separator. */}
        {[...place.matchAll(/[^/\\]*[/\\]|[^/\\]+/gu)].map(({ 0: part, index }) => (
          <Fragment key={index}>
            {part}
            <wbr />
          </Fragment>
        ))}
      </code>
      <Button
        aria-label={t('settings.privacy.deleteKind', { kind: called })}
        disabled={count === 0 || busy}
        onClick={() => remove(kind)}
      >
        {t('buttons.delete')}
      </Button>
    </li>
  );
}
