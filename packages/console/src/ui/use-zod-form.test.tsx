import { TextInput } from '@mantine/core'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { renderPart } from '../testing/render.tsx'
import { useZodForm } from './use-zod-form.ts'

function Form() {
  const form = useZodForm(z.object({ name: z.string().min(1) }), { name: '' })
  return <TextInput label="Name" error={form.problem('name')} {...form.register('name')} />
}

test('what leaving a field says waits until the pointer is up, so that the click it began finds its button', async () => {
  renderPart(<Form />)
  const field = screen.getByRole('textbox', { name: 'Name' })
  field.focus()
  fireEvent.pointerDown(document.body)
  fireEvent.blur(field)
  await act(async () => {})
  expect(field.getAttribute('aria-invalid')).not.toBe('true')
  fireEvent.pointerUp(document.body)
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
})
