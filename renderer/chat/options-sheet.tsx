import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ownNumber } from '../../shared/settings/chat-settings.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { Button } from '../design/button.tsx';
import { Picker, Switch } from '../design/fields.tsx';
import { Row } from '../design/row.tsx';
import { Sheet, SheetHeader } from '../design/sheet.tsx';

interface Props {
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
}

/** How answers are made, each with what it means. */
export function OptionsSheet({ open, setOpen }: Props) {
  const { t } = useTranslation();
  return (
    <Sheet name={t('chat.options.name')} open={open} setOpen={setOpen}>
      <Options close={() => setOpen(false)} />
    </Sheet>
  );
}

function Options({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const options = useUiState(({ chat }) => chat.options);
  const voices = useUiState(({ chat }) => chat.voices);
  useEffect(() => void chat.readVoices(), [chat]);
  const byServer = t('settings.assistant.byServer');
  const ownVoices = voices.map(({ id, name }) => [id, name] as const);
  return (
    <div className="sheet-page options">
      <SheetHeader title={t('chat.options.name')} close={close} />
      <div className="sheet-body">
        <p className="options-lead hint">{t('chat.options.lead')}</p>
        <TextField
          name={t('chat.options.system')}
          help={t('chat.options.systemHelp')}
          value={options.system}
          change={(system) => void chat.setOptions({ system })}
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
          value={options.voice}
          choices={{ none: t('chat.options.serverVoice'), ...Object.fromEntries(ownVoices) }}
          change={(voice) => void chat.setOptions({ voice })}
        />
        {options.speech && (
          <SwitchField
            name={t('chat.options.template')}
            help={t('chat.options.templateHelp')}
            value={options.ttsTemplate}
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
          value={ownNumber(options.maxNewTokens)}
          change={(own) => void chat.setOptions({ maxNewTokens: own ?? 'server' })}
        />
        <NumberField
          name={t('chat.options.penalty')}
          help={t('chat.options.penaltyHelp')}
          none={byServer}
          range={{ min: 0.1, max: 5, step: 0.05 }}
          value={ownNumber(options.lengthPenalty)}
          change={(own) => void chat.setOptions({ lengthPenalty: own ?? 'server' })}
        />
        <NumberField
          name={t('chat.options.slices')}
          help={t('chat.options.slicesHelp')}
          none={byServer}
          range={{ min: 1, max: 9, step: 1 }}
          value={ownNumber(options.maxSlices)}
          change={(own) => void chat.setOptions({ maxSlices: own ?? 'server' })}
        />
      </div>
      <footer className="sheet-foot">
        <Button kind="quiet" onClick={() => void chat.resetOptions()}>
          {t('settings.resetAll')}
        </Button>
        <Button kind="strong" onClick={close}>
          {t('buttons.done')}
        </Button>
      </footer>
    </div>
  );
}

interface FieldProps<Value> {
  readonly name: string;
  readonly help: string;
  readonly value: Value;
  readonly change: (value: Value) => void;
}

function SwitchField({ name, help, value, change }: FieldProps<boolean>) {
  return (
    <Row title={name} about={help}>
      {(aria) => <Switch on={value} setOn={change} {...aria} />}
    </Row>
  );
}

interface ChoiceProps extends FieldProps<string> {
  readonly choices: Readonly<Record<string, string>>;
}

function ChoiceField({ name, help, value, choices, change }: ChoiceProps) {
  return (
    <Row title={name} about={help}>
      {(aria) => (
        <Picker
          called={name}
          labelledBy={aria['aria-labelledby']}
          describedBy={aria['aria-describedby']}
          value={value}
          choices={choices}
          choose={change}
        />
      )}
    </Row>
  );
}

interface NumberProps extends FieldProps<number | undefined> {
  readonly none: string;
  readonly range: { readonly min: number; readonly max: number; readonly step: number };
}

/** Empty means that the server decides; what is out of range is said and not taken. */
function NumberField({ name, help, none, range, value, change }: NumberProps) {
  const { t } = useTranslation();
  const { min, max, step } = range;
  const [typing, setTyping] = useState(() => typedValueOf(value));
  if (typing.seen !== value) setTyping(withConfirmedValue(typing, value));
  const typed = typing.text;
  const number = Number(typed);
  const wrong =
    typed.trim() !== '' && !(number >= min && number <= max && (step < 1 || number % 1 === 0));
  return (
    <Row
      title={name}
      about={help}
      problem={wrong ? t('chat.options.range', { min, max }) : undefined}
    >
      {(aria) => (
        <input
          {...aria}
          type="text"
          className="text-field"
          inputMode="decimal"
          aria-invalid={wrong}
          placeholder={none}
          value={typed}
          onChange={({ target }) => {
            const next = target.value;
            const asked = next.trim() === '' ? undefined : Number(next);
            const fits =
              asked === undefined ||
              (asked >= min && asked <= max && (step < 1 || asked % 1 === 0));
            const before = typing.sent.length === 0 ? value : typing.sent.at(-1);
            const written = { ...typing, text: next };
            setTyping(fits && asked !== before ? withSentValue(written, asked) : written);
            if (fits && asked !== before) change(asked);
          }}
        />
      )}
    </Row>
  );
}

const restMs = 400;

/** Taken when the typing rests or the field is left, and not with every letter. */
function TextField({ name, help, value, change }: FieldProps<string>) {
  const [typing, setTyping] = useState(() => typedValueOf(value));
  if (typing.seen !== value) setTyping(withConfirmedValue(typing, value));
  const typed = typing.text;
  const latest = useRef({ typed, value, change });
  useEffect(() => {
    latest.current = { typed, value, change };
    if (typed === (typing.sent.at(-1) ?? value)) return undefined;
    const timer = setTimeout(() => {
      setTyping((now) => withSentValue(now, typed));
      change(typed);
    }, restMs);
    return () => clearTimeout(timer);
  }, [typing, typed, value, change]);
  useEffect(
    () => () => {
      const { typed, value, change } = latest.current;
      if (typed !== value) change(typed);
    },
    [],
  );
  return (
    <Row title={name} about={help} wide>
      {(aria) => (
        <textarea
          {...aria}
          className="text-field"
          dir="auto"
          rows={3}
          maxLength={50_000}
          value={typed}
          onChange={({ target }) => setTyping({ ...typing, text: target.value })}
        />
      )}
    </Row>
  );
}

/** A field whose value goes to the core and comes back as a notice, while its person may be typing on. */
export interface TypedValue<Value> {
  readonly text: string;
  /** The last one that the core has posted. */
  readonly seen: Value;
  /** What has been handed over from here and was not posted back yet, oldest first. */
  readonly sent: readonly Value[];
}

export function typedValueOf<Value extends string | number | undefined>(
  value: Value,
): TypedValue<Value> {
  return { text: String(value ?? ''), seen: value, sent: [] };
}

export function withSentValue<Value>(typing: TypedValue<Value>, value: Value): TypedValue<Value> {
  return { ...typing, sent: [...typing.sent, value] };
}

/** What was typed here comes back late to whoever types on; what was set elsewhere takes its place. */
export function withConfirmedValue<Value extends string | number | undefined>(
  typing: TypedValue<Value>,
  value: Value,
): TypedValue<Value> {
  const at = typing.sent.indexOf(value);
  if (at === -1) return typedValueOf(value);
  return { ...typing, seen: value, sent: typing.sent.slice(at + 1) };
}
