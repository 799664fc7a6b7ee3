import { useTranslation } from 'react-i18next';
import { contextLimitRange, timeLimitRange } from '../../../shared/settings/server-traits.ts';
import { Segments } from '../../design/segments.tsx';
import { endpointFormId } from '../../store/settings/settings-ui-state.ts';
import type { EndpointForm } from '../../store/settings/endpoint-form.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { FurtherFields } from '../controls/further-fields.tsx';
import { Setting } from '../controls/setting.tsx';

interface Props {
  readonly form: EndpointForm;
}

/** What Parley finds out of a server by and by, for who knows it already. */
export function TraitSettings({ form }: Props) {
  const { t } = useTranslation();
  const { setup } = useActions();
  return (
    <>
      <LimitSetting part="timeLimit" value={form.timeLimit} range={timeLimitRange} />
      <LimitSetting part="contextLimit" value={form.contextLimit} range={contextLimitRange} />
      <Setting at="endpoints.voiceForm">
        {(aria) => (
          <Segments
            {...aria}
            value={form.voiceForm}
            choices={t('settings.servers.voiceForms', { returnObjects: true })}
            choose={(voiceForm) => {
              setup.fillIn({ voiceForm });
            }}
          />
        )}
      </Setting>
      <ConfigSetting form={form} />
    </>
  );
}

export function hasTraits({ timeLimit, contextLimit, voiceForm, config }: EndpointForm): boolean {
  const limited = timeLimit !== undefined || contextLimit !== undefined;
  return limited || voiceForm !== 'auto' || config !== '';
}

interface LimitProps {
  readonly part: 'timeLimit' | 'contextLimit';
  readonly value: number | undefined;
  readonly range: { readonly min: number; readonly max: number };
}

function LimitSetting({ part, value, range: { min, max } }: LimitProps) {
  const { t } = useTranslation();
  const { setup } = useActions();
  return (
    <Setting at={`endpoints.${part}`}>
      {(aria) => (
        <input
          {...aria}
          type="number"
          className="text-field limit-field"
          min={min}
          max={max}
          step={1}
          placeholder={t('settings.servers.learned')}
          defaultValue={value ?? ''}
          onBlur={({ target }) => {
            const typed = Math.round(Number(target.value));
            const given = target.value.trim() !== '' && Number.isFinite(typed);
            const limit = given ? Math.min(max, Math.max(min, typed)) : undefined;
            target.value = limit === undefined ? '' : String(limit);
            setup.fillIn({ [part]: limit });
          }}
        />
      )}
    </Setting>
  );
}

function ConfigSetting({ form }: Props) {
  const { setup } = useActions();
  const field = `${endpointFormId}.config`;
  const wrong = useUiState(({ settingsUi }) => settingsUi.fields[field]?.problem !== undefined);
  return (
    <Setting at="endpoints.config" field={field} wide>
      {(aria) => (
        <FurtherFields
          {...aria}
          aria-invalid={wrong}
          value={form.config}
          write={(config) => {
            setup.fillIn({ config });
          }}
        />
      )}
    </Setting>
  );
}
