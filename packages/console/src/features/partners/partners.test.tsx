import type { Partner } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Call, accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const ID = '6f1c0d8e-0f5d-4d0e-9a56-0b8f2d1c7e10'
const partnerOf = (change: Partial<Partner> = {}): Partner => ({
  id: ID,
  acronym: 'nimbus',
  isDefault: false,
  organizationCount: 0,
  passkeyCount: 0,
  files: {},
  createdAt: '2026-11-21T10:00:00Z',
  companyName: 'Nimbus',
  hostName: 'console.nimbus.test',
  brandColor: '#b4004e',
  contactEmail: null,
  termsLink: null,
  privacyPolicyLink: null,
  apiDocumentUrl: '/openapi.json',
  hideFeature: [],
  ignoreMaintenanceMode: false,
  supportSignup: true,
  signupPhone: false,
  sandboxMode: false,
  googleSignIn: false,
  ...change,
})
const operator = accountOf({ isOperator: true })
const PATH = '/operator/v2/partners/'
const bodyOf = (changes: Call[], method: string) => changes.find((change) => change.method === method)?.body

test('a partner is made with a name, a host name and a colour, whose contrast is judged while it is typed', async () => {
  const changes = stubApi(
    {
      [`GET ${PATH}`]: () => ({ data: [], meta: { total: 0, page: 1, pageSize: 500 } }),
      [`POST ${PATH}`]: () => partnerOf(),
      [`GET ${PATH}${ID}/`]: () => partnerOf(),
    },
    operator,
  )
  openScreen('/operator/partners?open=new')
  const drawer = within(await screen.findByRole('dialog', { name: 'Add partner' }))
  fireEvent.change(await drawer.findByLabelText('Company name'), { target: { value: 'Nimbus' } })
  fireEvent.change(drawer.getByLabelText('Host name'), { target: { value: 'console.nimbus.test' } })
  fireEvent.change(drawer.getByLabelText('Brand colour'), { target: { value: '#ffe14d' } })
  const contrast = within(drawer.getByRole('group', { name: 'Contrast of the colour' }))
  expect(contrast.getAllByText('Too low').length).toBeGreaterThan(0)
  fireEvent.click(contrast.getByRole('button', { name: /^Use #[0-9a-f]{6}/ }))
  await waitFor(() => expect(contrast.queryByText('Too low')).toBeNull())
  fireEvent.click(drawer.getByRole('button', { name: 'Add partner' }))
  expect(await screen.findByRole('heading', { name: 'Nimbus', level: 1 })).toBeDefined()
  expect(bodyOf(changes, 'POST')).toMatchObject({
    companyName: 'Nimbus',
    hostName: 'console.nimbus.test',
    contactEmail: null,
  })
})

test('changes of a partner collect, are seen before and after, and are saved as one', async () => {
  let saved = partnerOf()
  const changes = stubApi(
    {
      [`GET ${PATH}${ID}/`]: () => saved,
      [`PUT ${PATH}${ID}/`]: (call) => (saved = { ...saved, ...(call.body as Partial<Partner>) }),
    },
    operator,
  )
  openScreen(`/operator/partners/${ID}`)
  fireEvent.change(await screen.findByLabelText('Company name'), { target: { value: 'Nimbus Cloud' } })
  fireEvent.click(screen.getByRole('checkbox', { name: /^Billing/ }))
  fireEvent.click(screen.getByRole('switch', { name: /^Sandbox/ }))
  const bar = within(await screen.findByRole('region', { name: 'Unsaved changes' }))
  expect(bar.getByText('3 unsaved changes')).toBeDefined()
  fireEvent.click(bar.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(bodyOf(changes, 'PUT')).toMatchObject({
      companyName: 'Nimbus Cloud',
      hideFeature: ['billing'],
      sandboxMode: true,
      contactEmail: null,
    }),
  )
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull())
})

test('another host name says how many passkeys end with the one before; Google says what to register there', async () => {
  stubApi({ [`GET ${PATH}${ID}/`]: () => partnerOf({ passkeyCount: 3 }) }, operator)
  openScreen(`/operator/partners/${ID}`)
  expect(await screen.findByText(/console\.nimbus\.test(:\d+)?\/oauth\/google-callback/)).toBeDefined()
  expect(screen.queryByText(/3 passkeys/)).toBeNull()
  fireEvent.change(screen.getByLabelText('Host name'), { target: { value: 'cloud.nimbus.test' } })
  expect(await screen.findByText(/3 passkeys were made under this name/)).toBeDefined()
})

test('a picture that the server refuses says why beside it', async () => {
  stubApi(
    {
      [`GET ${PATH}${ID}/`]: () => partnerOf(),
      [`PUT ${PATH}${ID}/files/logoWord/`]: () => ({
        status: 400,
        body: {
          meta: {
            code: 400,
            message: 'x',
            requestId: 'r',
            fields: [{ path: 'data', message: 'validation.svgScript:script' }],
          },
        },
      }),
    },
    operator,
  )
  openScreen(`/operator/partners/${ID}`)
  const [area] = await screen.findAllByText('Drop a picture here')
  if (area?.parentElement)
    fireEvent.drop(area.parentElement, { dataTransfer: { files: [new File(['<svg><script/></svg>'], 'logo.svg')] } })
  expect(await screen.findByText('The SVG contains script, which is not allowed')).toBeDefined()
})
