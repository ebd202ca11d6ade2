/**
 * A failure that a person can mend: the message is a sentence that says what to do. Whoever runs the role shows it as
 * it is.
 */
export class Problem extends Error {}
