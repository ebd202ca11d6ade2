import { analyticsOriginShield, type Site, type Threat } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { Copy } from '../../ui/marks/copy.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { ActionPill } from './action-pill.tsx'
import { CrsExclusion } from './crs-exclusion.tsx'
import { Exclusion } from './exclusion.tsx'
import classes from './incident-drawer.module.css'
import { useShieldWords } from './use-shield-words.ts'

type Props = {
  opened: boolean
  incident: string
  site: Site
  onClose: () => void
  onOpen: (incident: string) => void
}

/** One incident: which rule, which bytes, and what else this visitor did. */
export function IncidentDrawer({ opened, incident, site, onClose, onOpen }: Props) {
  const { t } = useTranslation('analytics-origin-shield')
  const query = useRead(analyticsOriginShield.routes.threat, { site: site.id, incident }, { enabled: opened })
  const found = query.data?.threat.incident === incident ? query.data : undefined
  return (
    <SideDrawer opened={opened} onClose={onClose} title={t('incident.title')} size={720}>
      {found ? (
        <div className={classes.root}>
          <Facts threat={found.threat} site={site} />
          {(found.threat.category === 'firewall-rules' || found.threat.category === 'bot-management') && (
            <Exclusion key={incident} threat={found.threat} />
          )}
          {found.threat.category === 'crs-rules' && <CrsExclusion key={incident} threat={found.threat} />}
          <Others
            visitor={found.visitor}
            others={found.others.filter((one) => one.incident !== incident)}
            address={found.threat.address}
            onOpen={onOpen}
          />
        </div>
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton height={420} radius="sm" />
      )}
    </SideDrawer>
  )
}

function Facts({ threat, site }: { threat: Threat; site: Site }) {
  const { t } = useTranslation('analytics-origin-shield')
  const format = useFormat()
  const { ruleOf, shown } = useShieldWords()
  const isRule = threat.category === 'firewall-rules' && threat.ruleName !== null
  const target = `${threat.path}${threat.query === '' ? '' : `?${threat.query}`}`
  return (
    <>
      <div className={classes.verdict}>
        <ActionPill action={threat.action} />
        <p className={classes.sentence}>
          {t(`part.${threat.category}`)}
          {' · '}
          {isRule ? (
            <Link
              to="/$site/{-$domain}/origin-shield/firewall-rules/edit/$id"
              params={{ site: site.domainName, domain: threat.domain, id: threat.ruleId }}
            >
              {ruleOf(threat)}
            </Link>
          ) : (
            ruleOf(threat)
          )}
          {' · '}
          {t(`reason.${threat.reason}`, { defaultValue: threat.reason })}
        </p>
      </div>
      <pre className={classes.request}>
        <code>
          {threat.method}{' '}
          <Marked text={shown(decoded(target))} mark={threat.matched ? shown(threat.matched.text) : ''} />
          {'\n'}Host: {threat.domain}
          {'\n'}User-Agent:{' '}
          <Marked text={threat.agent} mark={threat.matched?.field === 'user-agent' ? threat.matched.text : ''} />
        </code>
      </pre>
      {threat.matched && (
        <p className={classes.matched}>
          {t('incident.matched', {
            field: `${t(`firewall-rules:field.${threat.matched.field}`, { defaultValue: threat.matched.field })}${threat.matched.name === '' ? '' : ` ${threat.matched.name}`}`,
          })}{' '}
          <code>{shown(threat.matched.text)}</code>
        </p>
      )}
      <dl className={classes.facts}>
        <Fact name={t('log.date')}>{format.exact(threat.at)}</Fact>
        <Fact name={t('log.address')}>
          <code>{threat.address}</code> <Copy value={threat.address} />
        </Fact>
        <Fact name={t('log.country')}>
          {threat.country === '' ? t('unknownCountry') : format.country(threat.country)}
          {threat.network === '' ? '' : ` · ${threat.network}`}
        </Fact>
        <Fact name={t('incident.answered')}>
          {threat.status} · {format.bytes(threat.bytes)} · {threat.node}
        </Fact>
        <Fact name={t('log.incident')}>
          <code className={classes.id}>{threat.incident}</code> <Copy value={threat.incident} />
        </Fact>
        {threat.weight > 1 && (
          <Fact name={t('incident.standsFor')}>{t('log.weight', { number: format.number(threat.weight) })}</Fact>
        )}
      </dl>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Others({
  visitor,
  others,
  address,
  onOpen,
}: {
  visitor: { requests: number; stopped: number; firstAt: number; lastAt: number; paths: number }
  others: readonly Threat[]
  address: string
  onOpen: (incident: string) => void
}) {
  const { t } = useTranslation('analytics-origin-shield')
  const format = useFormat()
  return (
    <section className={classes.others}>
      <h3 className={classes.heading}>{t('incident.others', { address })}</h3>
      <p className={classes.note}>
        {t('incident.deeds', {
          count: visitor.requests,
          number: format.number(visitor.requests),
          stopped: format.number(visitor.stopped),
          paths: format.number(visitor.paths),
          from: format.time(visitor.firstAt),
          to: format.time(visitor.lastAt),
        })}
      </p>
      {others.length > 0 && (
        <ul className={classes.list}>
          {others.map((one, index) => (
            <li key={`${one.incident} ${index}`}>
              <button type="button" className={classes.other} onClick={() => onOpen(one.incident)}>
                <span className="num">{format.timeOfDay(one.at)}</span>
                <ActionPill action={one.action} />
                <code>
                  {one.method} {one.path}
                </code>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** A text with what a rule found in it set off. */
function Marked({ text, mark }: { text: string; mark: string }) {
  const at = mark === '' ? -1 : text.toLowerCase().indexOf(mark.toLowerCase())
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark className={classes.mark}>{text.slice(at, at + mark.length)}</mark>
      {text.slice(at + mark.length)}
    </>
  )
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target.replaceAll('+', ' '))
  } catch {
    return target
  }
}
