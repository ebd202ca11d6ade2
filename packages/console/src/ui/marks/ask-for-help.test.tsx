import { account } from '@fairway/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { read } from '../../api/queries.ts'
import { makeQueryClient } from '../../api/query-client.ts'
import { accountOf } from '../../testing/answers.ts'
import { renderPart } from '../../testing/render.tsx'
import { AskForHelp } from './ask-for-help.tsx'

function show(code: number, change: Parameters<typeof accountOf>[0] = {}) {
  const queryClient = makeQueryClient(() => {})
  queryClient.setQueryData(read(account.routes.info, {}).queryKey, accountOf(change))
  renderPart(<AskForHelp error={new ApiError(code, 409, 'call-1')} />, queryClient)
}

test('a CDN that cannot be installed, and a site that is locked, lead to a ticket that knows the call', () => {
  for (const code of [7488, 909996]) show(code)
  expect(screen.getAllByRole('link', { name: 'Ask for help' }).map((link) => link.getAttribute('href'))).toEqual([
    '/support?code=7488&request=call-1',
    '/support?code=909996&request=call-1',
  ])
})

test('other failures do not, nor where the partner has no tickets', () => {
  show(409)
  show(7488, { hideFeature: ['support'] })
  expect(screen.queryByRole('link')).toBeNull()
})
