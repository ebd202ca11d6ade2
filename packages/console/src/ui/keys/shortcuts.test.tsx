import { fireEvent, render } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { activeShortcuts, useShortcut } from './shortcuts.ts'

function Keys({ keys, run, enabled = true }: { keys: string; run: () => void; enabled?: boolean }) {
  useShortcut(keys, `does ${keys}`, run, enabled)
  return <input aria-label="field" />
}

function press(...keys: string[]) {
  for (const key of keys) fireEvent.keyDown(document.body, { key })
}

test('a chord needs its first key', () => {
  const run = vi.fn()
  render(<Keys keys="g d" run={run} />)
  press('d')
  expect(run).not.toHaveBeenCalled()
  press('g', 'd')
  expect(run).toHaveBeenCalledTimes(1)
})

test('letters never fire in a field, nor with Ctrl', () => {
  const run = vi.fn()
  const { getByLabelText } = render(<Keys keys="c" run={run} />)
  fireEvent.keyDown(getByLabelText('field'), { key: 'c' })
  fireEvent.keyDown(document.body, { key: 'c', ctrlKey: true })
  expect(run).not.toHaveBeenCalled()
})

test('nothing fires behind an open layer', () => {
  const run = vi.fn()
  render(
    <>
      <Keys keys="c" run={run} />
      <div role="dialog" aria-label="x" />
    </>,
  )
  press('c')
  expect(run).not.toHaveBeenCalled()
})

test('a page’s own shortcut stands above the shell’s', () => {
  const [shell, page] = [vi.fn(), vi.fn()]
  render(
    <>
      <Keys keys="/" run={shell} />
      <Keys keys="/" run={page} />
    </>,
  )
  press('/')
  expect([shell.mock.calls.length, page.mock.calls.length]).toEqual([0, 1])
})

test('only what works now is in the help', () => {
  const { unmount } = render(
    <>
      <Keys keys="c" run={() => {}} />
      <Keys keys="x" run={() => {}} enabled={false} />
    </>,
  )
  expect(activeShortcuts().map(({ keys }) => keys)).toEqual(['c'])
  unmount()
  expect(activeShortcuts()).toEqual([])
})
