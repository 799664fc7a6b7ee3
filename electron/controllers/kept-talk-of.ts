import type { KeptTalk } from '../../shared/history/talk-keeping.ts';
import type { PrivacySettings } from '../../shared/settings/settings-groups.ts';
import type { KeptTalkWriter } from '../recorder/history/kept-talk-writer.ts';

export interface ShownTalk {
  /** None of a talk that leaves nothing. */
  readonly writer: KeptTalkWriter | undefined;
  readonly ended: boolean;
}

/** What the window says of the text of the talk that it shows. */
export function keptTalkOf(
  shown: ShownTalk | undefined,
  policy: PrivacySettings['keepTalks'],
): KeptTalk {
  if (shown === undefined) return { kind: 'unkept' };
  const { writer, ended } = shown;
  if (writer === undefined) return { kind: 'incognito' };
  if (policy === 'no' || (ended && writer.builder.isEmpty)) return { kind: 'unkept' };
  if (policy === 'yes') return { kind: 'kept', id: writer.id };
  return { kind: ended ? 'asked' : 'held' };
}
