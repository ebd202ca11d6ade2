/**
 * Whether there were more requests than allowed in the last `seconds`, from the counts of this window and the one
 * before it: of that one as much is taken as still lies within.
 * @param position how far into this window it is, 0 to below 1
 */
export function tooMany(before: number, current: number, position: number, requests: number): boolean {
  return before * (1 - position) + current > requests
}
