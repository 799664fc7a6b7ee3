import type { ShownSettings } from '../../shared/settings/shown-settings.ts';
import { useView } from '../store/use-desk.ts';
import type { RowId } from './row-words.ts';

/** One group of the settings; the screen shows no section before they have come. */
export function useGroup<Name extends keyof ShownSettings>(name: Name): ShownSettings[Name] {
  const group = useView(({ settings }) => settings?.[name]);
  if (group === undefined) throw new Error('A section stands there before the settings have come.');
  return group;
}

/** What stands in a field: what was typed and is on its way, or else what is set. */
export function useTyped<Value>(id: RowId, set: Value): Value {
  const typed = useView(({ room }) => room.fields[id]?.typed);
  return typed === undefined ? set : (typed as Value);
}
