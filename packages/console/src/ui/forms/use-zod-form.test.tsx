import { Button, TextInput } from '@mantine/core'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { renderPart } from '../../testing/render.tsx'
import { ApiError } from '../../api/api-error.ts'
import { useZodForm } from './use-zod-form.ts'

function Form({ refused = '' }: { refused?: string }) {
  const form = useZodForm(z.object({ name: z.string().min(1) }), { name: refused === '' ? '' : 'x' })
  const save = () =>
    form.takeFieldErrors(new ApiError(400, 400, null, [{ path: 'name', message: `validation.${refused}` }]))
  return (
    <>
      <TextInput label="Name" error={form.problem('name')} {...form.register('name')} />
      <Button onClick={save}>Save</Button>
    </>
  )
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

test.each([
  ['required', 'Required'],
  ['email', 'Enter an e-mail address, like name@example.com'],
  ['max:80', 'Enter at most 80 characters'],
  ['min:3', 'Enter at least 3 characters'],
  ['regex', 'This does not have the right form'],
  ['max_value:4', 'Enter at most 4'],
  ['min_value:1', 'Enter at least 1'],
  ['integer', 'Enter a whole number'],
  ['between:1:365', 'Enter a number from 1 to 365'],
  ['length:2', 'Enter exactly 2 characters'],
  ['isNumbers', 'Enter a number'],
  ['password', 'Use at least 8 characters with an upper-case letter, a lower-case letter and a digit'],
  ['confirmPassword', 'This is not the same password'],
  ['captcha', 'Enter exactly four letters or digits'],
  ['mfaCode', 'Enter six digits'],
  ['organizationName', 'Use letters and digits; separate words by a single space, dot, hyphen or underscore'],
  ['alpha_dash_custom', 'Use letters, digits, hyphens and underscores'],
  ['matchInputString', 'This is not the name'],
  ['invalidName', 'This name is taken. Choose another'],
  ['onlyLowercase', 'Use lower-case letters only'],
])('the rule %s, answered by the API, has its sentence under its field', async (rule, sentence) => {
  renderPart(<Form refused={rule} />)
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  const field = screen.getByRole('textbox', { name: 'Name' })
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  expect(document.getElementById(field.getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent).toBe(
    sentence,
  )
})
