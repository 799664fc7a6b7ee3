export const englishKeys = {
  Space: 'Space',
  Control: 'Ctrl',
  Alt: 'Alt',
  Shift: 'Shift',
  Meta: 'Meta',
  left: 'left %',
  right: 'right %',
  numpad: '% on the number pad',
} as const;
