import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPart } from '../../testing/render.tsx'
import { ConfirmByName } from './confirm-by-name.tsx'

function open(onConfirm: () => void) {
  renderPart(
    <ConfirmByName
      opened
      onClose={() => {}}
      title="Delete the site?"
      name="shop.example"
      verb="Delete site"
      onConfirm={onConfirm}
    >
      Everything of it is gone for good.
    </ConfirmByName>,
  )
  return {
    field: screen.getByLabelText('Type shop.example to confirm'),
    button: screen.getByRole('button', { name: 'Delete site' }),
  }
}

test('another name does nothing but say so', () => {
  const onConfirm = vi.fn()
  const { field, button } = open(onConfirm)
  fireEvent.change(field, { target: { value: 'shop.exampl' } })
  fireEvent.click(button)
  expect(onConfirm).not.toHaveBeenCalled()
  expect(screen.getByText('This is not the name')).toBeDefined()
})

test('the name confirms, spaces around it do not matter', () => {
  const onConfirm = vi.fn()
  const { field } = open(onConfirm)
  fireEvent.change(field, { target: { value: ' shop.example ' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(onConfirm).toHaveBeenCalledTimes(1)
})
