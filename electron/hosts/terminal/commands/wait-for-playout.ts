import type { Conversation } from '../../../conversation/conversation.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Terminal } from '../terminal-command.ts';

const lookMs = 50;
/** A speaker that is this late with what was left has stopped. */
const patienceMs = 2000;

/** Lets a speaker finish what it has; whoever presses Ctrl-C has heard enough. */
export async function waitForPlayout(
  clock: Clock,
  terminal: Pick<Terminal, 'onInterrupt'>,
  conversation: Pick<Conversation, 'sounding' | 'stats'>,
): Promise<void> {
  const patientUntil = clock.now() + (conversation.stats().playout?.bufferMs ?? 0) + patienceMs;
  const person = { hasEnough: false };
  const stopListening = terminal.onInterrupt?.(() => {
    person.hasEnough = true;
  });
  while (!person.hasEnough && conversation.sounding() && clock.now() < patientUntil) {
    await new Promise<void>((resolve) => {
      clock.after(lookMs, resolve);
    });
  }
  stopListening?.();
}
