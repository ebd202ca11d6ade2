import { type SignedUrls, type SigningKey, signedUrls } from '@fairway/contract'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Copy } from '../../ui/marks/copy.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import classes from './signed-urls.module.css'

/** The keys that may be signed with. The last one stays while signing is on, and CloudFront’s while videos are there. */
export function KeysCard({ of, add, onDone }: { of: SignedUrls; add: ReactNode; onDone: () => void }) {
  const { t } = useTranslation('signed-urls')
  const format = useFormat()
  const show = useSnackbar()
  const [removing, setRemoving] = useState<SigningKey | null>(null)
  const mayEdit = useCanCall(signedUrls.routes.removeKey)
  const remove = useChange(signedUrls.routes.removeKey, {
    onDone: () => {
      show('signed-urls', { message: t('keyRemoved', { serial: removing?.serial }) })
      setRemoving(null)
      onDone()
    },
  })
  const isNeeded = ({ kind }: SigningKey) =>
    kind === 'ecdsa-p256' ? of.on : of.cloudfront !== null && of.cloudfront.state !== 'removing'
  const isLast = (key: SigningKey) =>
    isNeeded(key) && of.keys.every(({ id, kind }) => id === key.id || kind !== key.kind)
  return (
    <Card title={t('keys')} hint={t('keysHint', { used: of.keys.length, limit: of.limit })} flush={of.keys.length > 0}>
      {of.keys.length === 0 ? (
        <div data-empty>
          <EmptyTeach title={t('empty.title')} text={t('empty.text')} action={add} />
        </div>
      ) : (
        <FlushTable
          label={t('keys')}
          head={[
            { key: 'serial', text: t('serial'), number: true },
            { key: 'id', text: t('keyId') },
            { key: 'kind', text: t('kind') },
            { key: 'made', text: t('made'), wide: true },
            { key: 'created', text: t('created'), wide: true },
            { key: 'by', text: t('createdBy'), wide: true },
            { key: 'remove', text: '' },
          ]}
        >
          {of.keys.map((key) => (
            <tr key={key.id}>
              <td className="num" data-number>
                {format.number(key.serial)}
              </td>
              <th scope="row">
                <span className={classes.keyId}>
                  <code>{key.keyId}</code>
                  <Copy value={key.keyId} />
                </span>
              </th>
              <td>
                {t(`kinds.${key.kind}`)}
                {key.kind === 'rsa-2048' && <span className={classes.detail}>{t(`kindFor.${key.kind}`)}</span>}
                {key.keyPairId !== null && (
                  <span className={classes.keyId}>
                    <code>{key.keyPairId}</code>
                    <Copy value={key.keyPairId} />
                  </span>
                )}
              </td>
              <td data-wide>{t(key.isOwn ? 'madeElsewhere' : 'madeHere')}</td>
              <td data-wide>{format.dateTime(Date.parse(key.createdAt))}</td>
              <td data-wide>{key.createdBy}</td>
              <td className={classes.rowEnd}>
                {mayEdit && (
                  <Button
                    size="xs"
                    variant="default"
                    color="red"
                    disabled={isLast(key)}
                    {...(isLast(key) ? { title: t(`lastKey.${key.kind}`) } : {})}
                    aria-label={t('removeNamed', { id: key.keyId })}
                    onClick={() => setRemoving(key)}
                  >
                    {t('remove')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </FlushTable>
      )}
      <Confirm
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title={t('removeAsk', { serial: removing?.serial })}
        verb={t('remove')}
        danger
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate({ id: removing.id })}
      >
        {t(removing?.kind === 'rsa-2048' ? 'removeTextRsa' : of.on ? 'removeTextOn' : 'removeTextOff')}
      </Confirm>
    </Card>
  )
}
