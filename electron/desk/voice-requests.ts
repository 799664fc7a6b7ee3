import type { KeptVoice, RecordingNews } from '../../shared/voices/voice.ts';
import { orRefuse, Refusal } from '../ipc/refusal.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { VoicePreview } from '../voices/preview-voice.ts';
import type { VoiceRecording } from '../voices/record-voice.ts';
import type { VoiceLibrary } from '../voices/voice-library.ts';
import type { VoiceHandlers } from './desk-handlers.ts';
import type { SoundTurns } from './sound-turns.ts';
import { SoundUse } from './sound-use.ts';
import type { Post } from './talk-news.ts';

export interface VoiceDeskNeeds {
  readonly voices: Pick<VoiceLibrary, 'list' | 'importBytes' | 'rename' | 'remove'> & {
    readonly record: (name: string, tell: (news: RecordingNews) => void) => Promise<VoiceRecording>;
    readonly preview: (id: string) => Promise<Outcome<VoicePreview>>;
  };
  readonly turns: SoundTurns;
  readonly post: Post;
}

/** What the requests about reference voices do. */
export function createVoiceHandlers({ voices, turns, post }: VoiceDeskNeeds): VoiceHandlers {
  const recording = new SoundUse<VoiceRecording>({
    turns,
    close: (begun) => begun.cancel(),
    stopped: () => {
      post('voiceRecording', { kind: 'stopped' });
    },
  });
  let previewed: string | undefined;
  const preview = new SoundUse<VoicePreview>({
    turns,
    close: (begun) => begun.stop(),
    stopped: () => undefined,
  });

  async function tellEnd(id: string, begun: VoicePreview): Promise<void> {
    await begun.ended;
    post('voicePreview', { id, playing: false });
    preview.ended(begun);
  }

  let told: Promise<void> = Promise.resolve();
  /** One list after the other: an older one that took longer would show what is there no more. */
  const tellAll = async (before: Promise<void>): Promise<void> => {
    await before;
    const list = await voices.list();
    if (list.ok) post('voicesChanged', list.value);
  };

  /** All voices are told, because most are shown together. */
  async function changed<Value>(outcome: Outcome<Value>): Promise<Value> {
    const value = orRefuse(outcome);
    told = tellAll(told);
    await told;
    return value;
  }

  return {
    voices: async () => orRefuse(await voices.list()),
    importVoice: async ({ name, wav }) => changed(await voices.importBytes(name, wav)),
    renameVoice: async ({ id, name }) => changed(await voices.rename(id, name)),
    removeVoice: async ({ id }) => {
      if (id === previewed) await preview.cancel();
      return changed(await voices.remove(id));
    },
    recordVoice: async ({ name }, page) => {
      const open = async (): Promise<Outcome<VoiceRecording>> => ({
        ok: true,
        value: await voices.record(name, (news) => {
          post('voiceRecording', news);
        }),
      });
      return orRefuse(await recording.begin(page, open));
    },
    keepRecordedVoice: async (): Promise<KeptVoice> => {
      const begun = await recording.take();
      if (begun === undefined) throw new Refusal('No voice is being recorded.', 'notRecording');
      return changed(await begun.stop());
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
      return orRefuse(await preview.begin(page, open));
    },
    stopVoicePreview: async () => {
      await preview.cancel();
      return undefined;
    },
  };
}
