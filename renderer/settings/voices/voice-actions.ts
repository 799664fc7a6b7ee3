import type { OrderedBridge } from '../../app/bridge/ordered-bridge.ts';
import { voiceRecordingStopped } from '../settings-ui-state.ts';
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
  const recordingField = 'take';
  /** State of a recording while its microphone opens. */
  let startState: 'none' | 'opening' | 'cancelled' = 'none';
  const isCancelled = (): boolean => startState === 'cancelled';

  const cancelRecording = (): void => {
    const { voiceRecording } = settingsUi();
    if (startState === 'opening') startState = 'cancelled';
    else if (voiceRecording === undefined || voiceRecording.state === 'keeping') return;
    change({ voiceRecording: undefined });
    void bridge.request('cancelVoiceRecording', undefined);
  };
  const saveRecording = async (): Promise<void> => {
    const { voiceRecording } = settingsUi();
    if (voiceRecording === undefined || voiceRecording.state === 'keeping') return;
    change({ voiceRecording: { ...voiceRecording, state: 'keeping' } });
    await ask(recordingField, () => bridge.request('saveRecordedVoice', undefined));
    change({ voiceRecording: undefined });
  };

  return {
    readVoices: async () => {
      await ask('voices', () => bridge.read('voices', (voices) => change({ voices })));
    },
    importVoice: async ({ name, read, unreadable }: VoiceFile): Promise<boolean> => {
      const imported = await ask<unknown>(recordingField, async () => {
        const wav = await read();
        if (wav === undefined) return { ok: false, error: unreadable };
        return bridge.request('importVoice', { name: name.slice(0, 1000), wav });
      });
      return imported !== undefined;
    },
    /** For errors found before the file is read. */
    setVoiceProblem: (problem: string) => setField(recordingField, { problem }),
    recordVoice: async (name: string) => {
      if (settingsUi().voiceRecording !== undefined || startState !== 'none') return;
      startState = 'opening';
      const started = await ask(recordingField, () => bridge.request('recordVoice', { name }));
      // The error of a cancelled start is not shown.
      if (isCancelled()) setField(recordingField, undefined);
      else if (started !== undefined)
        change({ voiceRecording: { state: 'recording', seconds: 0 } });
      startState = 'none';
    },
    saveVoice: saveRecording,
    cancelVoice: cancelRecording,
    /** Cancels recording and preview when the section closes. */
    stopVoices: () => {
      cancelRecording();
      if (settingsUi().previewed !== undefined) void bridge.request('stopVoicePreview', undefined);
    },
    /** Clears the recording and the preview, which the core has stopped because the connection was lost. */
    dropVoiceRecording: () => {
      const { voiceRecording, previewed, fields } = settingsUi();
      if (voiceRecording === undefined && previewed === undefined) return;
      const nextFields =
        voiceRecording === undefined
          ? fields
          : { ...fields, [recordingField]: voiceRecordingStopped };
      change({ voiceRecording: undefined, previewed: undefined, fields: nextFields });
    },
    renameVoice: async (id: string, name: string) => {
      const renamed = await ask(`voice.${id}`, () => bridge.request('renameVoice', { id, name }));
      return renamed !== undefined;
    },
    /** Not by `ask`, which would drop the request while the speaker opens to play the voice. */
    removeVoice: async (id: string) => {
      const reply = await bridge.request('removeVoice', { id });
      if (!reply.ok) setField(`voice.${id}`, { problem: reply.error });
    },
    playVoice: async (id: string) => {
      await ask(`voice.${id}`, () => bridge.request('previewVoice', { id }));
    },
    stopVoice: async (id: string) => {
      await ask(`voice.${id}`, () => bridge.request('stopVoicePreview', undefined));
    },
  };
}
