import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { SheetHeader } from '../../design/sheets/sheet-header.tsx';
import { Sheet } from '../../design/sheets/sheet.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { ChoiceField, NumberField, SwitchField, TextField } from './option-fields.tsx';

interface Props {
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
}

/** How answers are made, each with what it means. */
export function OptionsSheet({ open, setOpen }: Props) {
  const { t } = useTranslation();
  return (
    <Sheet name={t('chat.options.name')} open={open} setOpen={setOpen}>
      <Options
        close={() => {
          setOpen(false);
        }}
      />
    </Sheet>
  );
}

function Options({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const options = useUiState(({ chat }) => chat.options);
  const voices = useUiState(({ chat }) => chat.voices);
  useEffect(() => {
    void chat.readVoices();
  }, [chat]);
  const byServer = t('chat.options.byServer');
  const ownVoices = voices.map(({ id, name }) => [id, name] as const);
  return (
    <div className="sheet-page options">
      <SheetHeader title={t('chat.options.name')} close={close} />
      <div className="sheet-body">
        <p className="options-lead">{t('chat.options.lead')}</p>
        <TextField
          name={t('chat.options.system')}
          help={t('chat.options.systemHelp')}
          value={options.system ?? ''}
          change={(system) => void chat.setOptions({ system: system === '' ? undefined : system })}
        />
        <SwitchField
          name={t('chat.options.speech')}
          help={t('chat.options.speechHelp')}
          value={options.speech}
          change={(speech) => void chat.setOptions({ speech })}
        />
        <ChoiceField
          name={t('chat.options.voice')}
          help={t('chat.options.voiceHelp')}
          value={options.voice ?? ''}
          choices={{ '': t('chat.options.serverVoice'), ...Object.fromEntries(ownVoices) }}
          change={(voice) => void chat.setOptions({ voice: voice === '' ? undefined : voice })}
        />
        {options.speech && (
          <SwitchField
            name={t('chat.options.template')}
            help={t('chat.options.templateHelp')}
            value={options.ttsTemplate ?? true}
            change={(ttsTemplate) => void chat.setOptions({ ttsTemplate })}
          />
        )}
        <SwitchField
          name={t('chat.options.streaming')}
          help={t('chat.options.streamingHelp')}
          value={options.streaming}
          change={(streaming) => void chat.setOptions({ streaming })}
        />
        <SwitchField
          name={t('chat.options.thinking')}
          help={t('chat.options.thinkingHelp')}
          value={options.thinking}
          change={(thinking) => void chat.setOptions({ thinking })}
        />
        <NumberField
          name={t('chat.options.length')}
          help={t('chat.options.lengthHelp')}
          none={byServer}
          range={{ min: 1, max: 8192, step: 1 }}
          value={options.maxNewTokens}
          change={(maxNewTokens) => void chat.setOptions({ maxNewTokens })}
        />
        <NumberField
          name={t('chat.options.penalty')}
          help={t('chat.options.penaltyHelp')}
          none={byServer}
          range={{ min: 0.1, max: 5, step: 0.05 }}
          value={options.lengthPenalty}
          change={(lengthPenalty) => void chat.setOptions({ lengthPenalty })}
        />
        <NumberField
          name={t('chat.options.slices')}
          help={t('chat.options.slicesHelp')}
          none={byServer}
          range={{ min: 1, max: 9, step: 1 }}
          value={options.maxSlices}
          change={(maxSlices) => void chat.setOptions({ maxSlices })}
        />
      </div>
      <footer className="sheet-foot">
        <Button kind="quiet" onClick={() => void chat.resetOptions()}>
          {t('chat.options.reset')}
        </Button>
        <Button kind="strong" onClick={close}>
          {t('chat.options.done')}
        </Button>
      </footer>
    </div>
  );
}
