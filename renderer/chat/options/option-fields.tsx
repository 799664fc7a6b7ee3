import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Picker } from '../../design/picker.tsx';
import { Row } from '../../design/row.tsx';
import { Switch } from '../../design/switch.tsx';
import { typedValueOf, withSentValue, withConfirmedValue } from './typed-value.ts';

interface FieldProps<Value> {
  readonly name: string;
  readonly help: string;
  readonly value: Value;
  readonly change: (value: Value) => void;
}

export function SwitchField({ name, help, value, change }: FieldProps<boolean>) {
  return (
    <Row title={name} about={help}>
      {(aria) => <Switch on={value} setOn={change} {...aria} />}
    </Row>
  );
}

interface ChoiceProps extends FieldProps<string> {
  readonly choices: Readonly<Record<string, string>>;
}

export function ChoiceField({ name, help, value, choices, change }: ChoiceProps) {
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
export function NumberField({ name, help, none, range, value, change }: NumberProps) {
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
export function TextField({ name, help, value, change }: FieldProps<string>) {
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
    return () => {
      clearTimeout(timer);
    };
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
          onChange={({ target }) => {
            setTyping({ ...typing, text: target.value });
          }}
        />
      )}
    </Row>
  );
}
