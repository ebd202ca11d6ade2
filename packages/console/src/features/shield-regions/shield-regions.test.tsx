import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page } from '../../testing/steering-answers.ts'

const AT = '/wafmgmt/v2/sites/s1/domains/d1/region/'
const WAIT = { timeout: 10_000 }
const user = accountOf({
  permissions: ['ViewSite', 'EditSite'],
  plan: { id: 'p', name: 'Business', ability: ['waf.enable'] },
})
const node = (name: string, more: object = {}) => ({
  node: name,
  away: false,
  reachable: true,
  ms: 12,
  samples: 10,
  failed: 0,
  measuredAt: '2026-11-25T10:00:00.000Z',
  ...more,
})
const regions = [
  { region: 'east', usable: true, ms: 12, nodes: [node('e1'), node('e2', { ms: null, samples: 0, failed: 4 })] },
  {
    region: 'north',
    usable: false,
    ms: null,
    nodes: [node('n1', { reachable: false, ms: null, samples: 0, measuredAt: null })],
  },
  { region: 'west', usable: false, ms: null, nodes: [node('w1', { away: true })] },
]

function open(saved: object) {
  return stubApi(
    {
      'GET /web/v2/sites/s1/domains/': () =>
        page([{ ...domainOf(), settings: { ...domainOf().settings, originShield: 'use' } }]),
      [`GET ${AT}`]: () => saved,
      [`PUT ${AT}`]: () => ({ data: { region: 'east' }, meta: { version: 5 } }),
    },
    user,
  )
}

test('what is in force is told with its reason, and a region that can be fetched through is chosen', async () => {
  const changes = open({
    region: 'west',
    route: { region: 'east', why: 'next', since: '2026-11-25T10:00:00.000Z' },
    regions,
  })
  openScreen('/example.com/www.example.com/origin-shield/region')
  expect(await screen.findByText('east speaks with the origin', {}, WAIT)).toBeDefined()
  expect(screen.getByText(/west is gone, and traffic goes by the next nearest/)).toBeDefined()
  expect(screen.getByText('All of its nodes are away')).toBeDefined()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'north' }).disabled).toBe(true)
  expect(screen.getByText('Does not connect')).toBeDefined()
  // Unknown is not drawn as zero.
  expect(screen.queryByText('0 ms')).toBeNull()
  fireEvent.click(screen.getByRole('radio', { name: 'east' }))
  fireEvent.click(await screen.findByRole('button', { name: /^Save/ }))
  await waitFor(() => expect(changes.find(({ path }) => path === AT)?.body).toEqual({ region: 'east' }), WAIT)
})

test('an installation without regions says so', async () => {
  open({ region: null, route: null, regions: [] })
  openScreen('/example.com/www.example.com/origin-shield/region')
  expect(await screen.findByText('This installation has no shield regions', {}, WAIT)).toBeDefined()
  expect(screen.queryByRole('radio')).toBeNull()
})
