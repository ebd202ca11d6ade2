import { type AuthorityId, certificates, sites } from '@fairway/contract'
import { Select, Skeleton, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import classes from './certificates.module.css'
import { OrderForm } from './order-form.tsx'
import { UploadForm } from './upload-form.tsx'

type Kind = AuthorityId | 'upload'
type SetupDrawerProps = {
  opened: boolean
  onClose: () => void
  /** Undefined: the site is chosen here. */ site: string | undefined
  onMade: (id: string) => void
}

/** A new certificate: who signs, for which names; the rest happens by itself. Or one that was bought elsewhere. */
export function SetupDrawer({ opened, onClose, site, onMade }: SetupDrawerProps) {
  const { t } = useTranslation('certificates')
  const { data: authorities } = useRead(certificates.routes.authorities, {}, { enabled: opened })
  const { data: all } = useRead(sites.routes.list, { page_size: -1 }, { enabled: opened })
  const [chosen, setChosen] = useState<Kind | null>(null)
  const [chosenSite, setChosenSite] = useState<string | null>(null)
  const firstReady = authorities?.data.find(({ configured }) => configured)?.id
  const kind = chosen ?? firstReady ?? 'upload'
  const siteId = site ?? chosenSite ?? all?.data[0]?.id
  const at = all?.data.find(({ id }) => id === siteId)
  const before = (
    <>
      {site === undefined && (
        <Select
          label={t('setupSite')}
          data={(all?.data ?? []).map(({ id, domainName }) => ({ value: id, label: domainName }))}
          value={siteId ?? null}
          onChange={setChosenSite}
          allowDeselect={false}
          searchable
        />
      )}
      <div className={classes.kinds} role="radiogroup" aria-label={t('setupKind')}>
        {authorities?.data.map(({ id, name, configured }) => (
          <KindCard
            key={id}
            name={name}
            text={t(configured ? `kind.${id}` : 'kind.notSetUp')}
            isChosen={kind === id}
            disabled={!configured}
            onChoose={() => setChosen(id)}
          />
        ))}
        <KindCard
          name={t('kind.uploadName')}
          text={t('kind.upload')}
          isChosen={kind === 'upload'}
          disabled={false}
          onChoose={() => setChosen('upload')}
        />
      </div>
    </>
  )
  if (!opened) return null
  if (!at) return <Skeleton height={1} />
  const props = { site: { id: at.id, domainName: at.domainName }, before, opened, onClose, onMade }
  return kind === 'upload' ? (
    <UploadForm key={at.id} {...props} />
  ) : (
    <OrderForm key={`${at.id} ${kind}`} {...props} authority={kind} />
  )
}

function KindCard({
  name,
  text,
  isChosen,
  disabled,
  onChoose,
}: {
  name: string
  text: string
  isChosen: boolean
  disabled: boolean
  onChoose: () => void
}) {
  return (
    <UnstyledButton
      role="radio"
      aria-checked={isChosen}
      aria-disabled={disabled || undefined}
      className={classes.kind}
      data-chosen={isChosen || undefined}
      data-disabled={disabled || undefined}
      onClick={() => {
        if (!disabled) onChoose()
      }}
    >
      <span className={classes.kindName}>{name}</span>
      <span className={classes.small}>{text}</span>
    </UnstyledButton>
  )
}
