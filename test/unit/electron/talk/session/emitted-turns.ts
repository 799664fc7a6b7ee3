import type { SessionEvent } from '../../../../../electron/talk/session/session-event.ts';
import type { Scene } from './session-scene.ts';

/** Short descriptions of events about turns. */
export function turnsOf(scene: Scene): readonly string[] {
  return scene.emitted.flatMap(describeTurn);
}

function describeTurn(event: SessionEvent): readonly string[] {
  if (event.event === 'text') return [`text ${event.turn} ${event.text}`];
  if (event.event === 'audio') return [`audio ${event.turn}`];
  if (event.event === 'turnEnded') return [`ended ${event.turn}`];
  if (event.event === 'listen') return [event.yields ? 'yields' : 'listens'];
  return [];
}

export function idOf(scene: Scene): string {
  return scene.appends.at(-1)?.inputId ?? '';
}
