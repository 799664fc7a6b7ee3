import { lookCommands } from './look-commands.ts';
import type { PaletteCommand, PaletteContext } from './palette-command.ts';
import { placeCommands, programCommands, settingCommands } from './place-commands.ts';
import { exampleCommands, replayCommands } from './replay-commands.ts';
import { talkCommands } from './talk-commands.ts';

/** What can be done at the moment, the likeliest first. */
export function paletteCommands(context: PaletteContext): readonly PaletteCommand[] {
  return [
    ...replayCommands(context),
    ...talkCommands(context),
    ...placeCommands(context),
    ...lookCommands(context),
    ...exampleCommands(context),
    ...programCommands(context),
    ...settingCommands(context),
  ];
}
