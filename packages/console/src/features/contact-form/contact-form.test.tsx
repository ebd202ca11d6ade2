import { contactForm } from '@fairway/contract'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

test('anybody asks those who sell; what is missing and why it failed is said in the form', async () => {
  let taken = false
  const changes = stubApi({ [`POST ${contactForm.routes.send.path}`]: () => (taken ? {} : refusal(429, 1530)) })
  openScreen('/mvp/cost-reduction')
  fireEvent.click(await screen.findByRole('button', { name: 'Talk to us…' }))
  const dialog = await screen.findByRole('dialog')
  for (const [label, value] of [
    ['First name', 'Ada'],
    ['Last name', 'Lovelace'],
    ['E-mail', 'ada@example.com'],
  ] as const)
    fireEvent.change(within(dialog).getByLabelText(label), { target: { value } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send' }))
  expect(await within(dialog).findByText('Required')).toBeDefined()
  fireEvent.change(within(dialog).getByLabelText('Your question'), { target: { value: 'How much?' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send' }))
  expect(await within(dialog).findByText(/Too many requests from here/)).toBeDefined()
  taken = true
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('The answer comes to ada@example.com.')).toBeDefined()
  expect(changes.at(-1)?.body).toEqual({
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    company: '',
    message: 'How much?',
    page: '/mvp/cost-reduction',
    locale: 'en',
  })
})
