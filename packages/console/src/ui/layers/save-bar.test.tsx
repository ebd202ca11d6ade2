import {
  Link,
  Outlet,
  RouterProvider,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router'
import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPart } from '../../testing/render.tsx'
import type { DiffRow } from '../marks/diff-view.tsx'
import { SaveBar } from './save-bar.tsx'

function open(changes: DiffRow[]) {
  const [onSave, onDiscard] = [vi.fn(), vi.fn()]
  const root = createRootRoute({
    component: () => (
      <>
        <Link to="/">Elsewhere</Link>
        <Outlet />
      </>
    ),
  })
  const settings = createRoute({
    getParentRoute: () => root,
    path: '/settings',
    component: () => <SaveBar changes={changes} onSave={onSave} onDiscard={onDiscard} />,
  })
  const elsewhere = createRoute({ getParentRoute: () => root, path: '/', component: () => <p>Elsewhere indeed</p> })
  const router = createRouter({
    routeTree: root.addChildren([settings, elsewhere]),
    history: createMemoryHistory({ initialEntries: ['/settings'] }),
  })
  // The console's own router is the registered one; this small one stands for it here.
  renderPart(<RouterProvider router={router as never} />)
  return { onSave, onDiscard }
}

const changes = [{ label: 'TTL', before: '60', after: '300' }]

test('unsaved changes can be seen, saved and discarded', async () => {
  const { onSave, onDiscard } = open(changes)
  expect(await screen.findByText('1 unsaved change')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'View changes' }))
  expect(await screen.findByText('300')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Save', hidden: true }))
  fireEvent.click(screen.getByRole('button', { name: 'Discard', hidden: true }))
  expect([onSave.mock.calls.length, onDiscard.mock.calls.length]).toEqual([1, 1])
})

test('leaving asks first', async () => {
  open(changes)
  fireEvent.click(await screen.findByText('Elsewhere'))
  expect(await screen.findByText('Leave without saving?')).toBeDefined()
  expect(screen.queryByText('Elsewhere indeed')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Leave' }))
  expect(await screen.findByText('Elsewhere indeed')).toBeDefined()
})

test('without changes nothing is in the way', async () => {
  open([])
  fireEvent.click(await screen.findByText('Elsewhere'))
  expect(await screen.findByText('Elsewhere indeed')).toBeDefined()
})
