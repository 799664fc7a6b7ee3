import type { AppError } from '../../shared/errors/app-error.ts';
import type { PageSettingsPatch } from '../../shared/settings/settings.ts';
import type { Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import type { FieldState, SettingsUiState } from './settings-ui-state.ts';

type FieldReply<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: AppError | string };

export interface SettingsActionContext {
  readonly settingsUi: () => SettingsUiState;
  readonly change: (part: Partial<SettingsUiState>) => void;
  readonly setField: (id: string, field: FieldState | undefined) => void;
  /**
   * Sends one request at a time per field and shows its error there. Undefined on failure, or
   * while another request runs.
   */
  readonly ask: <Value>(
    id: string,
    request: () => Promise<FieldReply<Value>>,
  ) => Promise<{ readonly value: Value } | undefined>;
}

/** Helpers shared by all settings actions. */
export function createSettingsActionContext({
  getState,
  setState,
}: Store<UiState>): SettingsActionContext {
  const settingsUi = (): SettingsUiState => getState().settingsUi;
  const changeSettingsUi = (part: Partial<SettingsUiState>): void =>
    setState({ settingsUi: { ...settingsUi(), ...part } });
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
      const { problem: before } = settingsUi().fields[id] ?? {};
      const answer = await request();
      changeSettingsUi({ busy: settingsUi().busy.filter((each) => each !== id) });
      const { typed, problem } = settingsUi().fields[id] ?? {};
      if (!answer.ok) setField(id, { typed, problem: answer.error });
      // A notice may have set a problem meanwhile. For example, a microphone can fail before the reply that its test has
      // begun.
      else if (problem === before && settingsUi().fields[id] !== undefined) {
        setField(id, typed === undefined ? undefined : { typed });
      }
      return answer.ok ? { value: answer.value } : undefined;
    },
  };
}

/** Minimum interval between requests while the user types or drags. */
const throttleMs = 200;

interface PendingEdit {
  readonly patch: PageSettingsPatch;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Actions for single settings. A field keeps the typed value until the core has it. `settingsChanged` arrives before
 * the reply to the request, and may have a newer value.
 */
export function createFieldActions(bridge: Bridge, context: SettingsActionContext) {
  const { settingsUi, setField } = context;
  const pending = new Map<string, PendingEdit>();
  /** The latest choice while an earlier one is being saved. */
  const nextChoices = new Map<string, PageSettingsPatch>();

  const send = async (id: string, patch: PageSettingsPatch): Promise<void> => {
    const { typed } = settingsUi().fields[id] ?? {};
    const reply = await bridge.request('changeSettings', patch);
    // A newer value is sent separately.
    if (settingsUi().fields[id]?.typed !== typed) return;
    setField(id, reply.ok ? undefined : { typed, problem: reply.error });
  };
  const sendNow = (id: string): void => {
    const edit = pending.get(id);
    if (edit === undefined) return;
    clearTimeout(edit.timer);
    pending.delete(id);
    void send(id, edit.patch);
  };
  const cancel = (id: string): void => {
    clearTimeout(pending.get(id)?.timer);
    pending.delete(id);
  };

  const choose = async (id: string, patch: PageSettingsPatch): Promise<void> => {
    if (settingsUi().busy.includes(id)) {
      nextChoices.set(id, patch);
      return;
    }
    await context.ask(id, () => bridge.request('changeSettings', patch));
    const next = nextChoices.get(id);
    nextChoices.delete(id);
    // The same choice again needs no request.
    if (next !== undefined && JSON.stringify(next) !== JSON.stringify(patch))
      await choose(id, next);
  };

  return {
    /** Saves a choice at once; the control changes when the core confirms. */
    choose,
    /** Shows the typed value at once and sends the newest one, throttled. A rejected value stays in the field. */
    edit: (id: string, typed: unknown, patch: PageSettingsPatch): void => {
      setField(id, { typed });
      const timer = pending.get(id)?.timer ?? setTimeout(() => sendNow(id), throttleMs);
      pending.set(id, { patch, timer });
    },
    /** Keeps an invalid value in the field with its error, unsent. */
    showInvalid: (id: string, typed: unknown, problem: string): void => {
      cancel(id);
      setField(id, { typed, problem });
    },
    /** Sends the pending value of a field, for example when the field loses the focus. */
    flush: sendNow,
    /** Sends all pending values. */
    flushAll: (): void => {
      for (const id of pending.keys()) sendNow(id);
    },
  };
}
