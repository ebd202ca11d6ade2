/** An object that nobody has asked for in so long is removed, however fresh it is. */
export const INACTIVE_SECONDS = 7 * 86_400
/** So long after it was last to be found an object is gone for certain: what removes them takes its time. */
export const STORED_SECONDS = INACTIVE_SECONDS + 86_400
