import { Fragment, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StoredData, StoredDataKind } from '../../../shared/privacy/stored-data.ts';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { PickerSetting, SwitchSetting } from '../controls/setting-controls.tsx';
import { Setting } from '../controls/setting.tsx';
import { useSettingsGroup } from '../controls/use-settings-group.ts';

/** What is stored, where and for how long; and how it is deleted. */
export function PrivacySection() {
  const { t } = useTranslation();
  const { keepChats, keepTapes, days } = useSettingsGroup('privacy');
  const choices = t('settings.privacy.days', { returnObjects: true });
  return (
    <>
      <h1>{t('settings.sections.privacy')}</h1>
      <SwitchSetting
        at="privacy.keepChats"
        value={keepChats}
        patch={(keepChats) => ({ privacy: { keepChats } })}
      />
      <SwitchSetting
        at="privacy.keepTapes"
        value={keepTapes}
        patch={(keepTapes) => ({ privacy: { keepTapes } })}
      />
      <PickerSetting
        at="privacy.days"
        value={String(days)}
        choices={choices}
        otherwise={t('settings.privacy.otherDays', { days })}
        patch={(value) => ({
          privacy: { days: value === 'forever' ? value : Number(value) },
        })}
      />
      <StoredDataList />
    </>
  );
}

function StoredDataList() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const stored = useUiState(({ settingsUi }) => settingsUi.storedData);
  const busy = useUiState(({ settingsUi }) => settingsUi.busy.includes('storedData'));
  const [asked, setAsked] = useState<StoredDataKind | 'all'>();
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
            more={t('settings.privacy.askText')}
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

const units = ['B', 'KB', 'MB', 'GB'] as const;

/** Bytes as people read them. */
function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  const digits = size < 10 && unit > 0 ? 1 : 0;
  return `${size.toFixed(digits)} ${units[unit] ?? ''}`;
}
