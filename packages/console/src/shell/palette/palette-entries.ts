import { type DnsRecord, dnsRecords, domains as domainsFeature, purges, routingStrategies } from '@fairway/contract'
import { useMantineColorScheme } from '@mantine/core'
import {
  IconAlertSquareRounded,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconHelpCircle,
  IconRefresh,
  IconStack2,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { currentLocale } from '../../i18n/i18n.ts'
import { LANGUAGE_NAME, LOCALES } from '../../i18n/locale.ts'
import { hrefOf, navEntries } from '../nav/navigation.ts'
import type { PaletteEntry } from './palette-entry.ts'
import { domainEntryId, siteEntryId } from './recent.ts'
import { argumentsOf } from './search-entries.ts'
import { VERBS, type VerbPlace } from './verbs.ts'
import { domainsRead, siteToOpenRead, useSiteOfAddress } from '../scope/scope.ts'
import { useFoundSites } from '../scope/use-found-sites.ts'
import { canCall } from '../access/can-call.ts'
import { useAccount, useCanCall } from '../access/session.ts'
import { useAccountPages } from '../bar/use-account-pages.ts'
import { useNavigation } from '../nav/use-navigation.ts'
import { useSignOut } from '../bar/use-sign-out.ts'
import { useSwitchLanguage } from '../bar/use-switch-language.ts'

const RECORDS_SHOWN = 6
/** Shorter than this nearly every record matches. */
const LEAST_ASKED = 2

/** Everything the palette can do here, in the order of its groups. */
export function useAllPaletteEntries(openHelp: () => void, text: string): PaletteEntry[] {
  return [...useVerbEntries(), ...usePageEntries(), ...usePlaceEntries(text), ...useActionEntries(openHelp)]
}

/** `multiCdn.traffic` and `/dem/routing-strategies` as words. */
const plain = (key: string): string =>
  key
    .replaceAll(/\$site|\{-\$\w+\}|[^a-z0-9]/gi, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()

/** What can be done here, or at the site used last where the page is about none. */
function useVerbEntries(): PaletteEntry[] {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const place = useVerbPlace()?.place ?? null
  const user = useAccount()
  return VERBS.filter(({ route }) => canCall(user, route))
    .filter(({ key }) => (key !== 'breakCdn' || user.gameDay) && !(user.sandboxMode && key !== 'why'))
    .flatMap(({ key, icon, words, open }): PaletteEntry[] => {
      const to = open(place)
      if (!to) return []
      return [
        {
          id: `action:${key}`,
          group: 'actions',
          label: t(`palette.verb.${key}`),
          hint: to.params === undefined ? '' : (place?.domain ?? place?.site ?? ''),
          words,
          icon,
          run: () => void navigate(to),
        },
      ]
    })
}

function useVerbPlace(): { place: VerbPlace; siteId: string } | null {
  const { domain } = useParams({ strict: false })
  const here = useSiteOfAddress()
  const { data: last } = useQuery({ ...siteToOpenRead(useQueryClient()), enabled: here === undefined })
  if (here) return { place: { site: here.domainName, domain }, siteId: here.id }
  return last ? { place: { site: last.domainName, domain: undefined }, siteId: last.id } : null
}

/** What is typed is more than a search: an address to explain, a path to purge, or part of a record of this site. */
export function useTypedEntries(text: string): PaletteEntry[] {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const where = useVerbPlace()
  const user = useAccount()
  const asked = useDeferredValue(text.trim())
  const records = useRead(
    dnsRecords.routes.list,
    { site: where?.siteId ?? '', search: asked, page_size: RECORDS_SHOWN },
    { enabled: where !== null && asked.length >= LEAST_ASKED && canCall(user, dnsRecords.routes.list) },
  ).data
  if (!where) return []
  const { place } = where
  const { address, path } = argumentsOf(text)
  const all = { words: text.toLowerCase(), hint: place.domain ?? place.site }
  return [
    ...(address !== null && canCall(user, routingStrategies.routes.why)
      ? [
          {
            id: 'typed:why',
            group: 'actions' as const,
            label: t('palette.whyFor', { address }),
            ...all,
            icon: IconHelpCircle,
            run: () => void navigate({ to: '/$site/{-$domain}/home', params: place, search: { why: address } }),
          },
        ]
      : []),
    ...(path !== null && canCall(user, purges.routes.create)
      ? [
          {
            id: 'typed:purge',
            group: 'actions' as const,
            label: t('palette.purgePath', { path }),
            ...all,
            icon: IconRefresh,
            run: () =>
              void navigate({
                to: '/$site/{-$domain}/multi-cdn/cache-control/purge/add',
                params: place,
                search: { path },
              }),
          },
        ]
      : []),
    ...(asked.length >= LEAST_ASKED ? (records?.data ?? []) : []).map((record): PaletteEntry => ({
      id: `record:${place.site}/${record.id}`,
      group: 'records',
      label: `${record.name === '@' ? place.site : record.name} ${record.type}`,
      hint: valueOf(record),
      words: text.toLowerCase(),
      run: () =>
        void navigate({ to: '/$site/{-$domain}/dns/dns-records', params: place, search: { record: record.id } }),
    })),
  ]
}

const valueOf = ({ value }: DnsRecord): string => (value.length > 80 ? `${value.slice(0, 80)}…` : value)

function usePageEntries(): PaletteEntry[] {
  const { t } = useTranslation('shell')
  const { site, domain } = useParams({ strict: false })
  const user = useAccount()
  const navigate = useNavigate()
  const entries = navEntries(useNavigation()).map(({ entry, item, section }): PaletteEntry => ({
    id: `page:${entry.key}`,
    group: 'pages',
    label: t(`nav.${entry.key}`),
    hint: [site, item.children ? t(`nav.${item.key}`) : undefined].filter(Boolean).join(' · '),
    // English words in every language: keys and paths are written in it.
    words: `${t(`nav.section.${section}`)} ${plain(entry.key)} ${plain(item.key)} ${plain(entry.to ?? '')}`,
    icon: item.icon,
    run: () => void navigate({ to: hrefOf(entry, user, { site, domain }) }),
  }))
  const ofAccount = useAccountPages().map(({ key, to, icon }): PaletteEntry => ({
    id: `page:${key}`,
    group: 'pages',
    label: t(`account.${key}`),
    hint: t('palette.account'),
    words: plain(`${key} ${to}`),
    icon,
    run: () => void navigate({ to }),
  }))
  const others: PaletteEntry[] = [
    {
      id: 'page:products',
      group: 'pages',
      label: t('account.products'),
      hint: '',
      icon: IconStack2,
      run: () => void navigate({ to: '/welcome' }),
    },
    {
      id: 'page:errorCodes',
      group: 'pages',
      label: t('account.errorCodes'),
      hint: '',
      icon: IconAlertSquareRounded,
      run: () => void navigate({ to: '/docs/errors' }),
    },
  ]
  return [...entries, ...ofAccount, ...others]
}

/**
 * Domains are known by their names: of other sites than this one, those that were worked on last are remembered by
 * them.
 */
function usePlaceEntries(text: string): PaletteEntry[] {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { rows: sites } = useFoundSites(longestWord(text))
  const site = useSiteOfAddress()
  const canList = useCanCall(domainsFeature.routes.list)
  const domains = useQuery({ ...domainsRead(site?.id ?? ''), enabled: site !== undefined && canList }).data?.data ?? []
  const open = (siteName: string, domain?: string) => () =>
    void navigate({ to: '/$site/{-$domain}/home', params: { site: siteName, domain } })
  return [
    ...sites.map((row): PaletteEntry => ({
      id: siteEntryId(row.id, row.domainName),
      group: 'sites',
      label: row.domainName,
      hint: t('palette.siteHint', { count: row.domainCount }),
      run: open(row.domainName),
    })),
    ...(site
      ? domains.map(({ name }): PaletteEntry => ({
          id: domainEntryId(site.domainName, name),
          group: 'domains',
          label: name,
          hint: site.domainName,
          run: open(site.domainName, name),
        }))
      : []),
  ]
}

/** A name is one word; the others may be about anything. */
const longestWord = (text: string): string =>
  text.split(/\s+/).reduce((longest, word) => (word.length > longest.length ? word : longest), '')

function useActionEntries(openHelp: () => void): PaletteEntry[] {
  const { t } = useTranslation('shell')
  const { sandboxMode } = useAccount()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const switchLanguage = useSwitchLanguage()
  const signOut = useSignOut()
  const action = (
    key: string,
    label: string,
    icon: typeof IconMoon,
    run: () => void,
    more: Partial<PaletteEntry> = {},
  ): PaletteEntry => ({ id: `action:${key}`, group: 'actions', label, hint: '', icon, run, ...more })
  return [
    action(
      'scheme',
      t('palette.switchScheme'),
      IconMoon,
      () => setColorScheme(colorScheme === 'dark' ? 'light' : 'dark'),
      { words: 'dark light' },
    ),
    ...LOCALES.filter((locale) => locale !== currentLocale()).map((locale) =>
      action(`language-${locale}`, LANGUAGE_NAME[locale], IconLanguage, () => void switchLanguage(locale), {
        hint: t('language'),
        words: `${locale} language`,
      }),
    ),
    action('shortcuts', t('account.shortcuts'), IconKeyboard, openHelp),
    ...(sandboxMode
      ? []
      : [action('sign-out', t('account.signOut'), IconLogout, () => void signOut(), { words: 'logout' })]),
  ]
}
