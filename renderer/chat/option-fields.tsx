import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Switch } from '../design/switch.tsx';

interface FieldProps<Value> {
  readonly name: string;
  readonly help: string;
  readonly value: Value;
  readonly change: (value: Value) => void;
}

interface Ids {
  readonly id: string;
  readonly 'aria-describedby': string;
}

/** A name, what it means, and the field for it. */
function Field(props: {
  readonly name: string;
  readonly help: string;
  readonly wide?: boolean;
  readonly children: (ids: Ids) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="option" data-wide={props.wide}>
      <label htmlFor={id}>{props.name}</label>
      {props.children({ id, 'aria-describedby': `${id}-help` })}
      <p id={`${id}-help`}>{props.help}</p>
    </div>
  );
}

export function SwitchField({ name, help, value, change }: FieldProps<boolean>) {
  return (
    <Field name={name} help={help}>
      {(ids) => <Switch on={value} setOn={change} {...ids} />}
    </Field>
  );
}

interface ChoiceProps extends FieldProps<string> {
  readonly choices: readonly { readonly value: string; readonly name: string }[];
}

export function ChoiceField({ name, help, value, choices, change }: ChoiceProps) {
  return (
    <Field name={name} help={help}>
      {(ids) => (
        <select
          {...ids}
          value={value}
          onChange={({ target }) => {
            change(target.value);
          }}
        >
          {choices.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
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
  const [typed, setTyped] = useState(String(value ?? ''));
  const [taken, setTaken] = useState(value);
  if (taken !== value) {
    setTaken(value);
    setTyped(String(value ?? ''));
  }
  const number = Number(typed);
  const wrong =
    typed.trim() !== '' && !(number >= min && number <= max && (step < 1 || number % 1 === 0));
  return (
    <Field name={name} help={wrong ? t('chat.options.range', { min, max }) : help}>
      {(ids) => (
        <input
          {...ids}
          type="text"
          inputMode="decimal"
          aria-invalid={wrong}
          placeholder={none}
          value={typed}
          onChange={({ target }) => {
            const next = target.value;
            setTyped(next);
            const asked = next.trim() === '' ? undefined : Number(next);
            const fits =
              asked === undefined ||
              (asked >= min && asked <= max && (step < 1 || asked % 1 === 0));
            if (!fits || asked === value) return;
            setTaken(asked);
            change(asked);
          }}
        />
      )}
    </Field>
  );
}

const restMs = 400;

/** Taken when the typing rests or the field is left, and not with every letter. */
export function TextField({ name, help, value, change }: FieldProps<string>) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  const latest = useRef({ typed, value, change });
  useEffect(() => {
    latest.current = { typed, value, change };
    if (typed === value) return undefined;
    const timer = setTimeout(() => {
      change(typed);
    }, restMs);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, value, change]);
  useEffect(
    () => () => {
      const { typed, value, change } = latest.current;
      if (typed !== value) change(typed);
    },
    [],
  );
  return (
    <Field name={name} help={help} wide>
      {(ids) => (
        <textarea
          {...ids}
          dir="auto"
          rows={3}
          maxLength={50_000}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
          }}
        />
      )}
    </Field>
  );
}
