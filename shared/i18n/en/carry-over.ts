/** What frames the record of a conversation for the model that goes on with it. */
export const englishCarryOver = {
  begin: '--- Record of the conversation so far ---',
  about:
    'This conversation goes on from an earlier session. Below is what you said in it, oldest first. What the person said is not on record. Where a line ends in […], you were interrupted there; where one ends in …, it went on. Do not read this out or mention it; go on naturally.',
  end: '--- End of the record ---',
  /** A question that nobody sees: it follows an answer that stopped in the middle. */
  goOnAnswer:
    'Your last answer stopped in the middle. Go on exactly where it stops: repeat nothing of it, and do not introduce or mention that you go on.',
} as const;
