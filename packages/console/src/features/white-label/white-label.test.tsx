import type { WhiteLabel, WhiteLabelRecord } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const ID = '6f1c0d8e-0f5d-4d0e-9a56-0b8f2d1c7e10'
const PATH = '/operator/v2/white-label/'
const recordOf = (change: Partial<WhiteLabelRecord>): WhiteLabelRecord => ({
  id: 'ns',
  use: 'nameservers',
  name: 'dns.nimbus.test',
  type: 'NS',
  values: ['ns1.dns.nimbus.test', 'ns2.dns.nimbus.test'],
  place: 'parent',
  required: true,
  state: 'wrong',
  seen: ['ns.other.test'],
  checkedAt: '2026-11-21T10:00:00Z',
  ...change,
})
const whiteLabelOf = (change: Partial<WhiteLabel> = {}): WhiteLabel => ({
  partner: ID,
  companyName: 'Nimbus',
  isDefault: false,
  serviceDomain: 'dns.nimbus.test',
  cnameHost: null,
  senderAddress: null,
  senderName: null,
  since: { nameservers: null, cname: null, sender: null },
  records: [
    recordOf({}),
    ...['ns3', 'ns4', 'cn1'].map((name) =>
      recordOf({
        id: `name-${name}`,
        name: `${name}.dns.nimbus.test`,
        type: 'A',
        values: ['192.0.2.53'],
        place: 'answered',
        state: 'missing',
        seen: [],
      }),
    ),
  ],
  leaks: [
    { use: 'nameservers', reason: 'not-ready', shown: 'ns1.house.test', organizations: 0 },
    { use: 'cname', reason: 'earlier', shown: '….edge.house.test', organizations: 2 },
  ],
  ...change,
})

test("a partner's people see what to set, what was seen of it, and what leaks", async () => {
  stubApi({ [`GET ${PATH}`]: () => ({ data: [whiteLabelOf()] }) }, accountOf({ administersPartner: true }))
  openScreen('/operator/white-label')
  const list = within(await screen.findByRole('list', { name: 'Nameservers' }))
  expect(list.getByText('ns2.dns.nimbus.test')).toBeDefined()
  expect(list.getByText('Not right')).toBeDefined()
  expect(list.getByText('ns.other.test')).toBeDefined()
  // Three names that all say the same are one line.
  expect(list.getByText('ns3.dns.nimbus.test … cn1.dns.nimbus.test (3 names)')).toBeDefined()
  expect(list.queryByText('ns4.dns.nimbus.test')).toBeNull()
  expect(screen.getByText('Not given out yet')).toBeDefined()
  const leaks = within(screen.getByRole('region', { name: 'What of the installation’s own customers see' }))
  expect(leaks.getByText('ns1.house.test')).toBeDefined()
  expect(leaks.getByText('2 organisations were here before and keep it.')).toBeDefined()
})

test('names are saved as one, an empty field is none, and a name that is taken says so at its field', async () => {
  let refuse = true
  const changes = stubApi(
    {
      [`GET ${PATH}`]: () => ({ data: [whiteLabelOf()] }),
      [`PUT ${PATH}${ID}/`]: () =>
        refuse
          ? {
              status: 409,
              body: {
                meta: {
                  code: 7491,
                  message: 'x',
                  requestId: 'r',
                  fields: [{ path: 'cnameHost', message: 'code:7491' }],
                },
              },
            }
          : whiteLabelOf({ cnameHost: 'cdn.nimbus.test', serviceDomain: null }),
      [`POST ${PATH}${ID}/check/`]: () => whiteLabelOf(),
    },
    accountOf({ isOperator: true }),
  )
  openScreen('/operator/white-label')
  fireEvent.change(await screen.findByLabelText('Service domain'), { target: { value: '' } })
  fireEvent.change(screen.getByLabelText('CDN names'), { target: { value: 'cdn.nimbus.test' } })
  const bar = within(await screen.findByRole('region', { name: 'Unsaved changes' }))
  fireEvent.click(bar.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.getByLabelText('CDN names').getAttribute('aria-invalid')).toBe('true'))
  refuse = false
  fireEvent.click(bar.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(changes.findLast(({ method }) => method === 'PUT')?.body).toEqual({
      serviceDomain: null,
      cnameHost: 'cdn.nimbus.test',
      senderAddress: null,
      senderName: null,
    }),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Look again' }))
  await waitFor(() => expect(changes.some(({ method }) => method === 'POST')).toBe(true))
})
