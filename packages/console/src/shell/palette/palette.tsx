import { Spotlight, createSpotlight } from '@mantine/spotlight'
import { IconClock, IconSearch, IconWorld, IconWorldWww } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAllPaletteEntries, useTypedEntries } from './palette-entries.ts'
import type { PaletteEntry } from './palette-entry.ts'
import { takeCaughtKeys } from './palette-store.ts'
import { matchingEntries } from './search-entries.ts'
import classes from './palette.module.css'
import { type EntryMakers, addOnEntryId, domainEntryId, recentEntries, rememberEntry, siteEntryId } from './recent.ts'
import { useFoundSites } from '../scope/use-found-sites.ts'
import { useAccount } from '../access/session.ts'

const GROUPS = ['actions', 'pages', 'records', 'sites', 'domains'] as const
const SHOWN_PER_GROUP = 8
const ICONS = {
  pages: IconSearch,
  records: IconWorldWww,
  sites: IconWorld,
  domains: IconWorldWww,
  actions: IconSearch,
} as const

const [paletteStore, palette] = createSpotlight()

type PaletteProps = {
  /** How often it has been asked for: it opens with each. */
  asked: number
  onOpenHelp: () => void
}

/** Ctrl K: pages, sites, domains, actions, and what was opened last. */
export function Palette({ asked, onOpenHelp }: PaletteProps) {
  const { t } = useTranslation('shell')
  const [text, setText] = useState('')
  useEffect(() => palette.open(), [asked])
  const entries = useAllPaletteEntries(onOpenHelp, text)
  const typed = useTypedEntries(text)
  const wanted = text.trim()
  const matching = wanted === '' ? entries : [...typed, ...matchingEntries(entries, wanted)]
  const makers = useEntryMakers()
  const recent = wanted === '' ? recentEntries(entries, makers) : []
  const run = (entry: PaletteEntry) => {
    rememberEntry(entry.id)
    entry.run()
  }
  return (
    <Spotlight.Root
      store={paletteStore}
      shortcut={null}
      query={text}
      onQueryChange={setText}
      clearQueryOnClose
      scrollable
      maxHeight={420}
      size={620}
      radius="xl"
      centered={false}
      yOffset={96}
      attributes={{ content: { 'aria-label': t('search') } }}
      classNames={{ content: classes.content, inner: classes.inner, overlay: classes.overlay }}
      transitionProps={{ duration: 110, transition: 'pop' }}
    >
      <Spotlight.Search
        placeholder={t('search')}
        aria-label={t('search')}
        data-palette
        onFocus={() => {
          const caught = takeCaughtKeys()
          if (caught !== '') setText((before) => before + caught)
        }}
        leftSection={<IconSearch size={18} stroke={1.65} />}
        classNames={{ input: classes.input }}
      />
      <Spotlight.ActionsList className={classes.list}>
        <PaletteGroup label={t('palette.recent')} entries={recent} icon={IconClock} onRun={run} prefix="recent:" />
        {GROUPS.map((group) => (
          <PaletteGroup
            key={group}
            label={t(`palette.${group}`)}
            icon={ICONS[group]}
            entries={matching.filter((entry) => entry.group === group).slice(0, SHOWN_PER_GROUP)}
            onRun={run}
          />
        ))}
        {matching.length === 0 && (
          <Spotlight.Empty className={classes.empty}>{t('palette.nothing', { text })}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
      <p className={classes.foot} aria-hidden>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {t('palette.keys.move')}
        </span>
        <span>
          <kbd>↵</kbd> {t('palette.keys.open')}
        </span>
        <span>
          <kbd>Esc</kbd> {t('palette.keys.close')}
        </span>
        <span className={classes.footEnd}>{t('palette.keys.example')}</span>
      </p>
    </Spotlight.Root>
  )
}

/** Sites beyond the first, domains of other sites than the one that is open, and add-ons are known from the history. */
function useEntryMakers(): EntryMakers {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { rows, isPart } = useFoundSites('')
  const { hideFeature } = useAccount()
  // Of one that is not among the first, its own page says whether it is still there.
  const mayBeThere = (site: string) => isPart || rows.some(({ domainName }) => domainName === site)
  return {
    site: (id, name) => {
      if (!mayBeThere(name)) return undefined
      return {
        id: siteEntryId(id, name),
        group: 'sites',
        label: name,
        hint: '',
        run: () => void navigate({ to: '/$site/{-$domain}/home', params: { site: name, domain: undefined } }),
      }
    },
    domain: (site, domain) => {
      if (!mayBeThere(site)) return undefined
      return {
        id: domainEntryId(site, domain),
        group: 'domains',
        label: domain,
        hint: site,
        run: () => void navigate({ to: '/$site/{-$domain}/home', params: { site, domain } }),
      }
    },
    'add-on': (id, name) => {
      if (hideFeature.includes('powerUps')) return undefined
      return {
        id: addOnEntryId(id, name),
        group: 'pages',
        label: name,
        hint: t('nav.marketplace'),
        run: () => void navigate({ to: '/marketplace/{-$category}/{-$childCategory}', search: { open: id } }),
      }
    },
  }
}

type PaletteGroupProps = {
  label: string
  entries: readonly PaletteEntry[]
  icon: typeof IconSearch
  onRun: (entry: PaletteEntry) => void
  prefix?: string
}

function PaletteGroup({ label, entries, icon, onRun, prefix = '' }: PaletteGroupProps) {
  if (entries.length === 0) return null
  return (
    <Spotlight.ActionsGroup label={label} classNames={{ actionsGroup: classes.group }}>
      {entries.map((entry) => {
        const Icon = entry.icon ?? icon
        return (
          <Spotlight.Action key={prefix + entry.id} className={classes.action} onClick={() => onRun(entry)}>
            <Icon className={classes.icon} size={17} stroke={1.65} aria-hidden />
            <span className={classes.words}>
              <span className={classes.label}>{entry.label}</span>
              {entry.hint !== '' && <span className={classes.hint}>{entry.hint}</span>}
            </span>
          </Spotlight.Action>
        )
      })}
    </Spotlight.ActionsGroup>
  )
}
