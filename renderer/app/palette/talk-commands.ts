import {
  AudioLines,
  Camera,
  CassetteTape,
  Clapperboard,
  EyeOff,
  Hand,
  type LucideIcon,
  Mic,
  MicOff,
  MonitorUp,
  Pause,
  PhoneOff,
  Play,
  SkipBack,
  SkipForward,
  Volume2,
  Wrench,
  X,
} from 'lucide-react';
import { replayExamples } from '../../../shared/recordings/replay-view.ts';
import { isTalkOver, type PushToTalkMode } from '../../../shared/talk/talk-state.ts';
import { keyName } from '../../keys/window-keys.ts';
import { mayContinue } from '../../talk/talk-ending.ts';
import { selectTalkKey } from '../page-style.ts';
import {
  commandFactory,
  keysFor,
  type PaletteCommand,
  type PaletteContext,
} from './palette-command.ts';

const modes = ['open', 'hold', 'tap', 'holdOrTap'] as const;

/** Talk commands that apply now, most likely first. */
export function talkCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const { phase } = view.talkState.value;
  if (phase === 'ending') return [];
  if (isTalkOver(phase)) return startCommands(context);
  const command = commandFactory('talk', context);
  const endKeys = keysFor(context, 'end');
  const end = command('end', PhoneOff, t('talk.end'), () => void actions.end(), endKeys);
  return phase === 'live' ? liveCommands(context, end) : [end];
}

function startCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const { start, startWithCamera, pick, history, changeSettings } = actions;
  const { incognito } = view.keeping;
  const incognitoName = t(`history.incognito.${incognito ? 'turnOff' : 'turnOn'}`);
  const command = commandFactory('talk', context);
  return [
    ...continueCommands(context),
    command('start', Mic, t('talk.start'), () => void start('audio')),
    command('startSeeing', Camera, t('talk.startSeeing'), () => void startWithCamera()),
    command('startSharing', MonitorUp, t('talk.startSharing'), () => void pick('screen', true)),
    command('incognito', EyeOff, incognitoName, () => void history.setIncognito(!incognito)),
    ...modeCommands(
      context,
      view.settings?.talking.mode,
      (mode) => void changeSettings({ talking: { mode } }),
    ),
  ];
}

/** A dismissed talk can also be continued until the next one starts. */
function continueCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const state = view.talkState.value;
  if (state.phase !== 'ended' || !mayContinue(state)) return [];
  const goOn = (): void => {
    actions.go('talk');
    void actions.continueTalk('transcript');
  };
  return [commandFactory('talk', context)('goOn', Play, t('talk.ended.goOn'), goOn)];
}

function modeCommands(
  context: PaletteContext,
  current: PushToTalkMode | undefined,
  choose: (mode: PushToTalkMode) => void,
): readonly PaletteCommand[] {
  const { view, t } = context;
  const key = keyName(selectTalkKey(view), t('keys', { returnObjects: true }));
  const command = commandFactory('talk', context);
  const what = t('settings.rows.talking.mode.name');
  return modes
    .filter((mode) => mode !== current)
    .map((mode) => {
      const name = t('shell.under', { what, which: t(`talk.talkings.${mode}`, { key }) });
      return command('talking', AudioLines, name, () => choose(mode), { showsToast: true });
    });
}

function liveCommands(context: PaletteContext, end: PaletteCommand): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const { muted, paused, talking } = view.controls;
  const command = commandFactory('talk', context);
  const live = (
    name: 'interrupt' | 'mute' | 'pause' | 'keepRecent' | 'doRequest',
    icon: LucideIcon,
    label: string,
    run: () => void,
  ): PaletteCommand => command(name, icon, label, run, keysFor(context, name));
  const muteName = t(muted ? 'talk.unmute' : 'settings.rows.keys.mute.name');
  const pauseName = t(paused ? 'talk.resume' : 'talk.pause');
  const keepName = t('settings.rows.keys.keepRecent.name');
  const requestName = t('settings.rows.keys.doRequest.name');
  return [
    live('interrupt', Hand, t('settings.rows.keys.interrupt.name'), () => void actions.interrupt()),
    live('mute', muted ? Mic : MicOff, muteName, () => void actions.setMuted(!muted)),
    live('pause', paused ? Play : Pause, pauseName, () => void actions.setPaused(!paused)),
    ...computerSoundCommands(context),
    ...(view.keeping.recent === undefined
      ? []
      : [live('keepRecent', CassetteTape, keepName, () => void actions.history.keepRecent())]),
    ...(view.settings?.tools.talks === true
      ? [live('doRequest', Wrench, requestName, () => void actions.doRequest())]
      : []),
    end,
    ...modeCommands(context, talking, (mode) => void actions.setTalking(mode)),
  ];
}

function computerSoundCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { view, actions, t } = context;
  const { kind } = view.computerSound;
  if (kind === 'unsupported') return [];
  const isOn = kind !== 'off';
  const name = t(isOn ? 'talk.computerSound.stop' : 'talk.computerSound.start');
  const turn = (): void => void actions.hearComputer(!isOn);
  return [commandFactory('talk', context)('hearComputer', Volume2, name, turn)];
}

function replayCommand(
  icon: LucideIcon,
  name: string,
  run: () => void,
  keys?: string,
): PaletteCommand {
  return { group: 'replay', icon, name, run, ...(keys !== undefined && { keys }) };
}

/** Commands of the open replay, or the command that returns to it. */
export function replayCommands({ view, actions, t }: PaletteContext): readonly PaletteCommand[] {
  const { screen, replay } = view;
  const { toggle, step, close } = actions.replay;
  // A talk may run too and has a pause command, so the names say "replay".
  const named = (which: string) => t('shell.under', { what: t('places.replay'), which });
  if (replay.kind === 'none') return [];
  if (screen !== 'replay')
    return [replayCommand(Clapperboard, t('places.replay'), () => actions.go('replay'))];
  const closing = replayCommand(X, t('replay.close'), () => void close(), 'Esc');
  if (replay.kind !== 'open') return [closing];
  const { playing } = replay.play;
  const toggleName = named(t(playing ? 'replay.pause' : 'replay.play'));
  return [
    replayCommand(playing ? Pause : Play, toggleName, () => void toggle()),
    replayCommand(SkipForward, named(t('replay.next')), () => void step('next'), ']'),
    replayCommand(SkipBack, named(t('replay.previous')), () => void step('previous'), '['),
    closing,
  ];
}

export function exampleCommands(context: PaletteContext): readonly PaletteCommand[] {
  const { actions, t } = context;
  const command = commandFactory('examples', context);
  const what = t('replay.examples.see');
  return replayExamples.map((example) => {
    const name = t('shell.under', { what, which: t(`replay.examples.${example}.name`) });
    const open = (): void => void actions.replay.open({ kind: 'example', example });
    return command('examples', Clapperboard, name, open);
  });
}
