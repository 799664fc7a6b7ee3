/** What frames the record of a conversation for the model that goes on with it. */
export const englishCarryOver = {
  begin: '--- Record of the conversation so far ---',
  about:
    'This conversation goes on from an earlier session. Below is what you said in it, oldest first. What the person said is not on record. Where a line ends in […], you were interrupted there; where one ends in …, it went on. Do not read this out or mention it; go on naturally.',
  end: '--- End of the record ---',
  /** Stands before what the model itself has made of the oldest part. */
  shortened: 'In short, what you said before that:',
  shortenSystem: 'You keep the minutes of a conversation. You never answer it.',
  /** Its lines follow. The number is looked for by the demonstration. */
  shorten:
    'Below is what one side of a conversation has said, oldest first. Put it into at most 120 words, so that the conversation can go on from there: names, numbers, what was asked for, promised and decided, and where things stand. Write in the language in which it was said, in plain sentences, without an introduction, and add nothing.',
  /** A question that nobody sees: it follows an answer that stopped in the middle. */
  goOnAnswer:
    'Your last answer stopped in the middle. Go on exactly where it stops: repeat nothing of it, and do not introduce or mention that you go on.',
} as const;
