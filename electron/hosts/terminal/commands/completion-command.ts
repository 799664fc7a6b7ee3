import { exitCode } from '../exit-code.ts';
import type { CommandSpec } from '../options/command-spec.ts';
import { bashCompletion, fishCompletion, zshCompletion } from '../options/shell-completion.ts';
import { corelessCommand, type CorelessCommand } from '../terminal-command.ts';

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** Prints what a shell needs to complete the commands there are, this one among them. */
export function createCompletionCommand(specs: () => readonly CommandSpec[]): CorelessCommand {
  return corelessCommand(
    {
      name: 'completion',
      summary: 'let a shell complete commands and options',
      word: {
        name: 'bash|zsh|fish',
        about: {
          bash: 'in ~/.bashrc: source <(parley completion bash)',
          zsh: 'in ~/.zshrc, after compinit: source <(parley completion zsh)',
          fish: 'in ~/.config/fish/config.fish: parley completion fish | source',
        },
        missing: 'completion needs a word: bash, zsh or fish.',
      },
      options: {},
    },
    ({ word }, { out }) => {
      out(writers[word](specs()));
      return Promise.resolve(exitCode.done);
    },
  );
}
