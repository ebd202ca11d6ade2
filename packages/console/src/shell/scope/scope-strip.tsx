import { type Site, sites } from '@fairway/contract'
import { Menu, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch, IconSelector } from '@tabler/icons-react'
import { useMatches, useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SiteMenu } from '../../features/sites/site-menu.tsx'
import { TONE_OF_CONDITION } from '../../ui/marks/condition-pill.tsx'
import { HealthPill } from './health-pill.tsx'
import { useScope } from './scope.ts'
import { type Page, hrefForAllSites, hrefForSite } from './scope-twin.ts'
import type { Tone } from '../../ui/marks/states.ts'
import { useFoundSites } from './use-found-sites.ts'
import { usePlaceHealth } from './use-place-health.ts'
import { useAccount, useCanCall } from '../access/session.ts'
import classes from './scope-strip.module.css'

/** From this many on, a selector gets a search field. */
const SEARCH_FROM = 8
/** Stands for every site, or every domain of one. */
const ALL = 'all'

/** Which site and domain the page is about, and whether its CDNs are well. */
export function ScopeStrip() {
  const { t } = useTranslation('shell')
  const { site, domain, domains } = useScope()
  const go = useSameScreen()
  const { page, isRoute, open } = usePage()
  return (
    <section className={classes.strip} aria-label={t('strip.label')}>
      <SiteDot site={site} />
      <SiteSelector
        value={site.domainName}
        onChoose={(name) => (name === ALL ? open(hrefForAllSites(page, isRoute)) : go(name, undefined))}
      />
      <SiteMenu site={site} />
      <span className={classes.slash} aria-hidden>
        /
      </span>
      <Selector
        label={t('strip.domain')}
        value={domain?.name ?? ALL}
        options={[
          { value: ALL, text: t('strip.allDomains') },
          ...domains.map(({ name, disabled }) => ({ value: name, text: name, disabled })),
        ]}
        onChoose={(name) => go(site.domainName, name === ALL ? undefined : name)}
      />
      <span className={classes.end}>
        <HealthPill site={site} domain={domain} />
      </span>
    </section>
  )
}

/** The worst of what is known of the site: of its CDNs, or else of its newest version. */
function SiteDot({ site }: { site: Site }) {
  const health = usePlaceHealth(site, null)
  const isWell = health === null || TONE_OF_CONDITION[health.state] === 'ok'
  const tone = isWell ? TONE_OF_DEPLOY[site.deployState] : TONE_OF_CONDITION[health.state]
  return <span className={classes.dot} data-tone={tone} aria-hidden />
}

const TONE_OF_DEPLOY: Record<Site['deployState'], Tone> = { live: 'ok', deploying: 'info', failed: 'bad' }

/** The same above a screen of the whole account that sites have, too: choosing one leads there. */
export function AccountStrip() {
  const { t } = useTranslation('shell')
  const { siteCount } = useAccount()
  const canSee = useCanCall(sites.routes.get)
  const { page, isRoute, open } = usePage()
  if (siteCount === 0 || !canSee || hrefForSite(page, isRoute, '') === null) return null
  return (
    <section className={classes.strip} aria-label={t('strip.label')}>
      <SiteSelector value={ALL} onChoose={(name) => open(hrefForSite(page, isRoute, name))} />
    </section>
  )
}

/** The page that is open, which routes there are, and the way to another one. */
function usePage() {
  const router = useRouter()
  const page: Page = {
    fullPath: useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' }),
    pathname: useRouterState({ select: ({ location }) => location.pathname }),
  }
  return {
    page,
    isRoute: (path: string) => path in router.routesByPath,
    open: (href: string | null) => void (href !== null && router.navigate({ to: href })),
  }
}

function SiteSelector({ value, onChoose }: { value: string; onChoose: (name: string) => void }) {
  const { t } = useTranslation('shell')
  const [opened, setOpened] = useState(false)
  const [text, setText] = useState('')
  const { rows, more, isPart, isBusy } = useFoundSites(text, { enabled: opened })
  // The one that is open is there from the start, and also when it is not among the first.
  const isShown = value === ALL || rows.some(({ domainName }) => domainName === value)
  const names = [...(isShown ? [] : [value]), ...rows.map(({ domainName }) => domainName)]
  return (
    <Selector
      label={t('strip.site')}
      value={value}
      options={[{ value: ALL, text: t('strip.allSites') }, ...names.map((name) => ({ value: name, text: name }))]}
      find={isPart || undefined}
      more={more}
      isBusy={isBusy}
      onType={setText}
      onOpen={setOpened}
      onChoose={(name) => {
        if (name !== value) onChoose(name)
      }}
    />
  )
}

/** Stays on the screen while site or domain change; its filters belonged to the old place and go. */
function useSameScreen() {
  const navigate = useNavigate()
  const screen = useMatches({ select: (matches) => matches.at(-1)?.fullPath })
  return (site: string, domain: string | undefined) =>
    void navigate({ to: screen ?? '/$site/{-$domain}/home', params: { site, domain }, search: {} })
}

type Option = { value: string; text: string; disabled?: boolean }
type SelectorProps = {
  label: string
  value: string
  options: readonly Option[]
  onChoose: (value: string) => void
  /** Has a search field however few the options are. */
  find?: boolean | undefined
  /** There are so many more than the options. */
  more?: number
  isBusy?: boolean
  onType?: (text: string) => void
  onOpen?: (opened: boolean) => void
}

function Selector(props: SelectorProps) {
  const {
    label,
    value,
    options,
    onChoose,
    find = options.length >= SEARCH_FROM,
    more = 0,
    isBusy,
    onType,
    onOpen,
  } = props
  const { t } = useTranslation('shell')
  const [text, setText] = useState('')
  const type = (next: string) => {
    setText(next)
    onType?.(next)
  }
  // A list that is narrowed by what is typed keeps the field for it.
  const isFinding = find || text !== ''
  const shown = options.filter((option) => option.text.toLowerCase().includes(text.trim().toLowerCase()))
  const current = options.find((option) => option.value === value)
  const close = () => {
    type('')
    onOpen?.(false)
  }
  return (
    <Menu position="bottom-start" width={280} onOpen={() => onOpen?.(true)} onClose={close}>
      <Menu.Target>
        <UnstyledButton className={classes.selector} aria-label={`${label}: ${current?.text ?? value}`}>
          <span className={classes.value}>{current?.text ?? value}</span>
          <IconSelector className={classes.chevron} size={14} stroke={1.8} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        {isFinding && (
          <TextInput
            className={classes.search}
            size="xs"
            placeholder={t('strip.find')}
            aria-label={t('strip.find')}
            leftSection={<IconSearch size={14} />}
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
            data-autofocus
          />
        )}
        <div className={classes.options}>
          {shown.map((option) => (
            <Menu.RadioItem
              key={option.value}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled ?? false}
              onChange={() => onChoose(option.value)}
            >
              {option.text}
            </Menu.RadioItem>
          ))}
          {shown.length === 0 && !isBusy && <p className={classes.none}>{t('strip.nothing')}</p>}
          {more > 0 && <p className={classes.none}>{t('strip.more', { count: more })}</p>}
        </div>
      </Menu.Dropdown>
    </Menu>
  )
}
