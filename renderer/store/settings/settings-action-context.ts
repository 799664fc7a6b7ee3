import type { AppError } from '../../../shared/errors/app-error.ts';
import type { FieldState, SettingsUiState } from './settings-ui-state.ts';
import type { Store } from '../store.ts';
import type { UiState } from '../ui-state.ts';

type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: AppError | string };

export interface SettingsActionContext {
  readonly settingsUi: () => SettingsUiState;
  readonly change: (part: Partial<SettingsUiState>) => void;
  readonly setField: (id: string, field: FieldState | undefined) => void;
  /**
   * Asks for something with a place on the page: once at a time, and what goes wrong is said there.
   * Nothing comes back where it did not work or is being worked on already.
   */
  readonly ask: <Value>(
    id: string,
    request: () => Promise<Answer<Value>>,
  ) => Promise<{ readonly value: Value } | undefined>;
}

/** What all actions of the Settings screen have in common. */
export function createSettingsActionContext({
  getState,
  setState,
}: Store<UiState>): SettingsActionContext {
  const settingsUi = (): SettingsUiState => getState().settingsUi;
  const changeSettingsUi = (part: Partial<SettingsUiState>): void => {
    setState({ settingsUi: { ...settingsUi(), ...part } });
  };
  const setField = (id: string, field: FieldState | undefined): void => {
    const { [id]: _before, ...others } = settingsUi().fields;
    changeSettingsUi({ fields: field === undefined ? others : { ...others, [id]: field } });
  };
  return {
    settingsUi,
    change: changeSettingsUi,
    setField,
    ask: async (id, request) => {
      if (settingsUi().busy.includes(id)) return undefined;
      changeSettingsUi({ busy: [...settingsUi().busy, id] });
      const answer = await request();
      changeSettingsUi({ busy: settingsUi().busy.filter((each) => each !== id) });
      const { typed } = settingsUi().fields[id] ?? {};
      if (!answer.ok) setField(id, { typed, problem: answer.error });
      else if (settingsUi().fields[id] !== undefined) {
        setField(id, typed === undefined ? undefined : { typed });
      }
      return answer.ok ? { value: answer.value } : undefined;
    },
  };
}
