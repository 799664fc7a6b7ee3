import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { PresetId } from '../../shared/settings/preset.ts';
import { isTalkOver } from '../../shared/talk/talk-view.ts';
import { Button } from '../design/controls.tsx';
import { Sheet } from '../design/layers.tsx';
import { Fact } from '../design/row.tsx';
import { errorText, serverName } from '../i18n/format.ts';
import { useActions, useUiState } from './app-context.ts';
import '../design/layers.css';

/** Asks the user to confirm what a link proposes; a link alone does nothing. */
export function StartLinkSheet() {
  const { t } = useTranslation();
  const { readLink, dismissLink } = useActions();
  const link = useUiState(({ openedLink }) => openedLink);
  useEffect(() => void readLink(), [readLink]);
  const name = t(link?.kind === 'refused' ? 'startLink.refused' : 'startLink.question');
  return (
    <Sheet name={name} open={link !== undefined} onClose={() => void dismissLink()}>
      <div className="confirm-sheet">
        {link?.kind === 'start' && (
          <p className="confirm-question" aria-hidden>
            {name}
          </p>
        )}
        {link?.kind === 'start' && <Proposal preset={link.preset} />}
        {link?.kind === 'refused' && <Refusal error={link.error} />}
      </div>
    </Sheet>
  );
}

function Proposal({ preset }: { readonly preset: PresetId | undefined }) {
  const { t } = useTranslation();
  const { dismissLink, start, changeSettings, go } = useActions();
  const settings = useUiState(({ settings }) => settings);
  const isTalking = useUiState(({ talkState }) => !isTalkOver(talkState.value.phase));
  const role = preset ?? settings?.assistant.preset;
  const server = settings?.endpoints.list.find(({ id }) => id === settings.endpoints.chosen);
  const begin = async (): Promise<void> => {
    await dismissLink();
    if (preset !== undefined) await changeSettings({ assistant: { preset } });
    go('talk');
    await start('audio');
  };
  return (
    <>
      <p>{t('startLink.why')}</p>
      <dl>
        {role !== undefined && (
          <Fact
            name={t('settings.rows.assistant.preset.name')}
            value={role === 'own' ? t('settings.assistant.own') : t(`presets.${role}.title`)}
          />
        )}
        {server !== undefined && (
          <Fact name={t('startLink.server')} value={serverName(t, server.name)} />
        )}
      </dl>
      {isTalking && <p>{t('startLink.busy')}</p>}
      <div className="confirm-buttons button-row">
        <Button onClick={() => void dismissLink()}>{t('startLink.no')}</Button>
        {!isTalking && (
          <Button kind="strong" onClick={() => void begin()}>
            {t('talk.start')}
          </Button>
        )}
      </div>
    </>
  );
}

function Refusal({ error }: { readonly error: AppError }) {
  const { t } = useTranslation();
  const { dismissLink } = useActions();
  return (
    <>
      <p>{errorText(t, error)}</p>
      <div className="confirm-buttons button-row">
        <Button onClick={() => void dismissLink()}>{t('buttons.close')}</Button>
      </div>
    </>
  );
}
