import { RotateCcw } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { maxConfigLength } from '../../../shared/settings/assistant-settings.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { IconButton } from '../../design/button.tsx';
import { Picker, Segments, Slider, Switch } from '../../design/fields.tsx';
import { Row, type RowAria } from '../../design/row.tsx';
import {
  type ChoiceSource,
  defaultNumber,
  settingRange,
  type SettingId,
  type SettingSource,
  useChoices,
  useFieldProblem,
  useSetting,
  useSettingText,
  useTypedValue,
} from './use-settings.ts';
import './setting.css';

interface Props {
  readonly at: SettingId;
  readonly wide?: boolean;
  /** The field whose error is shown; `at` by default. */
  readonly field?: string;
  readonly children: (aria: RowAria) => ReactNode;
}

const controlSelector = 'button:not(:disabled), input, textarea, [tabindex="0"]';

/** A setting in a row. It takes the focus if the user searched for it. */
export function Setting({ at, wide = false, field = at, children }: Props) {
  const { setup } = useActions();
  const text = useSettingText(at);
  const problem = useFieldProblem(field);
  const isTarget = useUiState(({ settingsUi }) => settingsUi.focusTarget === at);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    setup.clearFocusTarget();
    const control = row.current?.querySelector<HTMLElement>(controlSelector);
    row.current?.scrollIntoView({ block: 'center' });
    control?.focus({ focusVisible: true });
  }, [isTarget, setup]);
  return (
    <Row title={text.name} about={text.hint} problem={problem} wide={wide} ref={row}>
      {children}
    </Row>
  );
}

export function SwitchSetting(props: SettingSource<boolean>) {
  const { at, value, patch } = useSetting(props);
  const { setup } = useActions();
  return (
    <Setting at={at}>
      {(aria) => (
        <Switch {...aria} on={value} onSwitch={(on) => void setup.choose(at, patch(on))} />
      )}
    </Setting>
  );
}

interface ChoiceLayout {
  /** For long labels. */
  readonly wide?: boolean;
  /** Shown below the choice. */
  readonly children?: ReactNode;
}

export function ChoiceSetting(props: ChoiceSource & ChoiceLayout) {
  const { wide = false, children } = props;
  const { at, value, patch } = useSetting<string>({ at: props.at });
  const choices = useChoices(props);
  const { setup } = useActions();
  return (
    <Setting at={at} wide={wide}>
      {(aria) => (
        <>
          <Segments
            {...aria}
            value={value}
            choices={choices}
            onChoose={(chosen) => void setup.choose(at, patch(chosen))}
          />
          {children}
        </>
      )}
    </Setting>
  );
}

interface RadioChoiceProps {
  /** Groups the radio buttons. */
  readonly group: string;
  readonly title: string;
  readonly hints: readonly string[];
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

/** A radio button with explanations. */
export function RadioChoice({ group, title, hints, chosen, onChoose }: RadioChoiceProps) {
  return (
    <label className="radio-choice">
      <input type="radio" name={group} checked={chosen} onChange={onChoose} />
      <span>
        <span className="row-name" dir="auto">
          {title}
        </span>
        {hints.map((hint) => (
          <span key={hint} className="row-hint" dir="auto">
            {hint}
          </span>
        ))}
      </span>
    </label>
  );
}

interface PickerFallback {
  /** Shown if the value is not among the choices. */
  readonly fallback?: string;
}

export function PickerSetting(
  props: Partial<SettingSource<string>> & ChoiceSource & PickerFallback,
) {
  const { fallback } = props;
  const { at, value, patch } = useSetting<string>(props);
  const choices = useChoices(props);
  const { setup } = useActions();
  const { name } = useSettingText(at);
  return (
    <Setting at={at}>
      {(aria) => (
        <Picker
          label={name}
          labelledBy={aria['aria-labelledby']}
          describedBy={aria['aria-describedby']}
          value={value}
          choices={choices}
          {...(fallback === undefined ? {} : { fallback })}
          onChoose={(chosen) => void setup.choose(at, patch(chosen))}
        />
      )}
    </Setting>
  );
}

interface SliderScale {
  readonly step: number;
  /** Less than the rule's maximum, if larger values are not useful. */
  readonly max?: number;
  readonly valueText: (value: number) => string;
}

/** A slider over the range of the rule, with a reset to the default. */
export function SliderSetting(props: SettingSource<number> & SliderScale) {
  const { step, valueText } = props;
  const { at, value, patch } = useSetting(props);
  const { min, max } = { ...settingRange(at), ...props };
  const defaultValue = defaultNumber(at);
  const { t } = useTranslation();
  const { setup } = useActions();
  const now = useTypedValue(at, value);
  return (
    <Setting at={at}>
      {(aria) => (
        <>
          <Slider
            {...aria}
            min={min}
            max={max}
            step={step}
            value={now}
            valueText={valueText(now)}
            onValueChange={(next) => setup.edit(at, next, patch(next))}
            onBlur={() => setup.flush(at)}
          />
          {now === defaultValue && <span className="reset-space" />}
          {defaultValue !== undefined && now !== defaultValue && (
            <IconButton
              icon={RotateCcw}
              label={t('settings.reset', { value: valueText(defaultValue) })}
              onClick={() => setup.edit(at, defaultValue, patch(defaultValue))}
            />
          )}
        </>
      )}
    </Setting>
  );
}

interface FurtherFieldsProps
  extends RowAria, Pick<ComponentProps<'textarea'>, 'aria-invalid' | 'onBlur'> {
  readonly value: string;
  readonly onWrite: (text: string) => void;
}

/** Extra `config` fields as a JSON object. */
export function FurtherFields({ onWrite, ...rest }: FurtherFieldsProps) {
  return (
    <textarea
      {...rest}
      className="text-field further-fields"
      dir="ltr"
      rows={3}
      maxLength={maxConfigLength}
      spellCheck={false}
      placeholder={'{ "length_penalty": 1.1 }'}
      onChange={({ target }) => onWrite(target.value)}
    />
  );
}
