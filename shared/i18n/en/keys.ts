export const englishKeys = {
  Space: 'Space',
  Control: 'Ctrl',
  Alt: 'Alt',
  Shift: 'Shift',
  Meta: 'Meta',
  left: 'left %',
  right: 'right %',
  none: 'no key',
  numpad: '% on the number pad',
} as const;
