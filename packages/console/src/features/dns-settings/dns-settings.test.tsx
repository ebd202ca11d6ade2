import type { DnsPrimary, Dnssec } from '@fairway/contract'
import { SECONDARY_SERVERS, secondaryConfig } from '@fairway/domain'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const PAGE = '/example.com/dns/settings'
const DNSSEC = '/mdns/v2/zones/s1/dnssec/'
const AT = '2026-01-01T00:00:00Z'
const key = (change: Partial<Dnssec['keys'][number]> = {}) => ({
  id: 'k1',
  tag: 4242,
  state: 'active' as const,
  since: AT,
  flags: 257,
  algorithm: 13,
  digestType: 2,
  digest: 'AB'.repeat(32),
  publicKey: 'cHVibGlj',
  atParent: false,
  ...change,
})
const off: Dnssec = {
  state: 'off',
  since: null,
  keys: [],
  parent: { ds: [], unknown: 0, checkedAt: null, answered: true },
  dueAt: null,
}
const waiting: Dnssec = { ...off, state: 'waiting', since: AT, keys: [key()], parent: { ...off.parent, checkedAt: AT } }
const answers = (now: Dnssec, secondaries: object[] = []) => ({
  [`GET ${DNSSEC}`]: () => now,
  'GET /mdns/v2/secondaries/': () => ({
    data: secondaries,
    catalog: 'catalog-1.fairway.test',
    withheld: [],
    primary: { host: '192.0.2.1', port: 53 },
  }),
})

test('an unsigned zone offers to be signed, by one click', async () => {
  const changes = stubApi({
    ...answers(off),
    [`POST ${DNSSEC}enable/`]: () => ({ data: waiting, meta: { version: 2 } }),
  })
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Turn on DNSSEC' }))
  await waitFor(() => expect(changes.map(({ path }) => path)).toEqual([`${DNSSEC}enable/`]))
})

test('while the DS is missing its fields stand there as registrars ask for them, and the key for those who want it', async () => {
  stubApi(answers(waiting))
  openScreen(PAGE)
  const shown = await screen.findByRole('region', { name: 'Key 4242' })
  for (const text of ['4242', '13', 'AB'.repeat(32), `example.com. IN DS 4242 13 2 ${'AB'.repeat(32)}`])
    expect(within(shown).getByText(text)).toBeDefined()
  fireEvent.click(within(shown).getByText('Public key'))
  expect(within(shown).getByText('cHVibGlj')).toBeDefined()
  expect(screen.getByText('Give the DS record to the registrar').closest('li')?.getAttribute('aria-current')).toBe(
    'step',
  )
})

test('turning off is asked once, and says that the DS comes first', async () => {
  const changes = stubApi({
    ...answers({ ...waiting, state: 'secured', keys: [key({ atParent: true })] }),
    [`POST ${DNSSEC}disable/`]: () => ({ data: { ...waiting, state: 'withdrawing' }, meta: { version: 3 } }),
  })
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Turn off…' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/First the parent has to take the DS record away/)).toBeDefined()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Turn off…' }))
  await waitFor(() => expect(changes.map(({ path }) => path)).toEqual([`${DNSSEC}disable/`]))
})

test('a DS of somebody else is told as what it is', async () => {
  stubApi(answers({ ...waiting, parent: { ...waiting.parent, ds: ['1 8 2 00'], unknown: 1 } }))
  openScreen(PAGE)
  expect(await screen.findByText('The parent names a key that is not ours')).toBeDefined()
})

