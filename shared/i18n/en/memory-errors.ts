/** The placeholders are the facts of the codes in `shared/errors`. */
export const englishMemoryErrors = {
  memoryEmpty: 'There is nothing to remember. Write a sentence.',
  memoryLong: 'This is too long to remember. Write {{most}} characters at most.',
  memoryMany: 'Parley remembers {{most}} sentences at most. Delete one first.',
  memoryListFull: 'The memory is full. Shorten, turn off or delete a sentence first.',
  memoryKnown: 'Parley remembers this already.',
  memoryGone: 'Parley no longer remembers this sentence.',
  memoryUnread: 'The memory could not be read.',
  memoryPutAside: 'A part of the memory was damaged. The old file is kept as {{path}}.',
  memoryNewer: 'A newer Parley wrote the memory. Update Parley to use it.',
  memoryUnkept: 'The memory was not changed.',
};
