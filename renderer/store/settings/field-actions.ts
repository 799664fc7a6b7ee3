import type { PageSettingsPatch } from '../../../shared/settings/redacted-settings.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import type { SettingsActionContext } from './settings-action-context.ts';

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
      const timer =
        waiting.get(id)?.timer ??
        setTimeout(() => {
          sendNow(id);
        }, throttleMs);
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
