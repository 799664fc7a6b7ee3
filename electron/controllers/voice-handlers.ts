import { SerialQueue } from '../../shared/serial-queue.ts';
import { appError } from '../../shared/errors/app-error.ts';
import type { StoredVoice, VoiceRecordingEvent } from '../../shared/voices/stored-voice.ts';
import { unwrap, RequestRefusedError } from '../ipc/request-refused-error.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { VoicePreview } from '../sound/voices/preview-voice.ts';
import type { VoiceRecording } from '../sound/voices/record-voice.ts';
import type { VoiceLibrary } from '../sound/voices/voice-library.ts';
import type { VoiceHandlers } from './controller-handlers.ts';
import type { DeviceLock } from './device-lock.ts';
import { DeviceLease } from './device-lease.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

export interface VoiceHandlerDeps {
  readonly voices: Pick<VoiceLibrary, 'list' | 'importBytes' | 'rename' | 'remove'> & {
    readonly record: (
      name: string,
      emit: (event: VoiceRecordingEvent) => void,
    ) => Promise<VoiceRecording>;
    readonly preview: (id: string) => Promise<Outcome<VoicePreview>>;
  };
  readonly lock: DeviceLock;
  readonly post: PostNotice;
}

/** What the requests about reference voices do. */
export function createVoiceHandlers({ voices, lock, post }: VoiceHandlerDeps): VoiceHandlers {
  const recording = new DeviceLease<VoiceRecording>({
    lock,
    close: (begun) => begun.cancel(),
    stopped: () => {
      post('voiceRecording', { kind: 'stopped' });
    },
  });
  let previewed: string | undefined;
  const preview = new DeviceLease<VoicePreview>({
    lock,
    close: (begun) => begun.stop(),
    stopped: () => undefined,
  });

  async function tellEnd(id: string, begun: VoicePreview): Promise<void> {
    await begun.ended;
    post('voicePreview', { id, playing: false });
    preview.ended(begun);
  }

  /** One list after the other: an older one that took longer would show what is there no more. */
  const lists = new SerialQueue();
  const postList = async (): Promise<void> => {
    const list = await voices.list();
    if (list.ok) post('voicesChanged', list.value);
  };

  /** All voices are posted, because most are shown together. */
  async function changed<Value>(outcome: Outcome<Value>): Promise<Value> {
    const value = unwrap(outcome);
    await lists.run(postList);
    return value;
  }

  return {
    voices: async () => unwrap(await voices.list()),
    importVoice: async ({ name, wav }) => changed(await voices.importBytes(name, wav)),
    renameVoice: async ({ id, name }) => changed(await voices.rename(id, name)),
    removeVoice: async ({ id }) => {
      if (id === previewed) await preview.cancel();
      return changed(await voices.remove(id));
    },
    recordVoice: async ({ name }, page) => {
      const open = async (): Promise<Outcome<VoiceRecording>> => ({
        ok: true,
        value: await voices.record(name, (event) => {
          post('voiceRecording', event);
        }),
      });
      return unwrap(await recording.begin(page, open));
    },
    saveRecordedVoice: async (): Promise<StoredVoice> => {
      const saved = await recording.take((begun) => begun.stop());
      if (saved === undefined) throw new RequestRefusedError(appError('notRecording'));
      return changed(saved);
    },
    cancelVoiceRecording: async () => {
      await recording.cancel();
      return undefined;
    },
    previewVoice: async ({ id }, page) => {
      const open = async (): Promise<Outcome<VoicePreview>> => {
        const begun = await voices.preview(id);
        if (!begun.ok) return begun;
        previewed = id;
        post('voicePreview', { id, playing: true });
        void tellEnd(id, begun.value);
        return begun;
      };
      return unwrap(await preview.begin(page, open));
    },
    stopVoicePreview: async () => {
      await preview.cancel();
      return undefined;
    },
  };
}
