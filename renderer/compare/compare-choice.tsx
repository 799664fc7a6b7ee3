import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ComparableTape } from '../../shared/compare/compared-tapes.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { Button } from '../design/button.tsx';
import { Picker } from '../design/picker.tsx';
import { errorText } from '../parts/error-text.ts';
import type { CompareUiState } from '../store/compare/compare-ui-state.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { endpointName } from '../talk/session-bar.tsx';
import { recordedText } from './recorded-text.ts';
import { serverText } from './server-text.ts';

interface Props {
  readonly shown: CompareUiState;
  readonly error: AppError | undefined;
}

/** With another recording, or with what a server answers now. */
export function CompareChoice({ shown, error }: Props) {
  const { t } = useTranslation();
  const { comparing } = useActions();
  const { tapes, other } = shown;
  return (
    <>
      {error !== undefined && (
        <p className="compare-problem" role="alert" dir="auto">
          {errorText(t, error)}
        </p>
      )}
      {tapes === undefined && error === undefined && <p role="status">{t('compare.looking')}</p>}
      {tapes !== undefined && (
        <section className="compare-way">
          <Others tapes={tapes} other={other} />
          <div className="confirm-buttons">
            <Button
              kind="strong"
              disabled={other === undefined}
              onClick={() => void comparing.compare()}
            >
              {t('compare.compare')}
            </Button>
          </div>
        </section>
      )}
      <ServerAgain server={shown.server} />
    </>
  );
}

function Others({
  tapes,
  other,
}: {
  readonly tapes: readonly ComparableTape[];
  readonly other: string | undefined;
}) {
  const { t, i18n } = useTranslation();
  const { comparing } = useActions();
  const id = useId();
  return (
    <fieldset className="compare-others">
      <legend>{t('compare.others')}</legend>
      {tapes.length === 0 && <p>{t('compare.none')}</p>}
      {tapes.map((one) => (
        <label key={one.tape} className="compare-other">
          <input
            type="radio"
            name={id}
            checked={one.tape === other}
            onChange={() => {
              comparing.choose(one.tape);
            }}
          />
          <span>
            <span className="compare-other-name">
              {recordedText(one.recordedAt, i18n.language) ?? one.tape}
            </span>
            <span className="compare-hint" dir="auto">
              {[t(`talk.modes.${one.mode}`), serverText(one.server, t)].join(' · ')}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function ServerAgain({ server }: { readonly server: string | undefined }) {
  const { t } = useTranslation();
  const { comparing } = useActions();
  const id = useId();
  const endpoints = useUiState(({ settings }) => settings?.endpoints);
  if (endpoints === undefined) return null;
  const chosen = server ?? endpoints.chosen;
  const names = Object.fromEntries(
    endpoints.list.map((profile) => [profile.id, endpointName(t, profile.name)]),
  );
  return (
    <section className="compare-way" aria-labelledby={id}>
      <h3 id={id}>{t('compare.server')}</h3>
      <p className="compare-hint">{t('compare.serverHint')}</p>
      <div className="compare-server">
        <Picker
          value={chosen}
          choices={names}
          called={t('compare.server')}
          labelledBy={id}
          choose={comparing.chooseServer}
        />
        <Button onClick={() => void comparing.rerun(chosen)}>{t('compare.ask')}</Button>
      </div>
    </section>
  );
}
