let held: PromiseWithResolvers<void> | null = null

/**
 * Waits while a pointer is down, until the click that it may make has been heard.
 * What changes the height of a page before that moves the button away from under the pointer, and the click goes
 * nowhere.
 */
export function afterPointer(): Promise<void> {
  return held?.promise ?? Promise.resolve()
}

const listening = { capture: true, passive: true }
addEventListener('pointerdown', () => (held ??= Promise.withResolvers()), listening)
for (const end of ['pointerup', 'pointercancel'] as const) addEventListener(end, release, listening)
// Let go where this window does not hear of it.
addEventListener('blur', ({ target }) => target === window && release(), listening)

function release(): void {
  // The click follows in the same task.
  setTimeout(() => {
    held?.resolve()
    held = null
  })
}
