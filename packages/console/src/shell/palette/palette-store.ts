/** As it is printed on the visitor's keyboard. */
export const PALETTE_KEYS = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'

let open: (() => void) | null = null
/** What was typed since it was asked for; null while its own field takes the keys. */
let caught: string | null = null

/** Opens the palette of the shell that is on the screen. What is typed before its field is there is kept for it. */
export function openPalette(): void {
  if (!open) return
  const { activeElement } = document
  if (!(activeElement instanceof HTMLElement && activeElement.dataset['palette'] !== undefined)) catchKeys()
  open()
}

/** The shell says how it is opened there. Answers a function that takes it back. */
export function onOpenPalette(how: () => void): () => void {
  open = how
  return () => {
    if (open === how) open = null
  }
}

/** The palette's field has the keys from here on; answers what was typed before. */
export function takeCaughtKeys(): string {
  const text = caught ?? ''
  stopCatching()
  return text
}

function catchKeys(): void {
  if (caught !== null) return
  caught = ''
  window.addEventListener('keydown', onKey, true)
  window.addEventListener('pointerdown', stopCatching, true)
}

function stopCatching(): void {
  caught = null
  window.removeEventListener('keydown', onKey, true)
  window.removeEventListener('pointerdown', stopCatching, true)
}

function onKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event
  if (caught === null || ctrlKey || metaKey || altKey) return
  if (key === 'Escape' || key === 'Tab') return stopCatching()
  if (key.length === 1) caught += key
  else if (key === 'Backspace') caught = caught.slice(0, -1)
  else return
  event.preventDefault()
  event.stopImmediatePropagation()
}
