import { apiKeys } from '@fairway/contract'
import type { ApiKey } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useAccount, useCanCall } from '../../shell/access/session.ts'
import { Age, useNow } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './screen.module.css'
import { SettingRow } from './setting-row.tsx'
import { useOpenDialog } from './use-open-dialog.ts'

/** Keys with which programs call the API for this user. Not shown to those who may not have any. */
export function ApiKeysCard() {
  const mayView = useCanCall(apiKeys.routes.list)
  const { hideFeature } = useAccount()
  return mayView && !hideFeature.includes('apiGenerate') ? <ApiKeys /> : null
}

function ApiKeys() {
  const { t } = useTranslation('account')
  const { open } = useOpenDialog()
  const mayEdit = useCanCall(apiKeys.routes.create)
  const keys = useRead(apiKeys.routes.list, {})
  const [removed, setRemoved] = useState<ApiKey | null>(null)
  const wait = useSecondsUntil(keys.data?.nextAt ?? null)
  const rows = keys.data?.data ?? []
  return (
    <Card
      title={t('apiKeys.title')}
      hint={wait > 0 ? t('apiKeys.wait', { count: wait }) : undefined}
      end={
        mayEdit && (
          <Button variant="default" disabled={wait > 0} onClick={() => open('api-key')}>
            {t('apiKeys.make')}
          </Button>
        )
      }
      flush
    >
      {keys.isError && (
        <div className={classes.note}>
          <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
        </div>
      )}
      {keys.isPending && (
        <div className={classes.note}>
          <Skeleton height={44} />
        </div>
      )}
      {keys.data && rows.length === 0 && <p className={classes.empty}>{t('apiKeys.none')}</p>}
      <ul className={classes.rows}>
        {rows.map((key) => (
          <SettingRow
            key={key.id}
            name={
              <>
                {key.name}{' '}
                <Pill tone={key.deletedAt === null ? 'ok' : 'neutral'}>
                  {key.deletedAt === null ? t('apiKeys.tier', { tier: key.tier }) : t('apiKeys.deleted')}
                </Pill>
              </>
            }
            text={<code>{key.prefix}…</code>}
            more={
              <>
                {t('apiKeys.created')} <Age inside at={key.createdAt} />
                {key.deletedAt !== null && (
                  <>
                    {' '}
                    · {t('apiKeys.deletedAt')} <Age inside at={key.deletedAt} />
                  </>
                )}
                {' · '}
                {key.lastUsedAt === null ? (
                  t('apiKeys.neverUsed')
                ) : (
                  <>
                    {t('apiKeys.used', { ip: key.lastUsedIp ?? '—' })} <Age inside at={key.lastUsedAt} />
                  </>
                )}
              </>
            }
          >
            {mayEdit && key.deletedAt === null && (
              <Button
                variant="subtle"
                color="red"
                aria-label={t('apiKeys.removeNamed', { name: key.name })}
                onClick={() => setRemoved(key)}
              >
                {t('apiKeys.remove')}
              </Button>
            )}
          </SettingRow>
        ))}
      </ul>
      {removed && <RemoveKey apiKey={removed} onClose={() => setRemoved(null)} />}
    </Card>
  )
}

function RemoveKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { t } = useTranslation('account')
  const queryClient = useQueryClient()
  const remove = useChange(apiKeys.routes.remove, {
    onDone: () => {
      void queryClient.invalidateQueries({ queryKey: [apiKeys.routes.list.path] })
      onClose()
    },
  })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={t('apiKeys.removeTitle', { name: apiKey.name })}
      verb={t('apiKeys.removeVerb')}
      danger
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ id: apiKey.id })}
    >
      {t('apiKeys.removeText')}
    </Confirm>
  )
}

/** Whole seconds until then, counting down; 0 when it has come. */
function useSecondsUntil(at: string | null): number {
  const now = useNow(1_000)
  return at === null ? 0 : Math.max(0, Math.ceil((Date.parse(at) - now) / 1000))
}
