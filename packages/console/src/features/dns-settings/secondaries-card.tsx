import { dnsSecondaries } from '@fairway/contract'
import type { DnsSecondary, RouteOutput } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { AddSecondary } from './add-secondary.tsx'
import classes from './dns-settings.module.css'
import { SecondaryConfig } from './secondary-config.tsx'

type Created = RouteOutput<typeof dnsSecondaries.routes.create>

/** Name servers of others that take all zones of the organisation: who they are, and how they are set up. */
export function SecondariesCard() {
  const { t } = useTranslation('dns-settings')
  const { data, error, refetch } = useRead(dnsSecondaries.routes.list, {})
  const mayAdd = useCanCall(dnsSecondaries.routes.create)
  const mayRemove = useCanCall(dnsSecondaries.routes.remove)
  const [adding, setAdding] = useState(false)
  const [created, setCreated] = useState<Created | null>(null)
  const [removing, setRemoving] = useState<DnsSecondary | null>(null)
  const remove = useChange(dnsSecondaries.routes.remove, {
    onDone: () => {
      setRemoving(null)
      void refetch()
    },
  })
  return (
    <Card
      title={t('secondaries.title')}
      {...(mayAdd
        ? {
            end: (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconPlus size={15} stroke={1.8} />}
                onClick={() => setAdding(true)}
              >
                {t('secondaries.add')}
              </Button>
            ),
          }
        : {})}
    >
      <div className={classes.blocks}>
        <p className={classes.text}>{t('secondaries.text')}</p>
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={60} radius="md" />}
        {data?.data.length === 0 && <p className={classes.quiet}>{t('secondaries.none')}</p>}
        {data && data.data.length > 0 && (
          <ul className={classes.list}>
            {data.data.map((secondary) => (
              <li key={secondary.id} className={classes.row}>
                <span className={classes.rowWords}>
                  <span className={classes.rowName}>{secondary.name}</span>
                  <span className={classes.quiet}>
                    {secondary.notify === null
                      ? t('secondaries.noNotify')
                      : t('secondaries.notified', { address: secondary.notify })}{' '}
                    · <code>{secondary.keyName}</code>
                  </span>
                </span>
                {mayRemove && (
                  <Button
                    variant="subtle"
                    color="red"
                    size="xs"
                    aria-label={t('secondaries.removeNamed', { name: secondary.name })}
                    onClick={() => setRemoving(secondary)}
                  >
                    {t('secondaries.remove')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        {data?.withheld.map(({ site, domainName, names }) => (
          <Notice key={site} tone="warn" title={t('secondaries.withheld', { name: domainName })}>
            {t('secondaries.withheldText', { names: names.join(', ') })}
          </Notice>
        ))}
        {data && data.data.length > 0 && (
          <Notice tone="info" title={t('secondaries.limits')}>
            {t('secondaries.limitsText')}
          </Notice>
        )}
      </div>
      <AddSecondary
        opened={adding}
        onClose={() => setAdding(false)}
        onCreated={(made) => {
          setAdding(false)
          setCreated(made)
          void refetch()
        }}
      />
      {data && created && (
        <SecondaryConfig
          created={created}
          catalog={data.catalog}
          primary={data.primary}
          onClose={() => setCreated(null)}
        />
      )}
      <Confirm
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title={t('secondaries.removeTitle', { name: removing?.name ?? '' })}
        verb={t('secondaries.remove')}
        danger
        busy={remove.isPending}
        onConfirm={() => {
          if (removing) remove.mutate({ id: removing.id })
        }}
      >
        {t('secondaries.removeText')}
      </Confirm>
    </Card>
  )
}
