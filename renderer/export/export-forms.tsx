import type { TFunction } from 'i18next';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { takesFfmpeg } from '../../shared/export/export-form.ts';
import type { ExportForm } from '../../shared/export/export-form.ts';
import type { ExportOffer } from '../../shared/export/export-origin.ts';
import { useActions } from '../store/use-app-context.ts';

const groups = [
  { name: 'words', forms: ['md', 'txt', 'json'] },
  { name: 'captions', forms: ['vtt', 'srt'] },
  { name: 'sound', forms: ['wav', 'flac'] },
  { name: 'whole', forms: ['mp4', 'zip', 'parleytape'] },
] as const satisfies readonly { readonly name: string; readonly forms: readonly ExportForm[] }[];

interface Props {
  readonly offer: ExportOffer;
  readonly chosen: ExportForm;
}

/** One of all that can be made of it. */
export function ExportForms({ offer, chosen }: Props) {
  const { t } = useTranslation();
  const name = useId();
  const offered = groups
    .map(({ name, forms }) => ({ name, forms: forms.filter((form) => offer.forms.includes(form)) }))
    .filter(({ forms }) => forms.length > 0);
  return (
    <div className="export-forms" role="radiogroup" aria-label={t('export.forms')}>
      {offered.map((group) => (
        <div key={group.name} className="export-group">
          <h3>{t(`export.groups.${group.name}`)}</h3>
          {group.forms.map((form) => (
            <Choice key={form} name={name} form={form} chosen={form === chosen} offer={offer} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Of a written conversation there is no sound or video above, and its pictures are in the zip alone. */
function hintOf(t: TFunction, form: ExportForm, { forms }: ExportOffer): string {
  const ofChat = form === 'zip' && !forms.includes('vtt');
  return t(ofChat ? 'export.chatZipHint' : `export.kinds.${form}.hint`);
}

interface ChoiceProps {
  readonly name: string;
  readonly form: ExportForm;
  readonly chosen: boolean;
  readonly offer: ExportOffer;
}

function Choice({ name, form, chosen, offer }: ChoiceProps) {
  const { t } = useTranslation();
  const { exporting } = useActions();
  const id = useId();
  const missing = takesFfmpeg(form) && !offer.ffmpeg;
  return (
    <label className="export-form" data-off={missing}>
      <input
        type="radio"
        name={name}
        checked={chosen && !missing}
        disabled={missing}
        aria-describedby={id}
        onChange={() => {
          exporting.choose(form);
        }}
      />
      <span>
        <span className="export-form-name">{t(`export.kinds.${form}.name`)}</span>
        <span className="export-form-hint" id={id}>
          {missing ? t('export.ffmpeg') : hintOf(t, form, offer)}
        </span>
      </span>
    </label>
  );
}
