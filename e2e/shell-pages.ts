import { KINDS, type Kind, type Person } from './shell-people.ts'

/** Pages that the guards treat alike. */
type Group =
  | 'root'
  | 'login'
  | 'public'
  | 'account'
  | 'teammate'
  | 'audit'
  | 'billing'
  | 'enterprise'
  | 'help'
  | 'survey'
  | 'selectPlan'
  | 'addSite'
  | 'home'
  | 'site'
  | 'multiCdn'
  | 'whole'
  | 'operator'
  | 'waiting'

export type PageCase = { group: Group; path: (person: Person) => string }

const at = (group: Group, ...paths: string[]): PageCase[] =>
  paths.map((path) => ({ group, path: ({ site, domain }) => path.replace('{site}', site).replace('{domain}', domain) }))

/** Every route of the console's shell, one line for each group. */
export const PAGES: readonly PageCase[] = [
  ...at('root', '/'),
  ...at('login', '/login', '/signup', '/forgot-password'),
  ...at(
    'public',
    '/docs/errors',
    '/mvp/cost-reduction',
    '/redirect/third-party-marketplace',
    '/reset-password',
    '/verify-email',
    '/verify-invite-email',
    '/pricing',
    '/loginas',
  ),
  ...at(
    'account',
    '/account/user-profile',
    '/account/information-center',
    '/upgrade-plan',
    '/welcome',
    '/welcome/account/teammate',
    '/welcome/stream/live-streams',
    '/welcome/origin-shield/access-control/geo',
    '/guide',
    '/guide/dns/dns-records',
  ),
  ...at('teammate', '/account/teammate'),
  ...at('audit', '/account/audit-log'),
  ...at('billing', '/account/billing/invoice', '/account/billing/payment', '/account/billing/plan'),
  ...at('enterprise', '/domains', '/account/bring-my-cdn-account'),
  ...at('help', '/support'),
  ...at('survey', '/survey'),
  ...at('selectPlan', '/select-plan'),
  ...at('addSite', '/add-site'),
  ...at('home', '/home'),
  ...at(
    'site',
    '/{site}/home',
    '/{site}/{domain}/home',
    '/{site}/dns/dns-records',
    '/{site}/{domain}/dem/routing-strategies',
    '/{site}/add-domain',
    '/{site}/{domain}/general-settings',
    '/{site}/welcome/dns/wildcard',
    '/{site}/guide/dns/dns-records',
  ),
  ...at('multiCdn', '/{site}/{domain}/multi-cdn/cdn-management', '/{site}/no-domain/multi-cdn/cdn-management'),
  ...at('whole', '/all/dns/dns-records', '/no-site/dns/dns-records'),
  ...at('operator', '/operator'),
  ...at('waiting', '/maintenance'),
]

/**
 * What a kind of people tries: every group, whose pages the guards treat alike; of a large group another page for each
 * kind, so that each page has its turn.
 */
export function pagesFor(kind: Kind): readonly PageCase[] {
  if (kind === 'owner') return PAGES
  return [...Map.groupBy(PAGES, ({ group }) => group).values()].flatMap((pages) =>
    pages.length <= 2 ? pages : pages.slice(KINDS.indexOf(kind) % pages.length).slice(0, 1),
  )
}

export type Outcome = { to: string } | { refused: 403 | 404 } | 'stays'
type Row = Partial<Record<Group, (person: Person, path: string) => Outcome>> & {
  other: (person: Person, path: string) => Outcome
}

const stays = (): Outcome => 'stays'
const to = (path: string) => (): Outcome => ({ to: path })
const refused = (status: 403 | 404) => (): Outcome => ({ refused: status })
const ownHome = ({ site }: Person): Outcome => ({ to: `/${site}/home` })
const guide = to('/guide/dns/dns-records')
const PAYMENT = '/account/billing/payment?layout=addAssets'

/** Somebody whom nothing is asked: the owner of a site. Other kinds say where they differ. */
const SETTLED: Row = {
  teammate: to('/welcome/account/teammate'),
  root: ownHome,
  login: ownHome,
  home: ownHome,
  enterprise: refused(403),
  operator: refused(404),
  waiting: ownHome,
  whole: guide,
  other: stays,
}
/** Somebody who has to do something first, which is done on `page`; there, and on the groups named, they stay. */
const first = (page: string, ...open: Group[]): Row => ({
  ...Object.fromEntries(open.map((group) => [group, stays])),
  public: stays,
  operator: refused(404),
  other: to(page),
})

/** Where each kind of people ends up, by the requirements' chain of guards (section 2.7). */
export const EXPECTED: Readonly<Record<Kind, Row>> = {
  anonymous: {
    root: to('/login'),
    login: stays,
    public: stays,
    waiting: to('/login'),
    other: (_, path) => ({ to: `/login?next=${encodeURIComponent(path)}` }),
  },
  unverified: { public: stays, other: to('/verify-email') },
  surveyMissing: first('/survey', 'survey', 'help'),
  noPlan: first('/select-plan', 'selectPlan', 'survey', 'help'),
  paymentFailed: first(PAYMENT, 'billing', 'selectPlan', 'survey', 'help'),
  noSites: {
    ...SETTLED,
    ...withoutSite(),
    enterprise: (_, path) => (path === '/domains' ? { to: '/add-site' } : { refused: 403 }),
  },
  draftSite: { ...SETTLED, ...draftRow() },
  smallPlan: {
    ...SETTLED,
    multiCdn: ({ site, domain }, path) => ({
      to: `/${site}/${path.includes('no-domain') ? 'no-domain' : domain}/welcome/multi-cdn/cdn-management`,
    }),
  },
  billing: {
    ...SETTLED,
    root: to('/account/billing'),
    login: to('/account/billing'),
    home: stays,
    waiting: to('/account/billing'),
    teammate: refused(403),
    audit: refused(403),
    site: refused(404),
    multiCdn: refused(404),
  },
  viewer: { ...SETTLED, teammate: refused(403), audit: refused(403), billing: refused(403) },
  owner: SETTLED,
  video: {
    ...SETTLED,
    root: to('/home'),
    login: to('/home'),
    home: stays,
    waiting: to('/home'),
    site: refused(404),
    multiCdn: refused(404),
  },
  enterprise: { ...SETTLED, enterprise: stays, teammate: stays },
  operator: {
    ...SETTLED,
    ...withoutSite(),
    enterprise: (_, path) => (path === '/domains' ? { to: '/add-site' } : 'stays'),
    teammate: stays,
    operator: stays,
  },
  loginAs: SETTLED,
  sandbox: SETTLED,
  maintenance: { waiting: stays, other: (_, path) => (path === '/loginas' ? 'stays' : { to: '/maintenance' }) },
}

/** The web application begins with a site. */
function withoutSite(): Partial<Row> {
  return Object.fromEntries(
    (['root', 'login', 'home', 'site', 'multiCdn', 'whole', 'waiting'] as const).map((group) => [
      group,
      to('/add-site'),
    ]),
  )
}

/** A draft is not shown: it goes on where it was left. */
function draftRow(): Partial<Row> {
  const review = ({ site }: Person): Outcome => ({ to: `/add-site/review-domains?zone_name=${site}` })
  return { root: review, login: review, home: review, site: review, multiCdn: review, waiting: review }
}
