import { Notifications } from '@mantine/notifications'
import { LIMITS } from '@fairway/contract'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPart } from '../../testing/render.tsx'
import { useSnackbar } from './snackbar.tsx'

function Shower({ undo }: { undo: (turn: number) => void }) {
  const show = useSnackbar()
  return [1, 2].map((turn) => (
    <button
      key={turn}
      type="button"
      onClick={() => show('switch', { message: `Switched ${turn}`, undo: () => undo(turn) })}
    >{`Switch ${turn}`}</button>
  ))
}

function open() {
  vi.useFakeTimers()
  const undo = vi.fn()
  renderPart(
    <>
      <Shower undo={undo} />
      <Notifications />
    </>,
  )
  return undo
}
/** What a timer changes is drawn, and what that begins is over, before the time has passed. */
const pass = (ms: number) => {
  for (let passed = 0; passed < ms; passed += 250) act(() => vi.advanceTimersByTime(250))
}

test('a newer one of the same subject replaces the older and has its whole time', () => {
  const undo = open()
  fireEvent.click(screen.getByText('Switch 1'))
  pass(LIMITS.snackbarMs - 500)
  fireEvent.click(screen.getByText('Switch 2'))
  pass(LIMITS.snackbarMs - 500)
  expect(screen.queryByText('Switched 1')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(undo.mock.calls).toEqual([[2]])
  pass(500)
  expect(screen.queryByText('Switched 2')).toBeNull()
})

test('goes by itself', () => {
  open()
  fireEvent.click(screen.getByText('Switch 1'))
  pass(LIMITS.snackbarMs + 500)
  expect(screen.queryByText('Switched 1')).toBeNull()
})

// The store of snackbars outlives a page: these two stand for any two files.
test('one is left over at the end of a test', () => {
  renderPart(<Shower undo={() => {}} />)
  fireEvent.click(screen.getByText('Switch 1'))
})
test('and is not there in the next', () => {
  renderPart(<Notifications />)
  expect(screen.queryByText('Switched 1')).toBeNull()
})
