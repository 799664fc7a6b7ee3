import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import type { WentBack } from '../../../app/updates/installed-updates.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { terminalCommand } from '../terminal-command.ts';

const sources = 'This Parley runs from its sources: check out the version you want instead.';

/** What a window does in About, for who has none. */
export const updateCommand = terminalCommand(
  {
    name: 'update',
    summary: 'go back to the version before an update, or see which one that is',
    word: {
      name: 'back|status',
      about: {
        back: 'puts the version before in the place of this one, while Parley is not open',
        status: 'prints this version, and the one before where it was kept',
      },
      missing: 'update needs a word: back or status.',
    },
    options: {},
    notes: [
      'Only an archive and an AppImage keep the version before; a system’s own packages go back by its own tools.',
      'New versions are fetched by the window, as its settings say.',
      'Exit: 0 done, 1 refused, 2 wrong usage',
    ],
  },
  async ({ word }, { out, err, ownPackage }): Promise<ExitCode> => {
    if (ownPackage === undefined) {
      err(`${sources}\n`);
      return exitCode.failed;
    }
    const { composeWayBack } = await import('../../../app/updates/installed-updates.ts');
    const way = composeWayBack(ownPackage);
    const { version } = ownPackage;
    if (word === 'status') {
      const previous = await way.previous();
      const before =
        previous === undefined ? 'no version before it was kept' : `${previous} before`;
      out(`${version}, ${before}\n`);
      return exitCode.done;
    }
    const went = await way.go();
    const done = went.kind === 'back';
    (done ? out : err)(`${sentenceOf(went, version)}\n`);
    return done ? exitCode.done : exitCode.failed;
  },
);

function sentenceOf(went: WentBack, version: string): string {
  switch (went.kind) {
    case 'back':
      return `Parley ${went.to} is back in the place of ${went.from}; open it as ever.`;
    case 'none':
      return `No version before ${version} was kept here: unpack the one you want from its own archive.`;
    case 'open':
      return 'Parley is open: quit it first, or go back in About.';
    case 'system':
      return 'The system’s packages brought this Parley: go back with them, by apt, dnf or the like.';
    case 'tells':
      return 'Parley may not replace itself where it lies: put the version you want there by hand.';
    case 'failed':
      return describeAppError(went.error);
  }
}
