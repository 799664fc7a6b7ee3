import { Fragment, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { StoredData, StoredDataKind } from '../../../shared/app/program.ts';
import type { PageSettingsPatch } from '../../../shared/settings/redacted-settings.ts';
import type { PrivacySettings } from '../../../shared/settings/settings-groups.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/sheet.tsx';
import { formatBytes } from '../../i18n/error-text.ts';
import { ChoiceSetting, PickerSetting, Setting, SwitchSetting } from '../controls/setting.tsx';
import { useSettingsGroup } from '../controls/use-settings.ts';

/** What is stored, where and for how long; and how it is deleted. */
export function PrivacySection() {
  const { t } = useTranslation();
  const {
    keepChats,
    keepTalks,
    keepTapes,
    tapeSound,
    holdRecent,
    ownWords,
    days,
    talkDays,
    tapeDays,
  } = useSettingsGroup('privacy');
  return (
    <>
      <h1>{t('settings.sections.privacy')}</h1>
      <ChoiceSetting
        at="privacy.keepTalks"
        value={keepTalks}
        choices={t('settings.privacy.keepTalks', { returnObjects: true })}
        patch={(keepTalks) => ({ privacy: { keepTalks } })}
      />
      {keepTalks !== 'no' && (
        <DaysSetting
          at="privacy.talkDays"
          days={talkDays}
          patch={(talkDays) => ({ privacy: { talkDays } })}
        />
      )}
      <PickerSetting
        at="privacy.ownWords"
        value={ownWords}
        choices={t('settings.privacy.ownWords', { returnObjects: true })}
        patch={(ownWords) => ({ privacy: { ownWords } })}
      />
      <SwitchSetting
        at="privacy.keepTapes"
        value={keepTapes}
        patch={(keepTapes) => ({ privacy: { keepTapes } })}
      />
      <ChoiceSetting
        wide
        at="privacy.tapeSound"
        value={tapeSound}
        choices={t('settings.privacy.tapeSound', { returnObjects: true })}
        patch={(tapeSound) => ({ privacy: { tapeSound } })}
      />
      <SwitchSetting
        at="privacy.holdRecent"
        value={holdRecent}
        patch={(holdRecent) => ({ privacy: { holdRecent } })}
      />
      <DaysSetting
        at="privacy.tapeDays"
        days={tapeDays}
        patch={(tapeDays) => ({ privacy: { tapeDays } })}
      />
      <SwitchSetting
        at="privacy.keepChats"
        value={keepChats}
        patch={(keepChats) => ({ privacy: { keepChats } })}
      />
      <DaysSetting at="privacy.days" days={days} patch={(days) => ({ privacy: { days } })} />
      <StoredDataList />
    </>
  );
}

interface DaysProps {
  readonly at: 'privacy.days' | 'privacy.talkDays' | 'privacy.tapeDays';
  readonly days: PrivacySettings['days'];
  readonly patch: (days: PrivacySettings['days']) => PageSettingsPatch;
}

/** For how long something is kept. */
function DaysSetting({ at, days, patch }: DaysProps) {
  const { t } = useTranslation();
  return (
    <PickerSetting
      at={at}
      value={String(days)}
      choices={t('settings.privacy.days', { returnObjects: true })}
      otherwise={t('settings.privacy.otherDays', { days })}
      patch={(value) => patch(value === 'forever' ? value : Number(value))}
    />
  );
}

function StoredDataList() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const stored = useUiState(({ settingsUi }) => settingsUi.storedData);
  const busy = useUiState(({ settingsUi }) => settingsUi.busy.includes('storedData'));
  const asked = useUiState(({ settingsUi }) => settingsUi.deletionAsked);
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
          <Button
            kind="danger"
            disabled={nothing || busy}
            onClick={() => {
              setAsked('all');
            }}
          >
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
            no={t('settings.privacy.no')}
            close={() => {
              setAsked(undefined);
            }}
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
        {/* Broken after a folder's name, and not within one. */}
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
        onClick={() => {
          remove(kind);
        }}
      >
        {t('settings.privacy.delete')}
      </Button>
    </li>
  );
}
