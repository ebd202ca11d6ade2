import { addSite, dnsRecords, domains as domainsFeature } from '@fairway/contract'
import { useMantineColorScheme } from '@mantine/core'
import {
  IconAlertSquareRounded,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconPlus,
  IconStack2,
} from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { currentLocale } from '../../i18n/i18n.ts'
import { LANGUAGE_NAME, LOCALES } from '../../i18n/locale.ts'
import { hrefOf, navEntries } from '../nav/navigation.ts'
import type { PaletteEntry } from './palette-entry.ts'
import { domainEntryId } from './recent.ts'
import { domainsRead, findNamed, sitesRead } from '../scope/scope.ts'
import { useAccount, useCanCall } from '../access/session.ts'
import { useAccountPages } from '../bar/use-account-pages.ts'
import { useNavigation } from '../nav/use-navigation.ts'
import { useSignOut } from '../bar/use-sign-out.ts'
import { useSwitchLanguage } from '../bar/use-switch-language.ts'

/** Everything the palette can do here, in the order of its groups. */
export function useAllPaletteEntries(openHelp: () => void): PaletteEntry[] {
  return [...usePageEntries(), ...usePlaceEntries(), ...useActionEntries(openHelp)]
}

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
    words: t(`nav.section.${section}`),
    icon: item.icon,
    run: () => void navigate({ to: hrefOf(entry, user, { site, domain }) }),
  }))
  const ofAccount = useAccountPages().map(({ key, to, icon }): PaletteEntry => ({
    id: `page:${key}`,
    group: 'pages',
    label: t(`account.${key}`),
    hint: t('palette.account'),
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
function usePlaceEntries(): PaletteEntry[] {
  const { t } = useTranslation('shell')
  const params = useParams({ strict: false })
  const navigate = useNavigate()
  const sites = useSuspenseQuery(sitesRead).data.data
  const site = findNamed(sites, params.site, ({ domainName }) => domainName)
  const canList = useCanCall(domainsFeature.routes.list)
  const domains = useQuery({ ...domainsRead(site?.id ?? ''), enabled: site !== undefined && canList }).data?.data ?? []
  const open = (siteName: string, domain?: string) => () =>
    void navigate({ to: '/$site/{-$domain}/home', params: { site: siteName, domain } })
  return [
    ...sites.map((row): PaletteEntry => ({
      id: `site:${row.id}`,
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

function useActionEntries(openHelp: () => void): PaletteEntry[] {
  const { t } = useTranslation('shell')
  const { site, domain } = useParams({ strict: false })
  const navigate = useNavigate()
  const { sandboxMode } = useAccount()
  const canAddRecord = useCanCall(dnsRecords.routes.create)
  const canAddSite = useCanCall(addSite.routes.create) && !sandboxMode
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
    ...(site !== undefined && canAddRecord
      ? [
          action(
            'add-record',
            t('palette.addRecord'),
            IconPlus,
            () =>
              void navigate({
                to: '/$site/{-$domain}/dns/dns-records',
                params: { site, domain },
                search: { record: 'new' },
              }),
            { hint: site },
          ),
        ]
      : []),
    ...(canAddSite
      ? [action('add-site', t('palette.addSite'), IconPlus, () => void navigate({ to: '/add-site' }))]
      : []),
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
