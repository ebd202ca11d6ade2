import type { Overview } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { Age } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import classes from './event-feed.module.css'

/** The nodes that serve, and when each was last heard. */
export function NodeList({ nodes }: { nodes: Overview['nodes'] }) {
  const { t } = useTranslation('overview')
  return (
    <Card title={t('nodesTitle')}>
      {nodes.length === 0 ? (
        <p className={classes.none}>{t('noNodes')}</p>
      ) : (
        <ul className={classes.nodes}>
          {nodes.map(({ name, role, state, lastSeenAt }) => (
            <li key={`${role} ${name}`} className={classes.node}>
              <span className={classes.nodeName}>
                <code>{name}</code>
                <span className={classes.nodeRole}>{t(`role.${role}`, { defaultValue: role })}</span>
              </span>
              {state === 'away' && (
                <span className={`${classes.when} num`}>
                  <Age at={lastSeenAt} />
                </span>
              )}
              <StatusPill state={state} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
