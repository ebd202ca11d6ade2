/** Our name in CDN-Loop (RFC 8586). */
export const LOOP_NAME = 'fairway'
/** A simulated CDN in front of the edge in front of an origin is two; more is a circle. */
const PASSES_MAX = 3

/** True when the request has passed through here so often that it must be going in circles. */
export function isLooping(cdnLoop: string): boolean {
  return passesIn(cdnLoop) >= PASSES_MAX
}

/** True when the request, as the server in front has written it down, has been here before that, by whatever way. */
export function hasComeBack(cdnLoop: string): boolean {
  return passesIn(cdnLoop) > 1
}

function passesIn(cdnLoop: string): number {
  // What nearly every request says is known without taking it apart (a loop ends the compiled way of a request).
  if (cdnLoop === '') return 0
  if (cdnLoop === LOOP_NAME) return 1
  return passesAmong(cdnLoop)
}

function passesAmong(cdnLoop: string): number {
  let passes = 0
  for (const item of cdnLoop.split(',')) {
    const name = item.split(';')[0]
    if (name !== undefined && name.trim().toLowerCase() === LOOP_NAME) passes += 1
  }
  return passes
}
