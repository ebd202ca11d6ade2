import { useEffect, useRef } from 'react'

/** Keys in order, separated by a space: `g d`, `/`, `?`. Letters are lower case. */
export type Keys = string

type Shortcut = { keys: Keys; label: string; run: () => void }

const registered = new Set<Shortcut>()
const CHORD_MS = 1200
let typed = ''
let typedAt = 0

/** What can be pressed right now, for the help dialog; a page's own come last. */
export function activeShortcuts(): readonly { keys: Keys; label: string }[] {
  return [...registered].filter(({ label }) => label !== '')
}

/**
 * Runs `action` when `keys` are pressed outside of inputs and layers. An empty label keeps it out of the help dialog.
 */
export function useShortcut(keys: Keys, label: string, action: () => void, enabled = true): void {
  const latest = useRef(action)
  latest.current = action
  useEffect(() => {
    if (!enabled) return
    const shortcut: Shortcut = { keys, label, run: () => latest.current() }
    if (registered.size === 0) document.addEventListener('keydown', onKeyDown)
    registered.add(shortcut)
    return () => {
      registered.delete(shortcut)
      if (registered.size === 0) document.removeEventListener('keydown', onKeyDown)
    }
  }, [keys, label, enabled])
}

function onKeyDown(event: KeyboardEvent): void {
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    isTyping(event.target) ||
    isLayerOpen()
  )
    return
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const chord = event.timeStamp - typedAt < CHORD_MS && typed !== '' ? `${typed} ${key}` : key
  const found = latestFor(chord) ?? latestFor(key)
  typed = key
  typedAt = event.timeStamp
  if (!found) return
  typed = ''
  event.preventDefault()
  found.run()
}

/** The one registered last wins: a page's shortcut stands above the shell's. */
function latestFor(keys: Keys): Shortcut | undefined {
  return [...registered].findLast((shortcut) => shortcut.keys === keys)
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches(
        'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [role=combobox], [role=menuitem]',
      ))
  )
}

function isLayerOpen(): boolean {
  return document.querySelector('[role=dialog], [role=menu], [role=listbox]') !== null
}
