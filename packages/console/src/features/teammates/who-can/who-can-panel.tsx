import { type WhoCan, type WhoCanPerson, teammates } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { IconCheck, IconCircleHalf2, IconMinus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../api/queries.ts'
import { ErrorState } from '../../../ui/page/error-state.tsx'
import { SideDrawer } from '../../../ui/layers/side-drawer.tsx'
import { LabelTag } from '../../../ui/marks/type-tag.tsx'
import { Pill } from '../../../ui/marks/status-pill.tsx'
import { nameOf } from '../person-name.ts'
import classes from './who-can-panel.module.css'

type WhoCanPanelProps = { feature: string; opened: boolean; onClose: () => void }

/** Who may see, change and delete what this page is about: answered by the rule that every call is judged by. */
export function WhoCanPanel({ feature, opened, onClose }: WhoCanPanelProps) {
  const { t } = useTranslation('teammates')
  const { data, error, refetch } = useRead(teammates.routes.whoCan, { feature }, { enabled: opened })
  return (
    <SideDrawer opened={opened} onClose={onClose} title={t('whoCan.title')}>
      <div className={classes.panel}>
        <p className={classes.lead}>{t('whoCan.text')}</p>
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <People answer={data} />
        ) : (
          <Skeleton height={220} radius="md" aria-label={t('whoCan.title')} />
        )}
        <p className={classes.foot}>
          <Link to="/account/teammate" onClick={onClose}>
            {t('whoCan.manage')}
          </Link>
        </p>
      </div>
    </SideDrawer>
  )
}

const DEEDS = ['view', 'edit', 'remove'] as const

function People({ answer: { needs, people } }: { answer: WhoCan }) {
  const { t } = useTranslation('teammates')
  const deeds = DEEDS.filter((deed) => needs[deed].length > 0)
  return (
    <table className={classes.table} aria-label={t('whoCan.title')}>
      <thead>
        <tr>
          <th scope="col">{t('column.name')}</th>
          {deeds.map((deed) => (
            <th key={deed} scope="col" className={classes.deed}>
              {t(`whoCan.${deed}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.id} data-off={person.status === 'suspended' || undefined}>
            <th scope="row" className={classes.person}>
              <span className={classes.name}>
                {nameOf(person)} {person.isOwner && <LabelTag>{t('owner')}</LabelTag>}{' '}
                {person.isSelf && <LabelTag>{t('you')}</LabelTag>}{' '}
                {person.status === 'suspended' && <Pill tone="bad">{t('status.suspended')}</Pill>}
              </span>
              <span className={classes.mail}>{person.email}</span>
            </th>
            {deeds.map((deed) => (
              <td key={deed} className={classes.deed}>
                <Answer answer={person[deed]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const ICONS = { all: IconCheck, some: IconCircleHalf2, none: IconMinus } as const

function Answer({ answer }: { answer: WhoCanPerson['view'] }) {
  const { t } = useTranslation('teammates')
  const Icon = ICONS[answer]
  return (
    <span className={classes.answer} data-answer={answer} title={t(`whoCan.answer.${answer}`)}>
      <Icon size={16} stroke={2} aria-hidden />
      <span className="sr-only">{t(`whoCan.answer.${answer}`)}</span>
    </span>
  )
}
