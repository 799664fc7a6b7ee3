import type { SessionCommand } from './session-input.ts';
import type { SessionContext } from './session-state.ts';

/** What a command leaves behind whatever the phase, so that one given before the session is live counts. */
export function applyCommand(context: SessionContext, command: SessionCommand): SessionContext {
  switch (command.kind) {
    case 'frame':
      return { ...context, frame: command.frame };
    case 'maxSlices':
      return { ...context, maxSlices: command.slices };
    case 'instructions':
      return { ...context, settings: { ...context.settings, instructions: command.text } };
    case 'question':
      return { ...context, questions: [...context.questions, command.question] };
    case 'pause':
      return { ...context, paused: true };
    case 'resume':
      return { ...context, paused: false };
    case 'chunk':
    case 'interrupt':
      return context;
  }
}
