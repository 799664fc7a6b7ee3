import { Fragment, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Kept, KeptKind } from '../../shared/privacy/kept.ts';
import { Button } from '../design/button.tsx';
import { Confirm } from '../design/confirm.tsx';
import { useActions, useView } from '../store/use-desk.ts';
import { PickerSetting, SwitchSetting } from './bound-settings.tsx';
import { Setting } from './setting.tsx';
import { sizeText } from './size-text.ts';
import { useGroup } from './use-group.ts';

/** What is kept, where and for how long; and its end. */
export function PrivacySection() {
  const { t } = useTranslation();
  const { keepChats, keepTapes, days } = useGroup('privacy');
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
      <KeptList />
    </>
  );
}

function KeptList() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const kept = useView(({ room }) => room.kept);
  const busy = useView(({ room }) => room.busy.includes('kept'));
  const [asked, setAsked] = useState<KeptKind | 'all'>();
  useEffect(() => void setup.readKept(), [setup]);
  const nothing = kept?.every(({ count }) => count === 0) ?? true;
  return (
    <Setting at="privacy.kept" field="kept" wide>
      {() => (
        <>
          <ul className="kept">
            {kept?.map((each) => (
              <KeptRow key={each.kind} kept={each} busy={busy} remove={setAsked} />
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
              if (asked !== undefined) void setup.deleteKept(asked);
            }}
          />
        </>
      )}
    </Setting>
  );
}

interface KeptRowProps {
  readonly kept: Kept;
  readonly busy: boolean;
  readonly remove: (kind: KeptKind) => void;
}

function KeptRow({ kept: { kind, place, count, bytes }, busy, remove }: KeptRowProps) {
  const { t } = useTranslation();
  const called = t(`settings.privacy.kinds.${kind}`);
  return (
    <li className="kept-row">
      <span className="row-name">{called}</span>
      <span className="kept-amount">
        {count === 0
          ? t('settings.privacy.nothing')
          : t('settings.privacy.amount', { count, size: sizeText(bytes) })}
      </span>
      <code className="kept-place" dir="ltr">
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
