import { useEffect, useRef, useState } from 'react'

/** The address is written when so long no key came: it redraws more of the page than a search does. */
const REST_MS = 200

/**
 * What is typed into a search, at once, and in the address when the typing rests. Back, Clear and a shared link change
 * it from outside.
 */
export function useTypedSearch(
  inAddress: string,
  write: (text: string) => void,
): { text: string; type: (text: string) => void } {
  const [text, setText] = useState(inAddress)
  const writing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(write)
  latest.current = write
  useEffect(() => {
    // What was typed since is newer than what the address says.
    if (writing.current === undefined) setText(inAddress)
  }, [inAddress])
  useEffect(() => () => clearTimeout(writing.current), [])
  const type = (next: string) => {
    setText(next)
    clearTimeout(writing.current)
    writing.current = setTimeout(
      () => {
        writing.current = undefined
        latest.current(next)
      },
      next === '' ? 0 : REST_MS,
    )
  }
  return { text, type }
}
