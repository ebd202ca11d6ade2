import { account } from '@fairway/contract'
import type { QueryClient } from '@tanstack/react-query'
import { configRead } from '../config.ts'
import { partnerRead } from '../partner.ts'
import { forgetRecent } from '../palette/recent.ts'

/** Between two users of one browser: nothing that the one has read or opened is left for the other. */
export function forgetUser(queryClient: QueryClient): void {
  const ofEveryone = [partnerRead.queryKey[0], configRead.queryKey[0]]
  queryClient.removeQueries({
    predicate: ({ queryKey: [path] }) => !ofEveryone.some((one) => one === path) && path !== account.routes.info.path,
  })
  forgetRecent()
}
