import './i18n/configure-zod.ts'
import { signedInCookie } from '@fairway/contract'
import { notifications } from '@mantine/notifications'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { i18n } from './i18n/i18n.ts'

// The first screen of a run loads its chunks, which a busy machine takes its time for.
configure({ asyncUtilTimeout: 20_000 })

// What happy-dom lacks and Mantine asks for.
window.matchMedia ??= (query) => ({
  matches: false,
  media: query,
  onchange: null,
  addListener: () => {},
  removeListener: () => {},
  addEventListener: () => {},
  removeEventListener: () => {},
  dispatchEvent: () => false,
})

// What stands below a block that is on its way is hidden. happy-dom remembers what an element inherited, and does not
// notice that the block before it has come: layers, which stand in the page here, would stay hidden now and then.
if (!document.getElementById('visible')) {
  const style = Object.assign(document.createElement('style'), { id: 'visible' })
  style.textContent = '* { visibility: visible !important }'
  document.head.append(style)
}

/** Where the page of all files is. */
const HOME = location.href

beforeEach(() => {
  // Snackbars are kept outside of the page: the Undo of a test before, also of another file's, would be found and
  // clicked.
  notifications.clean()
  // A test that follows a link out of the console takes the page along, and a cookie needs a host.
  if (location.href !== HOME)
    (window as unknown as { happyDOM: { setURL: (url: string) => void } }).happyDOM.setURL(HOME)
  document.cookie = `${signedInCookie(location.port)}=1; path=/; samesite=strict`
})

afterEach(async () => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  // All files share one page: a language that a test chose must not be the next one's.
  document.cookie = 'i18n_redirected=; path=/; max-age=0'
  document.documentElement.lang = 'en'
  if (i18n.isInitialized && i18n.language !== 'en') await i18n.changeLanguage('en')
})

// A part of the program that is still loading when a file ends could be loaded by no other file of this page.
afterAll(() => vi.dynamicImportSettled())

// Growing text fields measure again when fonts arrive; this document has no fonts to wait for.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })
