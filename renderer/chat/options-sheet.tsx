import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ChatSettings, explicitNumber } from '../../shared/settings/assistant-settings.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { Button, Switch, TextArea } from '../design/controls.tsx';
import { Picker, Sheet, SheetHeader } from '../design/layers.tsx';
import { Row } from '../design/row.tsx';

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
}

export function OptionsSheet({ open, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Sheet name={t('chat.options.name')} open={open} onClose={onClose}>
      <OptionsForm onClose={onClose} />
    </Sheet>
  );
}

function OptionsForm({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const options = useUiState(({ chat }) => chat.options);
  const voices = useUiState(({ chat }) => chat.voices);
  useEffect(() => void chat.readVoices(), [chat]);
  const set = (part: Partial<ChatSettings>): void => void chat.setOptions(part);
  const optionLabels = (name: keyof ChatSettings) => ({
    title: t(`chat.options.${optionNames[name]}`),
    about: t(`chat.options.${optionNames[name]}Help`),
  });
  /** A field's labels, its value, and what changes it. */
  const boundOption = <Name extends keyof ChatSettings>(name: Name) => ({
    ...optionLabels(name),
    value: options[name],
    onChange: (value: ChatSettings[Name]) => set({ [name]: value }),
  });
  const storedVoices = Object.fromEntries(voices.map(({ id, name }) => [id, name]));
  return (
    <div className="sheet-page options">
      <SheetHeader title={t('chat.options.name')} onClose={onClose} />
      <div className="sheet-body">
        <p className="options-lead hint">{t('chat.options.lead')}</p>
        <TextField {...boundOption('system')} />
        <SwitchField {...boundOption('speech')} />
        <Row {...optionLabels('voice')}>
          {(aria) => (
            <Picker
              label={t('chat.options.voice')}
              labelledBy={aria['aria-labelledby']}
              describedBy={aria['aria-describedby']}
              value={options.voice}
              choices={{ none: t('chat.options.serverVoice'), ...storedVoices }}
              onChoose={(voice) => set({ voice })}
            />
          )}
        </Row>
        {options.speech && <SwitchField {...boundOption('ttsTemplate')} />}
        <SwitchField {...boundOption('streaming')} />
        <SwitchField {...boundOption('thinking')} />
        <NumberField {...boundOption('maxNewTokens')} range={{ min: 1, max: 8192, step: 1 }} />
        <NumberField {...boundOption('lengthPenalty')} range={{ min: 0.1, max: 5, step: 0.05 }} />
        <NumberField {...boundOption('maxSlices')} range={{ min: 1, max: 9, step: 1 }} />
      </div>
      <footer className="sheet-foot">
        <Button kind="quiet" onClick={() => void chat.resetOptions()}>
          {t('settings.resetAll')}
        </Button>
        <Button kind="strong" onClick={onClose}>
          {t('buttons.done')}
        </Button>
      </footer>
    </div>
  );
}

/** The names of the settings in the texts. */
const optionNames = {
  system: 'system',
  speech: 'speech',
  voice: 'voice',
  ttsTemplate: 'template',
  streaming: 'streaming',
  thinking: 'thinking',
  maxNewTokens: 'length',
  lengthPenalty: 'penalty',
  maxSlices: 'slices',
} as const satisfies Readonly<Record<keyof ChatSettings, string>>;

interface FieldProps<Value> {
  readonly title: string;
  readonly about: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function SwitchField({ value, onChange, ...labels }: FieldProps<boolean>) {
  return <Row {...labels}>{(aria) => <Switch on={value} onSwitch={onChange} {...aria} />}</Row>;
}

interface NumberProps extends FieldProps<number | 'server'> {
  readonly range: { readonly min: number; readonly max: number; readonly step: number };
}

/** Empty means that the server decides. Out-of-range input shows a problem and is not sent. */
function NumberField({
  range: { min, max, step },
  value: stored,
  onChange,
  ...labels
}: NumberProps) {
  const { t } = useTranslation();
  const value = explicitNumber(stored);
  const [typing, setTyping] = useState(() => createTypedValue(value));
  if (typing.posted !== value) setTyping(withConfirmedValue(typing, value));
  const isValid = (text: string): boolean => {
    const number = Number(text);
    return text.trim() === '' || (number >= min && number <= max && (step < 1 || number % 1 === 0));
  };
  const isInvalid = !isValid(typing.text);
  return (
    <Row {...labels} problem={isInvalid ? t('chat.options.range', { min, max }) : undefined}>
      {(aria) => (
        <input
          {...aria}
          type="text"
          className="text-field"
          inputMode="decimal"
          aria-invalid={isInvalid}
          placeholder={t('settings.assistant.byServer')}
          value={typing.text}
          onChange={({ target: { value: text } }) => {
            const number = text.trim() === '' ? undefined : Number(text);
            const before = typing.sent.length === 0 ? value : typing.sent.at(-1);
            const isNew = isValid(text) && number !== before;
            setTyping(isNew ? withSentValue({ ...typing, text }, number) : { ...typing, text });
            if (isNew) onChange(number ?? 'server');
          }}
        />
      )}
    </Row>
  );
}

const typingPauseMs = 400;

/** Sends the text when typing pauses or the field unmounts, not with every key. */
function TextField({ value, onChange, ...labels }: FieldProps<string>) {
  const [typing, setTyping] = useState(() => createTypedValue(value));
  if (typing.posted !== value) setTyping(withConfirmedValue(typing, value));
  const typed = typing.text;
  const latest = useRef({ typed, value, onChange });
  useEffect(() => {
    latest.current = { typed, value, onChange };
    if (typed === (typing.sent.at(-1) ?? value)) return undefined;
    const timer = setTimeout(() => {
      setTyping((now) => withSentValue(now, typed));
      onChange(typed);
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [typing, typed, value, onChange]);
  useEffect(
    () => () => {
      const { typed, value, onChange } = latest.current;
      if (typed !== value) onChange(typed);
    },
    [],
  );
  return (
    <Row {...labels} wide>
      {(aria) => (
        <TextArea
          {...aria}
          rows={3}
          maxLength={50_000}
          value={typed}
          onWrite={(text) => setTyping({ ...typing, text })}
        />
      )}
    </Row>
  );
}

/** A field whose value goes to the core and comes back in a notice while the user types on. */
export interface TypedValue<Value> {
  readonly text: string;
  /** The last value that the core posted. */
  readonly posted: Value;
  /** Values sent but not yet confirmed, oldest first. */
  readonly sent: readonly Value[];
}

export function createTypedValue<Value extends string | number | undefined>(
  value: Value,
): TypedValue<Value> {
  return { text: String(value ?? ''), posted: value, sent: [] };
}

export function withSentValue<Value>(typing: TypedValue<Value>, value: Value): TypedValue<Value> {
  return { ...typing, sent: [...typing.sent, value] };
}

/** A notice with a sent value keeps the newer text; a value that was set elsewhere replaces the text. */
export function withConfirmedValue<Value extends string | number | undefined>(
  typing: TypedValue<Value>,
  value: Value,
): TypedValue<Value> {
  const at = typing.sent.indexOf(value);
  if (at === -1) return createTypedValue(value);
  return { ...typing, posted: value, sent: typing.sent.slice(at + 1) };
}
