import { act, renderHook } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useTypedSearch } from './use-typed-search.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function useSearchIn(written: string[]) {
  const [address, setAddress] = useState('')
  const write = (text: string) => {
    written.push(text)
    setAddress(text)
  }
  return { ...useTypedSearch(address, write), go: setAddress }
}

test('what is typed counts at once and is written to the address once, when the typing rests', () => {
  const written: string[] = []
  const { result } = renderHook(() => useSearchIn(written))
  for (const text of ['a', 'ab', 'abc']) act(() => result.current.type(text))
  expect([result.current.text, written]).toEqual(['abc', []])
  act(() => void vi.advanceTimersByTime(300))
  expect([result.current.text, written]).toEqual(['abc', ['abc']])
})

test('an address that changes from outside is followed, but not over what is being typed', () => {
  const { result } = renderHook(() => useSearchIn([]))
  act(() => result.current.go('shared'))
  expect(result.current.text).toBe('shared')
  act(() => result.current.type('sharedx'))
  act(() => result.current.go('late'))
  expect(result.current.text).toBe('sharedx')
})

test('what was typed on a page that is gone is not written', () => {
  const written: string[] = []
  const { result, unmount } = renderHook(() => useSearchIn(written))
  act(() => result.current.type('a'))
  unmount()
  vi.advanceTimersByTime(300)
  expect(written).toEqual([])
})
