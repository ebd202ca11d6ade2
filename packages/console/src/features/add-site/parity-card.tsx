import { type Parity, type ParityKind, type ParityRow, type Site, addSite } from '@fairway/contract'
import { isDifference } from '@fairway/domain'
import { Button, Switch } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { TypeTag } from '../../ui/marks/type-tag.tsx'
import classes from './add-site.module.css'

export const isComparing = ({ state }: Pick<Parity, 'state'>): boolean => state === 'waiting' || state === 'running'

const SHOWN_ROWS = 300

/** What the old nameservers answer and what ours answer, question by question. */
export function ParityCard({ site, parity }: { site: Site; parity: Parity }) {
  const { t } = useTranslation('add-site')
  const format = useFormat()
  const [all, setAll] = useState(false)
  const canStart = useCanCall(addSite.routes.startParity)
  const start = useChange(addSite.routes.startParity)
  const share = parity.questionsTotal ? parity.questionsAsked / parity.questionsTotal : 0
  const rows = all ? parity.rows : parity.rows.filter(({ kind }) => kind !== 'same' && kind !== 'ttl')
  const isFirst = parity.state === 'none'
  const isOld = parity.state === 'done' && parity.version !== null && parity.version < site.version
  return (
    <Card
      title={t('parity.title')}
      hint={parity.finishedAt && !isComparing(parity) && <Age at={parity.finishedAt} />}
      end={
        canStart &&
        !isComparing(parity) && (
          <Button variant="default" size="xs" loading={start.isPending} onClick={() => start.mutate({ site: site.id })}>
            {t(isFirst ? 'parity.start' : 'parity.again')}
          </Button>
        )
      }
    >
      <div className={classes.stack}>
        <p className={classes.quiet}>{t('parity.text')}</p>
        {isComparing(parity) && (
          <div
            className={classes.bar}
            role="progressbar"
            aria-label={t('parity.progress')}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(share * 100)}
          >
            <div className={classes.fill} style={{ width: `${share * 100}%` }} />
          </div>
        )}
        <div role="status" className={classes.stack}>
          {parity.problem && (
            <Notice tone="warn" title={t('parity.failed')}>
              {t(`problem.${parity.problem}`)}
            </Notice>
          )}
          {isOld && <Notice tone="warn">{t('parity.old')}</Notice>}
          {parity.state === 'done' && (
            <p className={classes.verdict} data-tone={parity.differences === 0 ? 'ok' : 'warn'}>
              {t('parity.outcome', { count: parity.differences, names: format.number(parity.names) })}
            </p>
          )}
        </div>
        {parity.rows.length > 0 && (
          <Switch label={t('parity.all')} checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
        )}
        {rows.length > 0 && <ParityTable rows={rows.slice(0, SHOWN_ROWS)} />}
        {rows.length > SHOWN_ROWS && (
          <p className={classes.quiet}>{t('parity.more', { count: rows.length - SHOWN_ROWS })}</p>
        )}
      </div>
    </Card>
  )
}

const toneOf = (kind: ParityKind): Tone => (isDifference(kind) ? 'warn' : kind === 'same' ? 'ok' : 'neutral')

function ParityTable({ rows }: { rows: readonly ParityRow[] }) {
  const { t } = useTranslation('add-site')
  return (
    // Wide on a phone: the keyboard must reach what is beside.
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('parity.table')}>
      <table className={classes.rows}>
        <thead>
          <tr>
            <th scope="col">{t('column.name')}</th>
            <th scope="col">{t('column.type')}</th>
            <th scope="col">{t('parity.oldAnswer')}</th>
            <th scope="col">{t('parity.ourAnswer')}</th>
            <th scope="col">{t('parity.verdict')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.name} ${row.type}`}>
              <td className={classes.name}>{row.name}</td>
              <td>
                <TypeTag type={row.type} />
              </td>
              <td>
                <Answers rdata={row.old} />
              </td>
              <td>
                <Answers rdata={row.ours} />
              </td>
              <td>
                <Pill tone={toneOf(row.kind)}>{t(`parity.kind.${row.kind}`)}</Pill>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Answers({ rdata }: { rdata: readonly string[] }) {
  if (rdata.length === 0) return <span className={classes.left}>—</span>
  return rdata.map((one) => <code key={one}>{one}</code>)
}
