/**
 * Members that something reads which is no TypeScript of ours, and what that is. `Owner` is all of it,
 * `Owner.member` one. Whatever only tests read does not stand here: it is connected, or it goes.
 * @type {ReadonlyMap<string, string>}
 */
export const readOutside = new Map([
  ['StreamPlan', 'the native streams, in C++'],
  [
    'RequestDefinition.value',
    'the compiler: it is never set, and tells what type a request answers',
  ],
  ['NativeStream.nativeStream', 'nobody: it tells the handle of a stream from any other object'],
  ['MediaReference', 'tapes, from which it is read as JSON that anybody may have written'],
  ['PresetText.title', 'the page, by a key it puts together: `presets.${id}.title`'],
  ['PresetText.summary', 'the page, likewise'],
]);
