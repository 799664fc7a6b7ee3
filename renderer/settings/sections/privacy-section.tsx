import { Fragment, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { StoredData, StoredDataKind } from '../../../shared/app/program.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { Button } from '../../design/controls.tsx';
import { Confirm } from '../../design/layers.tsx';
import { formatBytes } from '../../i18n/format.ts';
import {
  ChoiceSetting,
  PickerSetting,
  Setting,
  SwitchSetting,
  useIsBusy,
  useSettingsGroup,
} from '../controls/setting.tsx';

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
  const isBusy = useIsBusy('storedData');
  const pendingKind = useUiState(({ settingsUi }) => settingsUi.deletionToConfirm);
  const askForDeletion = setup.askForDeletion;
  useEffect(() => void setup.readStoredData(), [setup]);
  const isEmpty = stored?.every(({ count }) => count === 0) ?? true;
  return (
    <Setting at="privacy.kept" field="storedData" wide>
      {() => (
        <>
          <ul className="stored-data">
            {stored?.map((each) => (
              <StoredDataRow
                key={each.kind}
                stored={each}
                busy={isBusy}
                onRemove={askForDeletion}
              />
            ))}
          </ul>
          {/* A disabled button would lose the focus, which comes back to it from the question. */}
          <Button
            kind="danger"
            aria-disabled={isEmpty || isBusy}
            onClick={() => isEmpty || isBusy || askForDeletion('all')}
          >
            {t('settings.privacy.deleteAll')}
          </Button>
          <Confirm
            open={pendingKind !== undefined}
            question={
              pendingKind === undefined || pendingKind === 'all'
                ? t('settings.privacy.askAll')
                : t('settings.privacy.ask', { kind: t(`settings.privacy.kinds.${pendingKind}`) })
            }
            detail={t(
              pendingKind === 'all' ? 'settings.privacy.askAllText' : 'settings.privacy.askText',
            )}
            yes={t('settings.privacy.yes')}
            no={t('buttons.cancel')}
            onClose={() => askForDeletion(undefined)}
            onConfirm={() => {
              if (pendingKind !== undefined) void setup.deleteStoredData(pendingKind);
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
  readonly onRemove: (kind: StoredDataKind) => void;
}

function StoredDataRow({
  stored: { kind, place, count, bytes },
  busy,
  onRemove,
}: StoredDataRowProps) {
  const { t } = useTranslation();
  const name = t(`settings.privacy.kinds.${kind}`);
  return (
    <li className="stored-data-row">
      <span className="row-name">{name}</span>
      <span className="stored-data-amount">
        {count === 0
          ? t('settings.privacy.nothing')
          : t('settings.privacy.amount', { count, size: formatBytes(bytes) })}
      </span>
      <code className="stored-data-folder hint" dir="ltr">
        {/* Line breaks only after a path separator. */}
        {[...place.matchAll(/[^/\\]*[/\\]|[^/\\]+/gu)].map(({ 0: part, index }) => (
          <Fragment key={index}>
            {part}
            <wbr />
          </Fragment>
        ))}
      </code>
      <Button
        aria-label={t('settings.privacy.deleteKind', { kind: name })}
        aria-disabled={count === 0 || busy}
        onClick={() => count === 0 || busy || onRemove(kind)}
      >
        {t('buttons.delete')}
      </Button>
    </li>
  );
}
