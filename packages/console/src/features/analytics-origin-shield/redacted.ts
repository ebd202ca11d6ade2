/** What the edge writes where a secret stood; a character that no request holds begins it. */
export const REDACTED_MARK = '\u0001redacted'
