import type { ChatActionContext } from './chat-action-context.ts';
import type { DraftItem } from './chat-ui-state.ts';

/** What a person can do to speak a part of a message; `attach` puts it into a conversation's draft. */
export function createClipActions(
  { chat, change, note, ask, bridge }: ChatActionContext,
  attach: (conversation: string | undefined, item: DraftItem) => void,
) {
  /** Counts recordings: what belongs to one that was given up is not heard any more. */
  let clips = 0;

  const attachClip = async (name: string): Promise<void> => {
    if (chat().clip !== 'recording' && chat().clip !== 'full') return;
    change({ clip: 'attaching' });
    const { conversation } = chat();
    const reply = await bridge.request('attachClip', undefined);
    change({ clip: 'none' });
    if (reply.ok) attach(conversation?.id, { ...reply.value, name });
    else note({ kind: 'said', error: reply.error });
  };
  const cancelClip = async (): Promise<void> => {
    change({ clip: 'none' });
    await ask('cancelClip', undefined);
  };

  return {
    recordClip: async () => {
      if (chat().clip !== 'none') return;
      clips += 1;
      const clip = clips;
      change({ clip: 'opening' });
      const reply = await bridge.request('recordClip', undefined);
      // It may have been given up, or stopped, while the microphone was opened.
      if (clip !== clips || chat().clip !== 'opening') return;
      change({ clip: reply.ok ? 'recording' : 'none' });
      if (!reply.ok) note({ kind: 'said', error: reply.error });
    },
    attachClip,
    cancelClip,
    /** What was recorded is not lost by leaving the place; what has not begun does not begin unseen. */
    leaveClip: async (name: string) => {
      if (chat().clip === 'opening') await cancelClip();
      else await attachClip(name);
    },
    /** With the connection the core gives up what it records for this page. */
    dropClip: () => {
      if (chat().clip === 'none') return;
      change({ clip: 'none' });
      note({ kind: 'clipStopped' });
    },
  };
}
