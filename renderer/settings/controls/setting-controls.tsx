import { RotateCcw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { PageSettingsPatch } from '../../../shared/settings/redacted-settings.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { Picker } from '../../design/picker.tsx';
import { Segments } from '../../design/segments.tsx';
import { Slider } from '../../design/slider.tsx';
import { Switch } from '../../design/switch.tsx';
import { useActions } from '../../store/use-app-context.ts';
import { useSettingText } from './setting-text.ts';
import type { SettingId } from './setting-text.ts';
import { Setting } from './setting.tsx';
import { useTypedValue } from './use-settings-group.ts';

interface Bound<Value> {
  readonly at: SettingId;
  readonly value: Value;
  readonly patch: (value: Value) => PageSettingsPatch;
}

export function SwitchSetting({ at, value, patch }: Bound<boolean>) {
  const { setup } = useActions();
  return (
    <Setting at={at}>
      {(aria) => <Switch {...aria} on={value} setOn={(on) => void setup.choose(at, patch(on))} />}
    </Setting>
  );
}

interface Choice<Value extends string> extends Bound<Value> {
  readonly choices: Readonly<Record<Value, string>>;
  /** There is much to read on them. */
  readonly wide?: boolean;
}

/** One of a few. */
export function ChoiceSetting<Value extends string>(props: Choice<Value>) {
  const { at, value, patch, choices, wide = false } = props;
  const { setup } = useActions();
  return (
    <Setting at={at} wide={wide}>
      {(aria) => (
        <Segments
          {...aria}
          value={value}
          choices={choices}
          choose={(chosen) => void setup.choose(at, patch(chosen))}
        />
      )}
    </Setting>
  );
}

/** One of many. */
export function PickerSetting<Value extends string>(
  props: Choice<Value> & { readonly otherwise?: string },
) {
  const { at, value, patch, choices, otherwise } = props;
  const { setup } = useActions();
  const { name } = useSettingText(at);
  return (
    <Setting at={at}>
      {(aria) => (
        <Picker
          called={name}
          labelledBy={aria['aria-labelledby']}
          describedBy={aria['aria-describedby']}
          value={value}
          choices={choices}
          {...(otherwise === undefined ? {} : { otherwise })}
          choose={(chosen) => void setup.choose(at, patch(chosen))}
        />
      )}
    </Setting>
  );
}

interface Sliding extends Bound<number> {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly shown: (value: number) => string;
  /** What it is at first, where going back to that is offered. */
  readonly defaultValue?: number;
}

export function SliderSetting(props: Sliding) {
  const { at, value, patch, min, max, step, shown, defaultValue } = props;
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
            shown={shown(now)}
            setValue={(next) => {
              setup.edit(at, next, patch(next));
            }}
            onBlur={() => {
              setup.flush(at);
            }}
          />
          {now === defaultValue && <span className="reset-place" />}
          {defaultValue !== undefined && now !== defaultValue && (
            <IconButton
              icon={RotateCcw}
              label={t('settings.reset', { value: shown(defaultValue) })}
              onClick={() => {
                setup.edit(at, defaultValue, patch(defaultValue));
              }}
            />
          )}
        </>
      )}
    </Setting>
  );
}
