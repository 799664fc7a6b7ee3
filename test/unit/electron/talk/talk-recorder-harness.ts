import { parseStoredTalk } from '../../../../electron/recordings/history/talk-source.ts';
import type { TalkRecord } from '../../../../shared/recordings/talk-record.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { endedByUser } from './conversation-harness.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

/** A picture of the given size in bytes. */
export const keptFrame = (size = 100) => ({
  facts: { at: 0, bytes: size, width: 640, height: 480, slices: 1, tokens: 64 },
  jpeg: new Uint8Array(size),
});

/** A talk whose text may be kept, and the stored result. */
export class TalkRecorderHarness extends TalkControllerHarness {
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await flushPromises();
  }

  keep(keepTalks: 'ask' | 'yes' | 'no'): void {
    this.settings.change({ privacy: { keepTalks } });
    this.talkRecorder.settingsChanged();
  }

  /** Adds an answer to the talk; `end` also ends it. */
  async said(text = 'The boiling point is 100 degrees.', end = true): Promise<void> {
    await this.live('video');
    this.session.emit({ event: 'text', turn: 1, text });
    await this.pass(3000);
    if (!end) return;
    this.session.close(endedByUser);
    await this.pass(10_000);
  }

  stored(id = 'stamp-one'): TalkRecord {
    const { text = '' } = this.talkStore.stored.get(id) ?? {};
    const record = parseStoredTalk(id, text);
    if (!record.ok) throw new Error(record.error.code);
    return record.value;
  }
}
