import { fireEvent } from '@testing-library/react'
import { expect, test } from 'vitest'
import { onOpenPalette, openPalette, takeCaughtKeys } from './palette-store.ts'

test('what is typed before the field is there is kept for it, and reaches nothing else', () => {
  const close = onOpenPalette(() => {})
  const reached: string[] = []
  const listen = (event: KeyboardEvent) => reached.push(event.key)
  document.addEventListener('keydown', listen)
  openPalette()
  for (const key of ['a', 'd', 'x', 'Backspace', 'd']) fireEvent.keyDown(document.body, { key })
  expect([takeCaughtKeys(), reached]).toEqual(['add', []])
  fireEvent.keyDown(document.body, { key: 'g' })
  expect([takeCaughtKeys(), reached]).toEqual(['', ['g']])
  openPalette()
  fireEvent.keyDown(document.body, { key: 'Escape' })
  fireEvent.keyDown(document.body, { key: 'h' })
  expect([takeCaughtKeys(), reached]).toEqual(['', ['g', 'Escape', 'h']])
  document.removeEventListener('keydown', listen)
  close()
})
