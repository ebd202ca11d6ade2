import type { TicketDetail } from '@fairway/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const AT = '2026-11-21T10:00:00Z'
const ticket: TicketDetail = {
  id: 't1',
  ticketId: '10001',
  subject: 'My site is locked.',
  domain: 'www.example.com',
  planName: 'Business',
  state: 'answered',
  priority: false,
  author: 'ada@example.com',
  organizationId: 'o1',
  organizationName: 'Example',
  messageCount: 2,
  createdAt: AT,
  modifiedAt: AT,
  provider: 'embedded',
  messages: [
    { id: 'm1', author: 'ada@example.com', fromSupport: false, text: 'What now?', createdAt: AT },
    { id: 'm2', author: 'op@example.com', fromSupport: true, text: 'It is open again.', createdAt: AT },
  ],
  context: {
    siteVersions: [{ site: 'example.com', version: 3 }],
    decisionIds: [],
    requestIds: ['req-9'],
    errorCode: 909996,
    page: '/home',
    softwareVersion: '2.40.5',
  },
}
const listed = {
  'GET /account/v2/tickets/': () => ({ data: [ticket], meta: { total: 1, page: 1, pageSize: 500 } }),
  'GET /account/v2/tickets/t1/': () => ticket,
}

test('who comes from an error finds its subject, and the error, the call and the versions go along', async () => {
  const changes = stubApi({ ...listed, 'POST /account/v2/ticket/': () => ({ ticketId: '10002', id: 't2' }) })
  openScreen('/support?code=909996&request=req-9')
  expect((await screen.findByLabelText<HTMLInputElement>('Subject')).value).toBe('My site is locked.')
  fireEvent.change(screen.getByLabelText('What happened'), { target: { value: 'Everything stopped' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Send ticket' }))
  expect(await screen.findByText('Ticket 10002 was sent')).toBeDefined()
  expect(changes[0]?.body).toMatchObject({
    subject: 'My site is locked.',
    message: 'Everything stopped',
    context: { errorCode: 909996, requestIds: ['req-9'], siteVersions: [{ site: 'example.com', version: 3 }] },
  })
})

test('a ticket that was not sent says why and keeps what was typed', async () => {
  stubApi({
    ...listed,
    'POST /account/v2/ticket/': () => ({ status: 503, body: { meta: { code: 503, message: 'x', requestId: 'r' } } }),
  })
  openScreen('/support?open=new')
  fireEvent.change(await screen.findByLabelText('Subject'), { target: { value: 'Help' } })
  fireEvent.change(screen.getByLabelText('What happened'), { target: { value: 'It broke' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Send ticket' }))
  expect(await screen.findByText('It was not sent')).toBeDefined()
  expect(screen.getByLabelText<HTMLTextAreaElement>('What happened').value).toBe('It broke')
})

test('a conversation is read and answered', async () => {
  const changes = stubApi({ ...listed, 'POST /account/v2/tickets/t1/messages/': () => ticket })
  openScreen('/support?open=t1')
  expect(await screen.findByText('It is open again.')).toBeDefined()
  expect(screen.queryByText('op@example.com')).toBeNull()
  fireEvent.change(screen.getByLabelText('Your reply'), { target: { value: 'Thank you' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Send reply' }))
  await waitFor(() => expect(changes.map(({ body }) => body)).toEqual([{ message: 'Thank you' }]))
})

test('where the partner hides support, its address stands instead of tickets', async () => {
  stubApi({}, accountOf({ hideFeature: ['support'] }))
  openScreen('/support')
  await waitFor(() => expect(document.body.textContent).toMatch(/Support answers by e-mail|may not|could not be found/))
})
