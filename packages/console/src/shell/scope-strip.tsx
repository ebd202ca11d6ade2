import { Menu, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch, IconSelector } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMatches, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SiteMenu } from '../features/sites/site-menu.tsx'
import { HealthPill } from './health-pill.tsx'
import { sitesRead, useScope } from './scope.ts'
import classes from './scope-strip.module.css'

/** From this many on, a selector gets a search field. */
const SEARCH_FROM = 8

/** Which site and domain the page is about, and whether its CDNs are well. */
export function ScopeStrip() {
  const { t } = useTranslation('shell')
  const { site, domain, domains } = useScope()
  const sites = useSuspenseQuery(sitesRead).data.data
  const go = useSameScreen()
  return (
    <section className={classes.strip} aria-label={t('strip.label')}>
      <span className={classes.dot} data-state={site.deployState} aria-hidden />
      <Selector label={t('strip.site')} value={site.domainName} options={sites.map(({ domainName }) => ({ value: domainName, text: domainName }))} onChoose={(name) => go(name, undefined)} />
      <SiteMenu site={site} />
      <span className={classes.slash} aria-hidden>/</span>
      <Selector
        label={t('strip.domain')}
        value={domain?.name ?? 'all'}
        options={[{ value: 'all', text: t('strip.allDomains') }, ...domains.map(({ name, disabled }) => ({ value: name, text: name, disabled }))]}
        onChoose={(name) => go(site.domainName, name === 'all' ? undefined : name)}
      />
      <span className={classes.end}><HealthPill site={site} domain={domain} /></span>
    </section>
  )
}

/** Stays on the screen while site or domain change; its filters belonged to the old place and go. */
function useSameScreen() {
  const navigate = useNavigate()
  const screen = useMatches({ select: (matches) => matches.at(-1)?.fullPath })
  return (site: string, domain: string | undefined) => void navigate({ to: screen ?? '/$site/{-$domain}/home', params: { site, domain }, search: {} })
}

type Option = { value: string; text: string; disabled?: boolean }
type SelectorProps = { label: string; value: string; options: readonly Option[]; onChoose: (value: string) => void }

function Selector({ label, value, options, onChoose }: SelectorProps) {
  const { t } = useTranslation('shell')
  const [text, setText] = useState('')
  const shown = options.filter((option) => option.text.toLowerCase().includes(text.trim().toLowerCase()))
  const current = options.find((option) => option.value === value)
  return (
    <Menu position="bottom-start" width={280} onClose={() => setText('')}>
      <Menu.Target>
        <UnstyledButton className={classes.selector} aria-label={`${label}: ${current?.text ?? value}`}>
          <span className={classes.value}>{current?.text ?? value}</span>
          <IconSelector className={classes.chevron} size={14} stroke={1.8} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        {options.length >= SEARCH_FROM && (
          <TextInput className={classes.search} size="xs" placeholder={t('strip.find')} aria-label={t('strip.find')} leftSection={<IconSearch size={14} />} value={text} onChange={(event) => setText(event.currentTarget.value)} data-autofocus />
        )}
        <div className={classes.options}>
          {shown.map((option) => (
            <Menu.RadioItem key={option.value} value={option.value} checked={option.value === value} disabled={option.disabled ?? false} onChange={() => onChoose(option.value)}>
              {option.text}
            </Menu.RadioItem>
          ))}
          {shown.length === 0 && <p className={classes.none}>{t('strip.nothing')}</p>}
        </div>
      </Menu.Dropdown>
    </Menu>
  )
}
