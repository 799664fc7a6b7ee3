import {
  AudioLines,
  Camera,
  CassetteTape,
  Clapperboard,
  EyeOff,
  Hand,
  Mic,
  MicOff,
  MonitorUp,
  Pause,
  PhoneOff,
  Play,
  SkipBack,
  SkipForward,
  X,
} from 'lucide-react';
import { replayExamples } from '../../../shared/recordings/replay-view.ts';
import type { PushToTalkMode } from '../../../shared/talk/talk-state.ts';
import { keyName } from '../../keys/window-keys.ts';
import { mayContinue } from '../../talk/talk-ending.ts';
import { talkKeyOf } from '../page-style.ts';
import { keysOf, type PaletteCommand, type PaletteContext } from './palette-command.ts';

const modes = ['open', 'hold', 'tap', 'holdOrTap'] as const;
const talkGroup = 'talk';

/** What can be done with a talk at the moment, the likeliest first. */
export function talkCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const { phase } = view.talkState.value;
  if (phase === 'ending') return [];
  if (phase === 'idle' || phase === 'ended') return startCommands(context);
  const end = {
    group: talkGroup,
    icon: PhoneOff,
    name: t('talk.end'),
    also: t('palette.also.end'),
    ...keysOf(context, 'end'),
    run: () => void actions.end(),
  } as const;
  return phase === 'live' ? liveCommands(context, end) : [end];
}

function startCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const { incognito } = view.keeping;
  const before = view.settings?.talking.mode;
  return [
    ...continueCommands(context),
    {
      group: talkGroup,
      icon: Mic,
      name: t('talk.start'),
      also: t('palette.also.start'),
      run: () => void actions.start('audio'),
    },
    {
      group: talkGroup,
      icon: Camera,
      name: t('talk.startSeeing'),
      also: t('palette.also.startSeeing'),
      run: () => void actions.startWithCamera(),
    },
    {
      group: talkGroup,
      icon: MonitorUp,
      name: t('talk.startSharing'),
      also: t('palette.also.startSharing'),
      run: () => void actions.pick('screen', true),
    },
    {
      group: talkGroup,
      icon: EyeOff,
      name: t(incognito ? 'history.incognito.turnOff' : 'history.incognito.turnOn'),
      also: t('palette.also.incognito'),
      run: () => void actions.history.setIncognito(!incognito),
    },
    ...modeCommands(context, before, (mode) => void actions.changeSettings({ talking: { mode } })),
  ];
}

/** Also of one that was put away: until the next one begins it can be gone on with. */
function continueCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  const state = view.talkState.value;
  if (state.phase !== 'ended' || !mayContinue(state)) return [];
  return [
    {
      group: talkGroup,
      icon: Play,
      name: t('talk.ended.goOn'),
      also: t('palette.also.goOn'),
      run: () => {
        actions.go('talk');
        void actions.goOn('transcript');
      },
    },
  ];
}

function modeCommands(
  { view, t }: PaletteContext,
  now: PushToTalkMode | undefined,
  choose: (mode: PushToTalkMode) => void,
): readonly PaletteCommand[] {
  const key = keyName(talkKeyOf(view), t('keys', { returnObjects: true }));
  return modes
    .filter((mode) => mode !== now)
    .map((mode) => ({
      group: talkGroup,
      icon: AudioLines,
      name: t('shell.under', {
        what: t('settings.rows.talking.mode.name'),
        which: t(`talk.talkings.${mode}`, { key }),
      }),
      also: t('palette.also.talking'),
      tells: true,
      run: () => choose(mode),
    }));
}

function liveCommands(context: PaletteContext, end: PaletteCommand): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const { muted, paused, talking } = view.controls;
  return [
    {
      group: talkGroup,
      icon: Hand,
      name: t('settings.rows.keys.interrupt.name'),
      also: t('palette.also.interrupt'),
      ...keysOf(context, 'interrupt'),
      run: () => void actions.interrupt(),
    },
    {
      group: talkGroup,
      icon: muted ? Mic : MicOff,
      name: t(muted ? 'talk.unmute' : 'settings.rows.keys.mute.name'),
      also: t('palette.also.mute'),
      ...keysOf(context, 'mute'),
      run: () => void actions.setMuted(!muted),
    },
    {
      group: talkGroup,
      icon: paused ? Play : Pause,
      name: t(paused ? 'talk.resume' : 'talk.pause'),
      also: t('palette.also.pause'),
      ...keysOf(context, 'pause'),
      run: () => void actions.setPaused(!paused),
    },
    ...keepCommands(context),
    end,
    ...modeCommands(context, talking, (mode) => void actions.setTalking(mode)),
  ];
}

function keepCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  if (view.keeping.recent === undefined) return [];
  return [
    {
      group: talkGroup,
      icon: CassetteTape,
      name: t('settings.rows.keys.keepRecent.name'),
      also: t('palette.also.keepRecent'),
      ...keysOf(context, 'keepRecent'),
      run: () => void actions.history.keepRecent(),
    },
  ];
}

const replayGroup = 'replay';

/** Of the replay that is looked at; of one that waits, the way back to it. */
export function replayCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  const { screen, replay } = view;
  if (replay.kind === 'none') return [];
  if (screen !== 'replay') {
    const back = (): void => actions.go('replay');
    return [{ group: replayGroup, icon: Clapperboard, name: t('places.replay'), run: back }];
  }
  const close = {
    group: replayGroup,
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
      group: replayGroup,
      icon: playing ? Pause : Play,
      name: named(t(playing ? 'replay.pause' : 'replay.play')),
      run: () => void actions.replay.toggle(),
    },
    {
      group: replayGroup,
      icon: SkipForward,
      name: named(t('replay.next')),
      keys: ']',
      run: () => void actions.replay.step('next'),
    },
    {
      group: replayGroup,
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
