import { exitCode } from '../exit-code.ts';
import { bashCompletion, fishCompletion, zshCompletion } from '../options/shell-completion.ts';
import { terminalCommand, type TerminalCommand } from '../terminal-command.ts';
import type { CommandSpecs } from '../views/command-help.ts';

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** Prints a completion script for a shell. */
export function completionCommand(loadSpecs: () => Promise<CommandSpecs>): TerminalCommand {
  return terminalCommand(
    {
      name: 'completion',
      summary: 'print a script that completes commands and options in your shell',
      word: {
        name: 'bash|zsh|fish',
        about: {
          bash: 'in ~/.bashrc: source <(parley completion bash)',
          zsh: 'in ~/.zshrc, after compinit: source <(parley completion zsh)',
          fish: 'in ~/.config/fish/config.fish: parley completion fish | source',
        },
        missing: 'Name a shell: parley completion bash, zsh or fish.',
      },
      options: {},
    },
    async ({ word }, { out }) => {
      const { own, remote } = await loadSpecs();
      out(writers[word]([...own, ...remote]));
      return exitCode.done;
    },
  );
}