test('a new secondary shows its configuration with the secret, for every server', async () => {
  const secondary = { id: 'n1', name: 'Backup', notify: '192.0.2.9:53', keyName: 'fairway-ab', createdAt: AT }
  const changes = stubApi({
    ...answers(off),
    'POST /mdns/v2/secondaries/': () => ({ data: secondary, secret: 'c2VjcmV0' }),
  })
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Add secondary' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.change(within(dialog).getByLabelText('Name'), { target: { value: 'Backup' } })
  fireEvent.change(within(dialog).getByLabelText('Address for notices'), { target: { value: 'nowhere' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Add secondary' }))
  expect(await within(dialog).findByText('Enter an address and a port, like 192.0.2.53:53')).toBeDefined()
  fireEvent.change(within(dialog).getByLabelText('Address for notices'), { target: { value: '192.0.2.9:53' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Add secondary' }))
  expect(await screen.findByText(/c2VjcmV0/)).toBeDefined()
  expect(changes.map(({ body }) => body)).toEqual([{ name: 'Backup', notify: '192.0.2.9:53' }])
  for (const { id } of SECONDARY_SERVERS)
    expect(
      secondaryConfig(id, { keyName: 'k', secret: 's3cret', catalog: 'cat.test', host: '192.0.2.1', port: 5300 }),
    ).toMatch(/s3cret/)
})

test('without the right to edit nothing offers to; a failure leaves the page standing', async () => {
  stubApi({ ...answers(waiting), [`GET ${DNSSEC}`]: () => refusal(500, 500) }, accountOf({ permissions: ['ViewSite'] }))
  openScreen(PAGE)
  expect(await screen.findByText(/Quote req-1/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Add secondary' })).toBeNull()
})

const PRIMARY = '/mdns/v2/zones/s1/primary/'
const fetched: DnsPrimary = {
  servers: ['192.0.2.53:53'],
  key: { name: 'hidden', algorithm: 'hmac-sha256' },
  state: 'current',
  problem: null,
  serial: 2_026_010_101,
  refreshedAt: AT,
  transferredAt: AT,
  noticedAt: null,
  dueAt: AT,
  expiresAt: AT,
}

test('a zone is fetched from a primary by its address and key; what does not fit is said at its field', async () => {
  const changes = stubApi({
    ...answers(off),
    [`PUT ${PRIMARY}`]: () => ({ data: { ...fetched, state: 'waiting' }, meta: { version: 2 } }),
  })
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Fetch from a primary…' }))
  const dialog = await screen.findByRole('dialog')
  const fill = (label: string, value: string) =>
    fireEvent.change(within(dialog).getByLabelText(label), { target: { value } })
  expect(within(dialog).getByText('The records here are replaced')).toBeDefined()
  fill('Primary servers', 'ns.example.com')
  fill('Name of the key', 'hidden')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Fetch' }))
  expect(await within(dialog).findByText('Enter an address and a port, like 192.0.2.53:53')).toBeDefined()
  fill('Primary servers', '192.0.2.53:53\n[2001:db8::53]:53')
  fill('Secret', 'c2VjcmV0c2VjcmV0')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Fetch' }))
  await waitFor(() =>
    expect(changes.map(({ body }) => body)).toEqual([
      {
        servers: ['192.0.2.53:53', '[2001:db8::53]:53'],
        key: { name: 'hidden', algorithm: 'hmac-sha256', secret: 'c2VjcmV0c2VjcmV0' },
      },
    ]),
  )
})

test('questions to a primary are signed unless that is switched off, and the switch says which', async () => {
  const changes = stubApi({
    ...answers(off),
    [`PUT ${PRIMARY}`]: () => ({ data: { ...fetched, key: null, state: 'waiting' }, meta: { version: 2 } }),
  })
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Fetch from a primary…' }))
  const dialog = await screen.findByRole('dialog')
  const signed = within(dialog).getByRole<HTMLInputElement>('switch', { name: 'Sign questions with a key (TSIG)' })
  expect([signed.checked, within(dialog).queryByLabelText('Secret') !== null]).toEqual([true, true])
  fireEvent.click(signed)
  expect([signed.checked, within(dialog).queryByLabelText('Secret') !== null]).toEqual([false, false])
  fireEvent.change(within(dialog).getByLabelText('Primary servers'), { target: { value: '192.0.2.53:53' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Fetch' }))
  await waitFor(() => expect(changes.map(({ body }) => body)).toEqual([{ servers: ['192.0.2.53:53'], key: null }]))
})

test('a fetched zone shows how that goes, can be asked for now, and kept here again', async () => {
  const changes = stubApi({
    ...answers(off),
    [`GET ${PRIMARY}`]: () => ({ data: { ...fetched, state: 'failing', problem: 'badSignature' } }),
    [`POST ${PRIMARY}refresh/`]: () => ({}),
    [`DELETE ${PRIMARY}`]: () => ({ data: {}, meta: { version: 3 } }),
  })
  openScreen(PAGE)
  expect(await screen.findByText('The key does not fit')).toBeDefined()
  for (const text of ['Primary not reached', '192.0.2.53:53', '2026010101'])
    expect(screen.getByText(text)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Ask now' }))
  fireEvent.click(screen.getByRole('button', { name: 'Keep the zone here…' }))
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Keep it here' }))
  await waitFor(() =>
    expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST ${PRIMARY}refresh/`,
      `DELETE ${PRIMARY}`,
    ]),
  )
})
