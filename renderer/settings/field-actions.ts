import type { AppError } from '../../shared/errors/app-error.ts';
import type { PageSettingsPatch } from '../../shared/settings/redacted-settings.ts';
import type { Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import type { FieldState, SettingsUiState } from './settings-ui-state.ts';

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

/** So often at most something is sent while letters are typed or a slider is moved. */
const throttleMs = 200;

interface Waiting {
  readonly patch: PageSettingsPatch;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Settings that are changed where they stand; each keeps what was typed until the core has it. What
 * comes of it is posted as `settingsChanged`, which comes before the reply and may be newer than it.
 */
export function createFieldActions(bridge: Bridge, context: SettingsActionContext) {
  const { settingsUi, setField } = context;
  const waiting = new Map<string, Waiting>();
  /** What was chosen last while the choice before it is on its way. */
  const chosenNext = new Map<string, PageSettingsPatch>();

  const send = async (id: string, patch: PageSettingsPatch): Promise<void> => {
    const { typed } = settingsUi().fields[id] ?? {};
    const reply = await bridge.request('changeSettings', patch);
    // Meanwhile something newer may stand there, which is sent on its own.
    if (settingsUi().fields[id]?.typed !== typed) return;
    setField(id, reply.ok ? undefined : { typed, problem: reply.error });
  };
  const sendNow = (id: string): void => {
    const found = waiting.get(id);
    if (found === undefined) return;
    clearTimeout(found.timer);
    waiting.delete(id);
    void send(id, found.patch);
  };
  const cancel = (id: string): void => {
    clearTimeout(waiting.get(id)?.timer);
    waiting.delete(id);
  };

  const choose = async (id: string, patch: PageSettingsPatch): Promise<void> => {
    if (settingsUi().busy.includes(id)) {
      chosenNext.set(id, patch);
      return;
    }
    await context.ask(id, () => bridge.request('changeSettings', patch));
    const next = chosenNext.get(id);
    chosenNext.delete(id);
    // A second click on the same one changes nothing.
    if (next !== undefined && JSON.stringify(next) !== JSON.stringify(patch))
      await choose(id, next);
  };

  return {
    /** One of several, on or off: done at once, and shown when the core has applied it. */
    choose,
    /** Shown at once, and sent soon, the newest of it; what the core does not take stays where it was typed. */
    edit: (id: string, typed: unknown, patch: PageSettingsPatch): void => {
      setField(id, { typed });
      const timer = waiting.get(id)?.timer ?? setTimeout(() => sendNow(id), throttleMs);
      waiting.set(id, { patch, timer });
    },
    /** Stays where it was typed with what is wrong about it, and is not sent. */
    holdInvalid: (id: string, typed: unknown, problem: string): void => {
      cancel(id);
      setField(id, { typed, problem });
    },
    /** The field is left: what waits goes now. */
    flush: sendNow,
    /** The place is left. */
    flushAll: (): void => {
      for (const id of waiting.keys()) sendNow(id);
    },
  };
}
