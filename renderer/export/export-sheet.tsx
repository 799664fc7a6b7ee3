import type { TFunction } from 'i18next';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ExportFormat,
  type ExportOffer,
  hasVoices,
  takesFfmpeg,
} from '../../shared/recordings/export-format.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { Button, Switch } from '../design/controls.tsx';
import { Sheet, SheetHeader } from '../design/layers.tsx';
import { ProgressBar } from '../design/progress-bar.tsx';
import { errorText } from '../i18n/format.ts';
import { useLanguage } from '../i18n/page-language.ts';
import type { ExportUiState, ExportedStep } from './export-store.ts';
import { FolderButton, ExportedFile } from './exported-file.tsx';
import './export.css';

export function ExportSheet() {
  const { t } = useTranslation();
  const { exporting } = useActions();
  const sheet = useUiState(({ exporting }) => exporting);
  if (sheet === undefined) return null;
  const { step } = sheet;
  return (
    <Sheet name={t('export.name', { title: sheet.title })} open onClose={exporting.close}>
      <div className="sheet-page">
        <SheetHeader title={t('export.title')} onClose={exporting.close} />
        {step.kind === 'choosing' && <FormatStep sheet={sheet} />}
        {step.kind === 'working' && <ExportProgressBar title={sheet.title} step={step} />}
        {(step.kind === 'saved' || step.kind === 'downloaded') && (
          <ResultStep title={sheet.title} step={step} />
        )}
      </div>
    </Sheet>
  );
}

interface StepFrameProps {
  readonly title: string;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every step: the title of the talk or chat, and buttons below. */
function StepFrame({ title, foot, children }: StepFrameProps) {
  return (
    <>
      <div className="sheet-body export">
        <p className="sheet-subject" dir="auto">
          {title}
        </p>
        {children}
      </div>
      <footer className="sheet-foot">{foot}</footer>
    </>
  );
}

function FormatStep({ sheet }: { readonly sheet: ExportUiState }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { exporting } = useActions();
  const { title, offer, format, step } = sheet;
  const error = step.kind === 'choosing' ? step.error : undefined;
  const foot = (
    <>
      {error !== undefined && (
        <p className="sheet-problem" role="alert" dir="auto">
          {errorText(t, error)}
        </p>
      )}
      <Button onClick={exporting.close}>{t('buttons.cancel')}</Button>
      <Button
        kind="strong"
        disabled={offer === undefined}
        onClick={() => void exporting.save(language)}
      >
        {t('buttons.saveAs')}
      </Button>
    </>
  );
  return (
    <StepFrame title={title} foot={foot}>
      {offer === undefined && error === undefined && <p role="status">{t('export.looking')}</p>}
      {offer !== undefined && <ExportFormats offer={offer} chosen={format} />}
      {offer?.formats.includes('wav') === true && hasVoices(format) && (
        <ExportVoices mix={sheet.mix} />
      )}
    </StepFrame>
  );
}

function ResultStep({ title, step }: { readonly title: string; readonly step: ExportedStep }) {
  const { t } = useTranslation();
  const { exporting } = useActions();
  const foot = (
    <>
      <FolderButton step={step} onShow={exporting.showFolder} />
      <Button kind="strong" autoFocus onClick={exporting.close}>
        {t('buttons.done')}
      </Button>
    </>
  );
  return (
    <StepFrame title={title} foot={foot}>
      <ExportedFile step={step} />
    </StepFrame>
  );
}

const groups = [
  { name: 'words', formats: ['md', 'txt', 'json'] },
  { name: 'captions', formats: ['vtt', 'srt'] },
  { name: 'sound', formats: ['wav', 'flac'] },
  { name: 'whole', formats: ['mp4', 'zip', 'parleytape'] },
] as const satisfies readonly {
  readonly name: string;
  readonly formats: readonly ExportFormat[];
}[];

interface Props {
  readonly offer: ExportOffer;
  readonly chosen: ExportFormat;
}

function ExportFormats({ offer, chosen }: Props) {
  const { t } = useTranslation();
  const name = useId();
  const offered = groups
    .map(({ name, formats }) => ({
      name,
      formats: formats.filter((format) => offer.formats.includes(format)),
    }))
    .filter(({ formats }) => formats.length > 0);
  return (
    <div className="export-formats" role="radiogroup" aria-label={t('export.forms')}>
      {offered.map((group) => (
        <div key={group.name} className="export-group">
          <h3 className="sheet-heading hint">{t(`export.groups.${group.name}`)}</h3>
          {group.formats.map((format) => (
            <FormatOption
              key={format}
              name={name}
              format={format}
              chosen={format === chosen}
              offer={offer}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Only talks have captions, so an offer without them is a chat's. Its zip contains the chat's pictures. */
function formatHint(t: TFunction, format: ExportFormat, { formats }: ExportOffer): string {
  const isChatZip = format === 'zip' && !formats.includes('vtt');
  return t(isChatZip ? 'export.chatZipHint' : `export.kinds.${format}.hint`);
}

interface FormatOptionProps {
  readonly name: string;
  readonly format: ExportFormat;
  readonly chosen: boolean;
  readonly offer: ExportOffer;
}

function FormatOption({ name, format, chosen, offer }: FormatOptionProps) {
  const { t } = useTranslation();
  const { exporting } = useActions();
  const id = useId();
  const needsFfmpeg = takesFfmpeg(format) && !offer.ffmpeg;
  return (
    <label className="export-format radio-label" data-off={needsFfmpeg}>
      <input
        type="radio"
        name={name}
        checked={chosen && !needsFfmpeg}
        disabled={needsFfmpeg}
        aria-describedby={id}
        onChange={() => exporting.choose(format)}
      />
      <span>
        <span className="export-format-name">{t(`export.kinds.${format}.name`)}</span>
        <span className="export-format-hint hint" id={id}>
          {needsFfmpeg ? t('export.ffmpeg') : formatHint(t, format, offer)}
        </span>
      </span>
    </label>
  );
}

function ExportVoices({ mix }: { readonly mix: boolean }) {
  const { t } = useTranslation();
  const { exporting } = useActions();
  const id = useId();
  return (
    <div className="export-voices">
      <span>
        <label htmlFor={id}>{t('export.mix')}</label>
        <span id={`${id}-hint`} className="export-format-hint hint">
          {t('export.mixHint')}
        </span>
      </span>
      <Switch id={id} aria-describedby={`${id}-hint`} on={mix} onSwitch={exporting.setMix} />
    </div>
  );
}

interface ExportProgressBarProps {
  readonly title: string;
  readonly step: Extract<ExportUiState['step'], { readonly kind: 'working' }>;
}

function ExportProgressBar({ title, step: { fraction, stopping } }: ExportProgressBarProps) {
  const { t } = useTranslation();
  const { exporting } = useActions();
  const foot = (
    <Button disabled={stopping} onClick={() => void exporting.stop()}>
      {t('buttons.stop')}
    </Button>
  );
  return (
    <StepFrame title={title} foot={foot}>
      <p role="status">{t(stopping ? 'compare.stopping' : 'export.working')}</p>
      <ProgressBar label={t('export.working')} fraction={fraction} />
    </StepFrame>
  );
}
