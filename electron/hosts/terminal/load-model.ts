import type { Outcome } from '../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../shared/i18n/en/errors.ts';
import type { ModelServerState } from '../../../shared/model/local-model-state.ts';
import { NextInterrupt } from './commands/run-session.ts';
import { CommandError, exitCode, type Terminal } from './terminal-command.ts';
import { unwrapOrFail } from './options/command-files.ts';

interface LoadingModel {
  readonly listen: (listener: (state: ModelServerState) => void) => () => void;
}

/** Waits until the model on this computer is loaded, and says so on stderr. Ctrl-C ends the command. */
export async function loadModel<Value>(
  model: LoadingModel,
  load: () => Promise<Outcome<Value>>,
  terminal: Terminal,
): Promise<Value> {
  const interrupt = new NextInterrupt(terminal);
  const stopListening = model.listen(createLoadReporter(terminal));
  const stopped = interrupt.pressed.then(() => {
    throw new CommandError('Stopped before the model was loaded.', exitCode.failed);
  });
  try {
    return unwrapOrFail(await Promise.race([load(), stopped]));
  } finally {
    interrupt.forget();
    stopListening();
  }
}

function createLoadReporter({ err }: Terminal): (state: ModelServerState) => void {
  let last = '';
  return (state) => {
    const kind = state.kind === 'loading' ? (state.switchesTo ?? 'loading') : state.kind;
    if (kind === last) return;
    last = kind;
    if (state.kind === 'restarting')
      err(`${describeAppError(state.error)} It starts again in ${state.seconds} s.\n`);
    if (state.kind !== 'loading') return;
    const { switchesTo, secondsLeft } = state;
    const mode = switchesTo === 'talk' ? 'voice' : switchesTo;
    const action = mode === undefined ? 'Loading the model' : `Switching the model to ${mode}`;
    err(secondsLeft === undefined ? `${action}…\n` : `${action}, about ${secondsLeft} s\n`);
  };
}
