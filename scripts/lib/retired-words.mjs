/**
 * Words that Parley called things by before it took the field's own: docs/glossary.md has those that
 * are used instead. None of these comes back, in the name of a file, a folder or an export.
 *
 * `word` stands anywhere in a name as a whole word of it, one or several in a row, also in the plural:
 * 'eye' in `CaptureView` and `open-eyes.ts`, not in `keyed`. `first` is a word only where the name begins
 * with it, and `name` is all of the name.
 * @type {readonly ({ readonly instead: string } & (
 *   { readonly word: string } | { readonly first: string } | { readonly name: string }))[]}
 */
export const retiredWords = [
  { word: 'desk', instead: 'controller, or app context of the page' },
  { word: 'care', instead: 'policy, conversation monitor' },
  { word: 'caretaker', instead: 'conversation monitor' },
  { word: 'course', instead: 'talk lifecycle, session context' },
  { word: 'happening', instead: 'session input' },
  { word: 'wish', instead: 'session command' },
  { word: 'eye', instead: 'capture controller' },
  { word: 'shutter', instead: 'frame grabber' },
  { word: 'door', instead: 'capture permission, services' },
  { word: 'doorkeeper', instead: 'what it checks' },
  { word: 'seeing', instead: 'vision, frame pipeline' },
  { word: 'ear', instead: 'uplink path, voice detector' },
  { word: 'lobby', instead: 'worker pool' },
  { word: 'visit', instead: 'connection context' },
  { word: 'manners', instead: 'server profile' },
  { word: 'simulator', instead: 'gateway' },
  { word: 'errand', instead: 'remote command' },
  { word: 'deed', instead: 'remote action' },
  { word: 'conduct', instead: 'run' },
  { word: 'hands', instead: 'action context' },
  { word: 'settings room', instead: 'UI state' },
  { word: 'sound turn', instead: 'device lock' },
  { word: 'sound use', instead: 'lease' },
  { word: 'sound news', instead: 'device event' },
  { word: 'resting', instead: 'idle-closing' },
  { word: 'late socket', instead: 'lazy sockets' },
  { word: 'stream keeper', instead: 'stream supervisor' },
  { word: 'talk gate', instead: 'transmit gate' },
  { word: 'dip', instead: 'ducking' },
  { word: 'shelf', instead: 'cache' },
  { word: 'matter', instead: 'payload' },
  { word: 'particular', instead: 'common fields' },
  { word: 'figure', instead: 'stats, counters' },
  { word: 'need', instead: 'deps' },
  { word: 'or refuse', instead: 'unwrap' },
  { first: 'most', instead: 'max…' },
  { first: 'largest', instead: 'max…' },
  { first: 'longest', instead: 'max…' },
  { first: 'least', instead: 'min…' },
  { first: 'fewest', instead: 'min…' },
  { first: 'shortest', instead: 'min…' },
  { first: 'smallest', instead: 'min…' },
  { first: 'usual', instead: 'default…' },
  { name: 'within', instead: 'withTimeout' },
  { name: 'tell', instead: 'emit' },
];
