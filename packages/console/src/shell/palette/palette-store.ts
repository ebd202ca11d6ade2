/** As it is printed on the visitor's keyboard. */
export const PALETTE_KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'

let open: (() => void) | null = null

/** Opens the palette of the shell that is on the screen. */
export function openPalette(): void {
  open?.()
}

/** The shell says how it is opened there. Answers a function that takes it back. */
export function onOpenPalette(how: () => void): () => void {
  open = how
  return () => {
    if (open === how) open = null
  }
}
