/**
 * Members that something outside our TypeScript reads, and the reader. `Owner` stands for all its members,
 * `Owner.member` for one. Do not list a member that only tests read: connect or delete it.
 * @type {ReadonlyMap<string, string>}
 */
export const readOutside = new Map([
  ['StreamPlan', 'the native streams, in C++'],
  [
    'RequestDefinition.value',
    'the compiler: the field is never set, and only gives the type of a reply',
  ],
  [
    'NativeStream.nativeStream',
    'the compiler: it distinguishes a stream handle from other objects',
  ],
  ['MediaReference', 'the JSON of tapes, which any program may have written'],
  ['PresetText.title', 'the page, with the computed key `presets.${id}.title`'],
  ['PresetText.summary', 'the page, likewise'],
]);
