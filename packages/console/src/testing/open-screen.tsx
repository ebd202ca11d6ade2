import { Notifications } from '@mantine/notifications'
import { RouterProvider, createMemoryHistory } from '@tanstack/react-router'
import { makeQueryClient } from '../api/query-client.ts'
import { makeRouter } from '../shell/router.tsx'
import { renderPart } from './render.tsx'

/** Opens an address of the whole console, shell and all. */
export function openScreen(path: string) {
  const queryClient = makeQueryClient(() => {})
  const router = makeRouter(queryClient)
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [path] }) })
  renderPart(
    <>
      <RouterProvider router={router} />
      <Notifications />
    </>,
    queryClient,
  )
  return { router, queryClient }
}
