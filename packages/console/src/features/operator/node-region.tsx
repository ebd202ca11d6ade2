import { type NodeRow, operatorArea } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import classes from './operator.module.css'
import { useRefreshing } from './use-refreshing.ts'

/** Which shield region an edge is of, and where others fetch through it. */
export function NodeRegion({ node, shield }: { node: NodeRow; shield: NonNullable<NodeRow['shield']> }) {
  const { t } = useTranslation('operator')
  const given = shield.by === 'operator' ? (shield.region ?? '') : ''
  const [draft, setDraft] = useState<string>()
  const value = draft ?? given
  const save = useRefreshing(operatorArea.routes.setNodeRegion, '/operator/v2/nodes/', () => setDraft(undefined), {
    ownError: true,
  })
  return (
    <form
      className={classes.stack}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ node: node.id, region: value === '' ? null : value })
      }}
    >
      {save.error && <FailureNotice title={t('nodes.regionNotSaved')} error={save.error} />}
      <TextInput
        label={t('nodes.region')}
        description={t('nodes.regionHelp', { setting: 'FAIRWAY_SHIELD_REGION' })}
        placeholder={shield.by === 'machine' ? (shield.region ?? '') : ''}
        value={value}
        maxLength={40}
        onChange={({ currentTarget }) => setDraft(currentTarget.value.trim().toLowerCase())}
      />
      <p className={classes.muted}>
        {shield.address === null
          ? t('nodes.noShieldAddress', { setting: 'FAIRWAY_SHIELD_LISTEN' })
          : t('nodes.shieldAddress', { address: shield.address })}
      </p>
      <div>
        <Button type="submit" variant="default" disabled={value === given} loading={save.isPending}>
          {t('nodes.setRegion')}
        </Button>
      </div>
    </form>
  )
}
