import type { AccountInfo } from '@fairway/contract'
import type { QueryClient } from '@tanstack/react-query'
import { notFound, redirect } from '@tanstack/react-router'
import { isSignedOut } from '../../api/query-client.ts'
import { switchLocale, wantAllTexts } from '../../i18n/i18n.ts'
import { splitLocale } from '../../i18n/locale.ts'
import { configRead } from '../config.ts'
import { forgetUser } from '../bar/end-session.ts'
import { partnerRead } from '../partner.ts'
import { accountRead } from '../access/session.ts'
import { hasSignedIn } from '../access/signed-in-sign.ts'
import { verdictOn } from './guards.ts'
import { targetOf } from './route-rules.ts'
import type { Situation } from './situation.ts'

type Navigation = {
  context: { queryClient: QueryClient }
  location: { href: string; pathname: string; search: object }
  search: { soc?: 1 | undefined }
}

/** Their texts are there from the start (`i18n/catalogs.ts`). */
const SIGN_IN_PAGES: ReadonlySet<string> = new Set([
  'forgot-password',
  'login',
  'mfa-verify',
  'oauth',
  'reset-password',
  'setup',
  'signup',
  'verify-email',
  'verify-invite-email',
])

/**
 * An account that was read longer ago, or before a change, is read again before it is refused a page: what was asked
 * for may have been done meanwhile.
 */
const FRESH_MS = 1000

function isFresh(queryClient: QueryClient): boolean {
  const state = queryClient.getQueryState(accountRead.queryKey)
  return state !== undefined && !state.isInvalidated && Date.now() - state.dataUpdatedAt <= FRESH_MS
}

/**
 * Asks the guards before anything of a page is loaded, and goes where they say. @throws a redirect, the refusal or the
 * error that is shown in the page's place
 */
export async function guardNavigation(navigation: Navigation): Promise<void> {
  const {
    location,
    context: { queryClient },
  } = navigation
  const [locale, path] = splitLocale(location.pathname)
  if (locale !== null) {
    await switchLocale(locale)
    throw redirect({ href: path + location.href.slice(location.pathname.length), replace: true })
  }
  const texts = SIGN_IN_PAGES.has(path.split('/')[1] ?? '') ? null : wantAllTexts()
  const [account, config, partner] = await Promise.all([
    readAccount(queryClient),
    queryClient.ensureQueryData(configRead).catch(() => null),
    queryClient.ensureQueryData(partnerRead).catch(() => null),
    texts,
  ])
  const situation = situationOf(navigation, { account, partner, maintenanceMode: config?.maintenanceMode ?? false })
  let verdict = verdictOn(situation)
  if (verdict !== null && account !== null && !isFresh(queryClient)) {
    verdict = verdictOn({ ...situation, account: await readAccount(queryClient, true) })
  }
  if (verdict === null) return
  // Not an error but an answer: nothing of the page is loaded, and nobody's log is troubled.
  if ('status' in verdict) throw notFound({ data: verdict })
  throw redirect({ href: verdict.to, replace: true })
}

function situationOf(
  { location: { href, pathname, search: asked }, search }: Navigation,
  known: Pick<Situation, 'account' | 'partner' | 'maintenanceMode'>,
): Situation {
  const { rules, site, domain } = targetOf(pathname)
  const next: unknown = Reflect.get(asked, 'next')
  return {
    ...known,
    href,
    rules,
    supportMode: search.soc === 1,
    next: typeof next === 'string' ? next : undefined,
    place: { site, domain },
  }
}

/** Whose reads the cache holds. */
const users = new WeakMap<QueryClient, string>()

/** Null without a session. The cookie that says that there is one spares the call. */
async function readAccount(queryClient: QueryClient, again = false): Promise<AccountInfo | null> {
  if (!hasSignedIn()) return null
  try {
    const account = await (again
      ? queryClient.fetchQuery({ ...accountRead, staleTime: 0 })
      : queryClient.ensureQueryData(accountRead))
    const before = users.get(queryClient)
    users.set(queryClient, account.customerId)
    if (before !== undefined && before !== account.customerId) forgetUser(queryClient)
    return account
  } catch (error) {
    if (isSignedOut(error)) return null
    throw error
  }
}
