import type { OrderedBridge } from '../../app/bridge/ordered-bridge.ts';
import { voiceRecordingStopped } from '../apply-settings-notices.ts';
import type { SettingsActionContext } from '../field-actions.ts';

/** A chosen file; it is read only on import. */
export interface VoiceFile {
  readonly name: string;
  /** Undefined if the file no longer exists. */
  readonly read: () => Promise<Uint8Array | undefined>;
  /** Error text for an unreadable file. */
  readonly unreadable: string;
}

export function createVoiceActions(bridge: OrderedBridge, context: SettingsActionContext) {
  const { settingsUi, change, setField, ask } = context;
  const takeId = 'take';
  /** State of a recording while its microphone opens. */
  let opening: 'none' | 'wanted' | 'givenUp' = 'none';
  const isGivenUp = (): boolean => opening === 'givenUp';

  const giveUp = (): void => {
    const { take } = settingsUi();
    if (opening === 'wanted') opening = 'givenUp';
    else if (take === undefined || take.state === 'keeping') return;
    change({ take: undefined });
    void bridge.request('cancelVoiceRecording', undefined);
  };
  const keep = async (): Promise<void> => {
    const { take } = settingsUi();
    if (take === undefined || take.state === 'keeping') return;
    change({ take: { ...take, state: 'keeping' } });
    await ask(takeId, () => bridge.request('saveRecordedVoice', undefined));
    change({ take: undefined });
  };

  return {
    readVoices: async () => {
      await ask('voices', () => bridge.read('voices', (voices) => change({ voices })));
    },
    importVoice: async ({ name, read, unreadable }: VoiceFile): Promise<boolean> => {
      const imported = await ask<unknown>(takeId, async () => {
        const wav = await read();
        if (wav === undefined) return { ok: false, error: unreadable };
        return bridge.request('importVoice', { name: name.slice(0, 1000), wav });
      });
      return imported !== undefined;
    },
    /** For errors found before the file is read. */
    setVoiceProblem: (problem: string) => setField(takeId, { problem }),
    recordVoice: async (name: string) => {
      if (settingsUi().take !== undefined || opening !== 'none') return;
      opening = 'wanted';
      const begun = await ask(takeId, () => bridge.request('recordVoice', { name }));
      // The error of a cancelled start is not shown.
      if (isGivenUp()) setField(takeId, undefined);
      else if (begun !== undefined) change({ take: { state: 'recording', seconds: 0 } });
      opening = 'none';
    },
    saveVoice: keep,
    cancelVoice: giveUp,
    /** Cancels recording and preview when the section closes. */
    stopVoices: () => {
      giveUp();
      if (settingsUi().previewed !== undefined) void bridge.request('stopVoicePreview', undefined);
    },
    /** The core stops them when the connection is lost. */
    dropVoiceRecording: () => {
      const { take, previewed, fields } = settingsUi();
      if (take === undefined && previewed === undefined) return;
      const said = take === undefined ? fields : { ...fields, [takeId]: voiceRecordingStopped };
      change({ take: undefined, previewed: undefined, fields: said });
    },
    renameVoice: async (id: string, name: string) => {
      const renamed = await ask(`voice.${id}`, () => bridge.request('renameVoice', { id, name }));
      return renamed !== undefined;
    },
    removeVoice: async (id: string) => {
      await ask(`voice.${id}`, () => bridge.request('removeVoice', { id }));
    },
    playVoice: async (id: string) => {
      await ask(`voice.${id}`, () => bridge.request('previewVoice', { id }));
    },
    stopVoice: async (id: string) => {
      await ask(`voice.${id}`, () => bridge.request('stopVoicePreview', undefined));
    },
  };
}
