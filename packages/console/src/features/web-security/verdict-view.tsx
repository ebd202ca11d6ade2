import type { SecurityAction, SecurityStep, TriedVerdict } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { Pill } from '../../ui/marks/status-pill.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import classes from './try.module.css'

const TONES: Record<SecurityAction, Tone> = {
  pass: 'ok',
  simulate: 'warn',
  'rate-limit': 'bad',
  block: 'bad',
  challenge: 'warn',
  redirect: 'info',
}

/** What becomes of the request, in a pill. */
export function VerdictPill({ verdict }: { verdict: TriedVerdict['verdict'] }) {
  const { t } = useTranslation('web-security')
  const { action, status } = verdict
  return (
    <Pill tone={TONES[action]}>
      {t(`verdict.${action}`)}
      {status > 0 ? ` · ${status}` : ''}
    </Pill>
  )
}

/** The whole verdict: what decided, every step on the way there, headers and origin of what goes on. */
export function VerdictView({ tried }: { tried: TriedVerdict }) {
  const { t } = useTranslation('web-security')
  const { verdict, origin } = tried
  const { part, reason, trace } = verdict
  return (
    <div className={classes.verdict}>
      <div className={classes.head}>
        <VerdictPill verdict={verdict} />
        <span className={classes.why}>
          {part === null
            ? t('try.nothing')
            : [t(`part.${part}`), t(`reason.${reason}`, { defaultValue: reason })].join(' · ')}
        </span>
      </div>
      {verdict.location !== '' && <code>{verdict.location}</code>}
      <p className={classes.title}>{t('try.steps')}</p>
      <ol className={classes.steps}>
        {trace.map((step, index) => (
          <StepRow key={`${step.part} ${step.ruleId} ${String(index)}`} step={step} />
        ))}
      </ol>
      {verdict.status === 0 && <GoesOn tried={{ verdict, origin }} />}
    </div>
  )
}

function StepRow({ step: { part, name, outcome, action, reason } }: { step: SecurityStep }) {
  const { t } = useTranslation(['web-security', 'firewall-rules'])
  const words = [
    t(`outcome.${outcome}`),
    outcome === 'matched' && action !== null ? t(`firewall-rules:action.${action}`) : '',
    reason === '' ? '' : t(`reason.${reason}`, { defaultValue: reason }),
  ]
  return (
    <li className={classes.step} data-outcome={outcome}>
      <span className={classes.name}>
        {t(`part.${part}`)}
        {name !== '' && ` · ${name}`}
      </span>
      <span className={classes.outcome}>{words.filter((word) => word !== '').join(' · ')}</span>
    </li>
  )
}

/** Where it is fetched, and which headers are changed on the way. */
function GoesOn({ tried: { verdict, origin } }: { tried: TriedVerdict }) {
  const { t } = useTranslation('web-security')
  return (
    <>
      <p className={classes.title}>{t('try.origin')}</p>
      <OriginLines origin={origin} />
      {verdict.headers.length > 0 && (
        <>
          <p className={classes.title}>{t('try.headerChanges')}</p>
          <HeaderLines verdict={verdict} />
        </>
      )}
    </>
  )
}

export function OriginLines({ origin }: { origin: TriedVerdict['origin'] }) {
  const { t } = useTranslation('web-security')
  const host = origin.address.includes(':') ? `[${origin.address}]` : origin.address
  return (
    <dl className={classes.pair}>
      <dt>{t('origin.address')}</dt>
      <dd>
        <code>{`${origin.protocol}://${host}:${origin.port}`}</code>
      </dd>
      <dt>{t('origin.hostHeader')}</dt>
      <dd>
        <code>{origin.hostHeader}</code>
      </dd>
      {origin.protocol === 'https' && (
        <>
          <dt>{t('origin.sni')}</dt>
          <dd>
            <code>{origin.sni}</code>
          </dd>
        </>
      )}
      <dt>{t('origin.by')}</dt>
      <dd>{origin.ruleName === '' ? t('origin.own') : origin.ruleName}</dd>
    </dl>
  )
}

export function HeaderLines({ verdict }: { verdict: TriedVerdict['verdict'] }) {
  const { t } = useTranslation('web-security')
  return (
    <ul className={classes.changes}>
      {verdict.headers.map(({ direction, operation, header, value }, index) => (
        <li key={`${direction} ${header} ${String(index)}`} className={classes.change}>
          <span className={classes.quiet}>{`${t(`direction.${direction}`)} · ${t(`operation.${operation}`)} `}</span>
          <code>{operation === 'remove' ? header : `${header}: ${value}`}</code>
        </li>
      ))}
    </ul>
  )
}
