import type { OrderedBridge } from '../../app/bridge/ordered-bridge.ts';
import { voiceRecordingStopped } from '../apply-settings-notices.ts';
import type { SettingsActionContext } from '../field-actions.ts';

/** A file that a person gives: its bytes are read only when it is taken. */
export interface VoiceFile {
  readonly name: string;
  /** Nothing where it went away meanwhile. */
  readonly read: () => Promise<Uint8Array | undefined>;
  /** What is said then. */
  readonly unreadable: string;
}

/** Reference voices: recorded, imported, heard, named, removed. */
export function createVoiceActions(bridge: OrderedBridge, context: SettingsActionContext) {
  const { settingsUi, change, setField, ask } = context;
  const takeId = 'take';
  /** Of the recording whose microphone is being opened. */
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
    /** For what the page can tell before it reads a file. */
    setVoiceProblem: (problem: string) => setField(takeId, { problem }),
    recordVoice: async (name: string) => {
      if (settingsUi().take !== undefined || opening !== 'none') return;
      opening = 'wanted';
      const begun = await ask(takeId, () => bridge.request('recordVoice', { name }));
      // That it was stopped before it had begun matters to nobody who has left it.
      if (isGivenUp()) setField(takeId, undefined);
      else if (begun !== undefined) change({ take: { state: 'recording', seconds: 0 } });
      opening = 'none';
    },
    saveVoice: keep,
    cancelVoice: giveUp,
    /** Nothing goes on that is not seen any more: a recording is given up, a preview falls silent. */
    stopVoices: () => {
      giveUp();
      if (settingsUi().previewed !== undefined) void bridge.request('stopVoicePreview', undefined);
    },
    /** With the connection the core gives up what it records and plays for this page. */
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
