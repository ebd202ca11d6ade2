import type { Dnssec } from '@fairway/contract'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './dns-settings.module.css'

/** The way that the zone is on, with the step that is waited for. */
export function DnssecSteps({ dnssec }: { dnssec: Dnssec }) {
  const { t } = useTranslation('dns-settings')
  const { way, done } = wayOf(dnssec)
  return (
    <ol className={classes.steps} aria-label={t('steps')}>
      {way.map((step, index) => (
        <li
          key={step}
          className={classes.step}
          data-done={index < done || undefined}
          data-now={index === done || undefined}
          aria-current={index === done ? 'step' : undefined}
        >
          <span className={classes.mark} aria-hidden>
            {index < done ? <IconCheck size={14} stroke={2.2} /> : index + 1}
          </span>
          <span>{t(`step.${step}`)}</span>
        </li>
      ))}
    </ol>
  )
}

function wayOf({ state, keys, parent }: Dnssec): { way: readonly string[]; done: number } {
  if (state === 'withdrawing')
    return {
      way: ['askRemoval', 'forget', 'unsigned'],
      done: parent.ds.length > 0 || parent.checkedAt === null ? 0 : 1,
    }
  if (keys.length > 1) {
    const next = keys.find((key) => key.state === 'published' || key.state === 'ready')
    return {
      way: ['publish', 'giveNew', 'takeOver', 'dropOld'],
      done: next === undefined ? 3 : next.state === 'published' ? 0 : next.atParent ? 2 : 1,
    }
  }
  return { way: ['sign', 'giveDs', 'secured'], done: state === 'secured' ? 3 : 1 }
}
