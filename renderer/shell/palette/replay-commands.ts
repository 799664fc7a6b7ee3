import { Clapperboard, Pause, Play, SkipBack, SkipForward, X } from 'lucide-react';
import { replayExamples } from '../../../shared/replay/replay-view.ts';
import type { PaletteCommand, PaletteContext } from './palette-command.ts';

const group = 'replay';

/** Of the replay that is looked at; of one that waits, the way back to it. */
export function replayCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  const { screen, replay } = view;
  if (replay.kind === 'none') return [];
  if (screen !== 'replay') {
    const back = (): void => {
      actions.go('replay');
    };
    return [{ group, icon: Clapperboard, name: t('places.replay'), run: back }];
  }
  const close = {
    group,
    icon: X,
    name: t('replay.close'),
    keys: 'Esc',
    run: () => void actions.replay.close(),
  } as const;
  if (replay.kind !== 'open') return [close];
  // A talk may go on meanwhile, and has a pause of its own.
  const named = (which: string) => t('shell.under', { what: t('places.replay'), which });
  const { playing } = replay.play;
  return [
    {
      group,
      icon: playing ? Pause : Play,
      name: named(t(playing ? 'replay.pause' : 'replay.play')),
      run: () => void actions.replay.toggle(),
    },
    {
      group,
      icon: SkipForward,
      name: named(t('replay.next')),
      keys: ']',
      run: () => void actions.replay.step('next'),
    },
    {
      group,
      icon: SkipBack,
      name: named(t('replay.previous')),
      keys: '[',
      run: () => void actions.replay.step('previous'),
    },
    close,
  ];
}

export function exampleCommands({ actions, t }: PaletteContext): readonly PaletteCommand[] {
  return replayExamples.map((example) => ({
    group: 'examples',
    icon: Clapperboard,
    name: t('shell.under', {
      what: t('replay.examples.see'),
      which: t(`replay.examples.${example}.name`),
    }),
    also: t('palette.also.examples'),
    run: () => void actions.replay.open({ kind: 'example', example }),
  }));
}
